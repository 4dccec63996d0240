//! Machines of the cluster: formatted, started.

use config::{AutoJoin, ServerConfig};
use determinism::{Draws, Rng};
use disk::{Disk as _, path};
use node::{NodeChance, NodeConfig, Parts};
use raft::Address;
use raft::ListenerName;
use raft_log::checkpoint::{
    BOOTSTRAP_SNAPSHOT_ID, KRaftRecords, RawSnapshotWriter, SnapshotWriter,
};
use raft_log::log::METADATA_LOG_DIR_NAME;
use records::control::{
    KRaftVersionFeature, KRaftVersionRecord, Voter, VoterEndpoint, VotersRecord,
};
use records::{NodeId, Uuid};
use releases::Release;
use simulator::SimDisk;
use simulator::world::Down;

use super::{Cluster, START_MS, Seat};

const DIRECTORY: &str = "/kafka";
const CLUSTER_ID: &str = "c2NyaXB0LWNsdXN0ZXItMQ";

impl Cluster {
    pub(super) fn begin(&mut self, words: &[&str]) -> Result<(), String> {
        let settings = self.settings;
        *self = Cluster::new();
        self.settings = settings;
        let release: Release = words[1].parse().map_err(|error| format!("{error}"))?;
        self.rules = release.rules();
        self.is_dynamic = words[2] == "dynamic";
        let is_observer = words
            .iter()
            .position(|word| *word == "observers")
            .unwrap_or(words.len());
        let ids = |words: &[&str]| {
            words
                .iter()
                .filter_map(|word| word.parse().ok())
                .collect::<Vec<i32>>()
        };
        self.voters = ids(&words[4..is_observer]);
        for node in ids(&words[4..]) {
            let joins = words.contains(&"joining") && !self.voters.contains(&node);
            let seat = Seat {
                life: 0,
                last: None,
                events: Vec::new(),
                prescribed: Vec::new(),
                port: address(node).port,
                directory: directory(node),
                auto_join: if joins {
                    AutoJoin::Enabled
                } else {
                    AutoJoin::Disabled
                },
            };
            self.seats.insert(node, seat);
            self.configure(node)?;
            self.format(node)?;
            self.start(node)?;
        }
        Ok(())
    }

    /// What a node draws next; before anything ran, from its start on.
    pub(super) fn draws(&mut self, node: i32, values: Vec<i32>) -> Result<(), String> {
        if self.now_ms == 0 && self.network.is_empty() {
            let seat = self.seat(node)?;
            seat.prescribed.extend(values);
            seat.life = 0;
            self.world.crash(NodeId(node));
            return self.start(node);
        }
        self.replica(node, |replica, _, _| replica.draws_mut().prescribe(values))
    }

    /// Another directory in place of the one that was there.
    pub(super) fn reformat(&mut self, node: i32) -> Result<(), String> {
        let seat = self.seat(node)?;
        let mut bytes = *seat.directory.as_bytes();
        bytes[0] += 1;
        seat.directory = Uuid::from_bytes(bytes);
        self.wipe(node)?;
        self.start(node)
    }

    /// An empty directory.
    pub(super) fn wipe(&mut self, node: i32) -> Result<(), String> {
        self.crash(node)?;
        let directory = self.seat(node)?.directory;
        let mut disk = SimDisk::new();
        identify(&mut disk, node, directory).map_err(|error| error.to_string())?;
        self.replace_disk(node, disk);
        Ok(())
    }

    pub(super) fn crash(&mut self, node: i32) -> Result<(), String> {
        self.seat(node)?;
        self.world.crash(NodeId(node));
        self.look(node);
        Ok(())
    }

    fn replace_disk(&mut self, node: i32, replacement: SimDisk) {
        if let Some(disk) = self.world.disk_mut(NodeId(node)) {
            *disk = replacement;
        }
        self.observer.disk_replaced(self.world.now(), NodeId(node));
    }

    /// The directory, and the zero checkpoint of a voter whose cluster begins with it.
    fn format(&mut self, node: i32) -> Result<(), String> {
        let directory = self.seat(node)?.directory;
        let mut disk = SimDisk::new();
        identify(&mut disk, node, directory).map_err(|error| error.to_string())?;
        if self.is_dynamic && self.voters.contains(&node) {
            self.write_voters(&mut disk);
        }
        self.replace_disk(node, disk);
        Ok(())
    }

