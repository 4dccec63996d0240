//! Machines of the cluster: formatted, started.

use std::collections::BTreeMap;

use disk::MemDisk;
use listener::Reading;
use raft::{
    Address, AutoJoinSetting, Draws, Endpoints, ListenerName, RaftConfig, Replica, WallClock,
};
use raft_log::checkpoint::{
    BOOTSTRAP_SNAPSHOT_ID, KRaftRecords, RawSnapshotWriter, SnapshotWriter,
};
use records::control::{
    KRaftVersionFeature, KRaftVersionRecord, Voter, VoterEndpoint, VotersRecord,
};
use records::{NodeId, Uuid};
use releases::Release;

use super::{Cluster, Machine, PARTITION, START_MS};

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
        let nodes = ids(&words[4..]);
        for node in nodes {
            let machine = Machine {
                disk: self.formatted(node),
                replica: None,
                life: 0,
                last: None,
                events: Vec::new(),
                asked: BTreeMap::new(),
                prescribed: Vec::new(),
                port: address(node).port,
                directory: directory(node),
                auto_join: if words.contains(&"joining") && !self.voters.contains(&node) {
                    AutoJoinSetting::Enabled
                } else {
                    AutoJoinSetting::Disabled
                },
            };
            self.machines.insert(node, machine);
            self.start(node)?;
        }
        Ok(())
    }

    /// Draws that are prescribed before anything ran count from the start on.
    pub(super) fn restart_unstarted(&mut self, node: i32) -> Result<(), String> {
        if self.now_ms == 0 && self.network.is_empty() {
            let machine = self.machine(node)?;
            machine.life = 0;
            machine.replica = None;
            return self.start(node);
        }
        let values: Vec<i32> = self.machine(node)?.prescribed.drain(..).collect();
        self.replica(node)?.draws_mut().prescribe(values);
        Ok(())
    }

    /// Another directory in place of the one that was there.
    pub(super) fn reformat(&mut self, node: i32) -> Result<(), String> {
        let machine = self.machine(node)?;
        machine.disk = MemDisk::new();
        let mut bytes = *machine.directory.as_bytes();
        bytes[0] += 1;
        machine.directory = Uuid::from_bytes(bytes);
        self.start(node)
    }

    pub(super) fn formatted(&self, node: i32) -> MemDisk {
        let mut disk = MemDisk::new();
        if !self.is_dynamic || !self.voters.contains(&node) {
            return disk;
        }
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
        let raw = RawSnapshotWriter::create(&mut disk, PARTITION, BOOTSTRAP_SNAPSHOT_ID, 1)
            .expect("a fresh disk takes a snapshot");
        let writer = SnapshotWriter::new(raw, START_MS, quorum, START_MS)
            .expect("the writer takes its first records");
        writer
            .freeze(&mut disk, START_MS)
            .expect("a fresh disk takes a snapshot");
        disk
    }

    pub(super) fn start(&mut self, node: i32) -> Result<(), String> {
        let addresses: Vec<(NodeId, Address)> = self
            .voters
            .iter()
            .map(|id| (NodeId(*id), address(*id)))
            .collect();
        let settings = self.settings;
        let machine = self.machine(node)?;
        let (port, directory, auto_join) = (machine.port, machine.directory, machine.auto_join);
        let config = RaftConfig {
            cluster_id: "script".into(),
            auto_join,
            log: settings.log,
            fetch_snapshot_max_bytes: settings.fetch_snapshot_max_bytes,
            fetch_max_bytes: settings.fetch_max_bytes,
            static_voters: if self.is_dynamic {
                Vec::new()
            } else {
                addresses.iter().cloned().collect()
            },
            bootstrap_servers: if self.is_dynamic {
                addresses.into_iter().map(|(_, address)| address).collect()
            } else {
                Vec::new()
            },
            local_listeners: Endpoints::new([(listener_name(), Address::new("localhost", port))]),
            clock: WallClock {
                at_start_ms: START_MS,
            },
            ..RaftConfig::defaults(NodeId(node), directory, PARTITION)
        };
        let (now, rules) = (self.now(), self.rules.clone());
        let machine = self.machine(node)?;
        machine.life += 1;
        let mut draws = Draws::like_java(i64::from(node) * 1000 + machine.life as i64);
        draws.prescribe(machine.prescribed.drain(..));
        let replica = Replica::open(config, &rules, now, draws, &mut machine.disk);
        let mut replica = replica.map_err(|fault| fault.to_string())?;
        replica.register(Reading::AtOnce);
        machine.replica = Some(replica);
        self.settle(node);
        Ok(())
    }
}

pub(super) fn directory(node: i32) -> Uuid {
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