    fn write_voters(&self, disk: &mut SimDisk) {
        let voters = self.voters.iter().map(|id| Voter {
            voter_id: *id,
            voter_directory_id: directory(*id),
            endpoints: vec![VoterEndpoint {
                name: "CONTROLLER".into(),
                host: "localhost".into(),
                port: address(*id).port,
                ..Default::default()
            }],
            kraft_version_feature: KRaftVersionFeature {
                max_supported_version: 1,
                ..Default::default()
            },
            ..Default::default()
        });
        let quorum = KRaftRecords::Present {
            version: KRaftVersionRecord {
                kraft_version: 1,
                ..Default::default()
            },
            voters: Some(VotersRecord {
                voters: voters.collect(),
                ..Default::default()
            }),
        };
        let partition = partition();
        disk.create_dir_all(&partition)
            .expect("a fresh disk takes a directory");
        let raw = RawSnapshotWriter::create(disk, &partition, BOOTSTRAP_SNAPSHOT_ID, 1)
            .expect("a fresh disk takes a snapshot");
        let writer = SnapshotWriter::new(raw, START_MS, quorum, START_MS)
            .expect("the writer takes its first records");
        writer
            .freeze(disk, START_MS)
            .expect("a fresh disk takes a snapshot");
    }

    /// What the node's next process is configured with.
    fn configure(&mut self, node: i32) -> Result<(), String> {
        let (is_dynamic, settings) = (self.is_dynamic, self.settings);
        let (voters, rules) = (self.voters.clone(), self.rules.clone());
        let seat = self.seat(node)?;
        let named = voters.iter().map(|id| {
            let address = address(*id);
            if is_dynamic {
                address.to_string()
            } else {
                format!("{id}@{address}")
            }
        });
        let voters = named.collect::<Vec<String>>().join(",");
        let quorum = if is_dynamic {
            "controller.quorum.bootstrap.servers"
        } else {
            "controller.quorum.voters"
        };
        let entries = [
            ("process.roles", "controller".to_owned()),
            ("node.id", node.to_string()),
            ("controller.listener.names", "CONTROLLER".to_owned()),
            ("listeners", format!("CONTROLLER://localhost:{}", seat.port)),
            ("log.dirs", DIRECTORY.to_owned()),
            (quorum, voters),
        ];
        let mut server = ServerConfig::parse(&rules, entries).map_err(|error| error.to_string())?;
        server.quorum.auto_join = seat.auto_join;
        if let Some((segment_bytes, retention_bytes)) = settings.keep {
            server.metadata_log.segment_bytes = segment_bytes;
            server.metadata_log.segment_min_bytes = segment_bytes;
            server.metadata_log.max_retention_bytes = retention_bytes;
        }
        if let Some(bytes) = settings.fetch_snapshot_max_bytes {
            server.quorum.fetch_snapshot_max_bytes = bytes;
        }
        if let Some(bytes) = settings.fetch_max_bytes {
            server.quorum.fetch_max_bytes = bytes;
        }
        let config = NodeConfig::new(server);
        self.world.add(config, rules);
        self.world.set_wall_clock(NodeId(node), START_MS);
        Ok(())
    }

    pub(super) fn start(&mut self, node: i32) -> Result<(), String> {
        self.configure(node)?;
        self.crash(node)?;
        let seat = self.seat(node)?;
        seat.life += 1;
        let seed = i64::from(node) * 1000 + seat.life;
        let mut raft = Draws::like_java(seed);
        raft.prescribe(seat.prescribed.drain(..));
        let rng = Rng::from_seed(seed.cast_unsigned());
        let chance = NodeChance {
            raft,
            ..NodeChance::from_rng(rng, NodeId(node))
        };
        self.world
            .start_by_hand(NodeId(node), Parts::Recorder, chance);
        self.look(node);
        if let Some(Down::Refused(refusal)) = self.machine(node)?.down() {
            return Err(refusal.to_string());
        }
        self.settle(node)
    }
}

/// `meta.properties`
fn identify(disk: &mut SimDisk, node: i32, directory: Uuid) -> Result<(), disk::DiskError> {
    let text =
        format!("version=1\nnode.id={node}\ncluster.id={CLUSTER_ID}\ndirectory.id={directory}\n");
    disk.create_dir_all(DIRECTORY)?;
    disk.put(&path::join(DIRECTORY, "meta.properties"), text.into());
    Ok(())
}

pub(super) fn partition() -> String {
    path::join(DIRECTORY, METADATA_LOG_DIR_NAME)
}

fn directory(node: i32) -> Uuid {
    let mut bytes = [7; 16];
    bytes[12..].copy_from_slice(&node.to_be_bytes());
    Uuid::from_bytes(bytes)
}

pub(super) fn listener_name() -> ListenerName {
    ListenerName::normalised("controller")
}

pub(super) fn address(node: i32) -> Address {
    Address::new("localhost", 9000 + node as u16)
}
