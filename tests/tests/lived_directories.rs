//! The directories that controllers of real Kafka left in the lived-in clusters: every release that can opens them and finds the log, the
//! checkpoints, the epochs and the voters that were there, and a simulated cluster goes on from them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use config::ServerConfig;
use config::properties::Properties;
use determinism::Time;
use kraftsim_tests::kafka_files::in_archive;
use kraftsim_tests::lived::Recording;
use kraftsim_tests::recorded;
use kraftsim_tests::recorded::golden::Outcome;
use kraftsim_tests::recorded::lived::Deed;
use kraftsim_tests::repository::{files, root};
use node::NodeConfig;
use raft_log::batch::{Batch, read_batches};
use raft_log::leader_epochs;
use rayon::prelude::*;
use records::NodeId;
use records::control::ControlRecord;
use records::metadata::MetadataRecord;
use releases::{Definitions, Release};
use simulator::run::{Run, Setting};
use simulator::{Machine, World};

const PARTITION: &str = "/data/__cluster_metadata-0";

/// One saved directory: the node's configuration, and its files by their path below the directory.
#[derive(Clone, Debug, Default)]
struct Saved {
    properties: Bytes,
    files: BTreeMap<String, Bytes>,
}

/// The saved directories of a cell, by label and node.
fn saved(archive_path: &Path) -> BTreeMap<(String, NodeId), Saved> {
    let mut saved: BTreeMap<(String, NodeId), Saved> = BTreeMap::new();
    for (path, content) in in_archive(archive_path) {
        let mut parts = path.splitn(3, '/');
        let (label, node, path) = (parts.next(), parts.next(), parts.next());
        let node = node.and_then(|node| node.strip_prefix("node-")?.parse().ok());
        let (Some(label), Some(node), Some(path)) = (label, node, path) else {
            continue;
        };
        let one = saved.entry((label.to_owned(), NodeId(node))).or_default();
        if path == "server.properties" {
            one.properties = content;
        } else if let Some(path) = path.strip_prefix("data/") {
            one.files.insert(path.to_owned(), content);
        }
    }
    saved
}

impl Saved {
    /// The node's own configuration; where a proxy stood before it, it is at the proxy's address.
    fn config(&self, release: Release) -> NodeConfig {
        let properties = Properties::parse("server.properties", &self.properties).unwrap();
        let advertised = properties.get("advertised.listeners").map(str::to_owned);
        let internal = Definitions::of(release).get("internal.metadata.log.segment.bytes");
        let knows_internal = internal.is_some();
        let entries = properties.iter().filter_map(|(key, value)| match key {
            "log.dirs" | "metadata.log.dir" => Some((key, "/data".to_owned())),
            "advertised.listeners" => None,
            // Releases from 4.1 on refuse a small one, and have another key for tests.
            "metadata.log.segment.bytes" if knows_internal => {
                Some(("internal.metadata.log.segment.bytes", value.to_owned()))
            }
            "listeners" => Some((key, advertised.clone().unwrap_or_else(|| value.to_owned()))),
            _ => Some((key, value.to_owned())),
        });
        NodeConfig::new(ServerConfig::parse(&release.rules(), entries).unwrap())
    }

    fn put_into(&self, world: &mut World, id: NodeId, release: Release) {
        world.add(self.config(release), release.rules());
        let disk = world.disk_mut(id).unwrap();
        for (path, content) in &self.files {
            disk.put(&format!("/data/{path}"), content.clone());
        }
    }

    /// The batches of the log, in order.
    fn batches(&self) -> Vec<Batch> {
        let segments = self.files.iter().filter(|(path, _)| {
            path.strip_prefix("__cluster_metadata-0/")
                .is_some_and(|name| name.strip_suffix(".log").is_some())
        });
        segments
            .flat_map(|(path, content)| {
                let mut reader = read_batches(path, content, 0);
                let batches: Vec<Batch> = reader.by_ref().map(|batch| batch.unwrap()).collect();
                assert_eq!(reader.position(), content.len() as u64, "{path}");
                batches
            })
            .collect()
    }

    /// Whether the metadata has a metadata.version; data without one (KAFKA-20839) ends every newer controller.
    fn names_a_metadata_version(&self) -> bool {
        let batches = self.batches();
        let from_checkpoint = batches.first().is_some_and(|batch| batch.base_offset() > 0);
        let data = batches.iter().filter(|batch| !batch.is_control());
        let mut records = data.flat_map(|batch| batch.data_records().unwrap_or_default());
        from_checkpoint
            || records.any(|record| match record.record {
                MetadataRecord::FeatureLevel(feature) => feature.name == "metadata.version",
                _ => false,
            })
    }

    /// The voters that the log, or else its newest checkpoint, says are in force.
    fn voters(&self) -> Option<BTreeSet<String>> {
        let checkpoints = self.files.iter().filter(|(path, _)| {
            path.strip_suffix(".checkpoint")
                .is_some_and(|name| name.contains('-') && path.contains('/'))
        });
        let newest = checkpoints.last().map(|(path, content)| {
            read_batches(path, content, 0)
                .map_while(Result::ok)
                .collect::<Vec<_>>()
        });
        let batches = newest.into_iter().flatten().chain(self.batches());
        let control = batches.filter(Batch::is_control);
        let records = control.flat_map(|batch| batch.control_records().unwrap_or_default());
        let voters = records.filter_map(|record| match record {
            ControlRecord::KRaftVoters(voters) => Some(voters),
            _ => None,
        });
        let last = voters.last()?;
        let voters = last.voters.iter();
        Some(
            voters
                .map(|voter| format!("{}@{}", voter.voter_id, voter.voter_directory_id))
                .collect(),
        )
    }
}

fn archives() -> Vec<PathBuf> {
    files(&root().join("tests/lived"), &["controllers.tar.xz"])
}

fn cell_of(archive: &Path) -> String {
    let folder = archive.parent().and_then(|folder| folder.file_name());
    folder.unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_release_finds_what_was_there() {
    let opened: usize = archives()
        .par_iter()
        .flat_map_iter(|archive| {
            saved(archive)
                .into_iter()
                .map(|(key, saved)| (cell_of(archive), key, saved))
        })
        .map(|(cell, (label, id), saved)| {
            let name = format!("{cell}, {label}, node {id}");
            for release in Release::ALL {
                opens(&name, id, &saved, release);
            }
            1
        })
        .sum();
    assert!(opened > 150, "only {opened} directories");
}

/// Opens a directory as a process of that release does, and looks before anything happens.
fn opens(name: &str, id: NodeId, saved: &Saved, release: Release) {
    let mut world = World::new(1);
    let mut saved = saved.clone();
    // An older release refuses the bootstrap records of a newer one, before it looks at the log.
    saved.files.remove("bootstrap.checkpoint");
    saved.put_into(&mut world, id, release);
    world.start(id);
    let machine = world.machine(id).unwrap();
    let Some(node) = machine.node() else {
        panic!("{name} on {release}: {}", machine.down().unwrap());
    };
    let (replica, batches) = (node.replica(), saved.batches());
    let end = batches
        .last()
        .map_or(replica.log_end_offset(), Batch::next_offset);
    let stands_alone = replica.voters().len() == 1;
    // A single voter leads at once, and writes.
    assert!(
        replica.log_end_offset() == end || stands_alone && replica.log_end_offset() > end,
        "{name} on {release}: the log ends at {}, not {end}",
        replica.log_end_offset()
    );
    if let Some(expected) = saved.voters() {
        let keys = replica.voters().voter_keys();
        let found: BTreeSet<String> = keys
            .map(|key| format!("{}@{}", key.id, key.directory_id_or_zero()))
            .collect();
        assert_eq!(found, expected, "{name} on {release}: voters");
    }
    let checkpoints = saved.files.keys().filter(|path| {
        let name = path
            .strip_prefix("__cluster_metadata-0/")
            .unwrap_or_default();
        name.len() == 31 + ".checkpoint".len() && name.strip_suffix(".checkpoint").is_some()
    });
    let known = replica.log().snapshot_ids().count();
    assert!(known <= checkpoints.count(), "{name} on {release}");
    let epochs = &saved
        .files
        .get("__cluster_metadata-0/leader-epoch-checkpoint");
    if let Some(epochs) = epochs.filter(|_| !stands_alone) {
        let epochs = leader_epochs::parse("leader-epoch-checkpoint", epochs).unwrap();
        let last = epochs.last().map(|entry| entry.epoch);
        assert_eq!(batches.last().map(Batch::leader_epoch), last, "{name}");
    }
}

/// The release that a cell's controllers ran last.
fn last_release(recording: &Recording) -> Release {
    let actions = recording.actions().iter().rev();
    let mut named = actions.filter_map(|done| match &done.action.deed {
        Deed::Start(start) => start.version.as_deref(),
        _ => None,
    });
    let name = named.next().unwrap_or(recording.version());
    name.parse().unwrap()
}

#[test]
fn a_simulated_cluster_goes_on_from_them() {
    let on: Vec<String> = archives()
        .par_iter()
        .filter_map(|archive| {
            let cell = cell_of(archive);
            let recording = Recording::read(archive.parent().unwrap()).unwrap();
            let directories = saved(archive)
                .into_iter()
                .filter(|((label, _), _)| label == "final");
            let directories: Vec<(NodeId, Saved)> =
                directories.map(|((_, id), saved)| (id, saved)).collect();
            let led = recording.actions().iter().any(|done| done.leader.is_some());
            let last = recording.actions().last().unwrap();
            if !led || last.leader.is_none() {
                return None; // Real controllers did not come up on these either.
            }
            go_on(&cell, &directories, last_release(&recording));
            if directories
                .iter()
                .all(|(_, saved)| saved.names_a_metadata_version())
            {
                go_on(&cell, &directories, Release::V4_4_0);
            }
            Some(cell)
        })
        .collect();
    assert!(on.len() >= 36, "only {on:?}");
}

/// All of them start, one becomes active, everybody registers, and what was in the longest log is in every log.
fn go_on(cell: &str, directories: &[(NodeId, Saved)], release: Release) {
    let mut world = World::new(1);
    for (id, saved) in directories {
        saved.put_into(&mut world, *id, release);
    }
    for (id, _) in directories {
        world.start(*id);
    }
    let mut run = Run::over(world, Setting::default());
    let active = |run: &Run| {
        let mut nodes = run.world().machines().filter_map(Machine::node);
        nodes.any(node::Node::is_active)
    };
    assert!(
        run.run_until(Time::from_secs(60), active),
        "{cell} on {release}: nobody is active"
    );
    run.run_for(Time::from_secs(15));
    for machine in run.world().machines() {
        assert!(
            machine.node().is_some(),
            "{cell} on {release}: {:?}",
            machine.down()
        );
    }
    assert!(
        active(&run),
        "{cell} on {release}: nobody is active any more"
    );
    let longest = directories.iter().map(|(_, saved)| saved.batches());
    let longest = longest
        .max_by_key(|batches| batches.last().map(Batch::next_offset))
        .unwrap();
    let end = longest.last().map_or(0, Batch::next_offset);
    for machine in run.world().machines() {
        let replica = machine.node().unwrap().replica();
        let id = machine.id();
        assert!(
            replica.high_watermark() > Some(end),
            "{cell} on {release}, node {id}"
        );
        let start = replica.log().start_offset();
        let now = batches_of(machine);
        for batch in longest.iter().filter(|batch| batch.base_offset() >= start) {
            let found = now
                .iter()
                .find(|one| one.base_offset() == batch.base_offset());
            assert_eq!(found, Some(batch), "{cell} on {release}, node {id}");
        }
    }
}

fn batches_of(machine: &Machine) -> Vec<Batch> {
    let mut names: Vec<String> = machine
        .disk()
        .files_in(PARTITION)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    names.retain(|name| name.strip_suffix(".log").is_some());
    names.sort();
    let contents = names
        .iter()
        .filter_map(|name| machine.disk().look(&format!("{PARTITION}/{name}")));
    contents
        .flat_map(|bytes| {
            read_batches("", &bytes, 0)
                .map_while(Result::ok)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// What a `quorum-state` says apart from who leads which epoch and who was voted for, which is chance.
fn form(state: &Bytes) -> serde_json::Value {
    let mut state: serde_json::Value = serde_json::from_slice(state).unwrap();
    for chance in ["leaderId", "leaderEpoch", "votedId", "votedDirectoryId"] {
        if let Some(value) = state.get_mut(chance) {
            *value = "-".into();
        }
    }
    state
}

/// The golden cells of three controllers: what stands beside the log at the end has the same form, and tells the same of the log.
#[test]
fn three_controllers_leave_what_real_ones_left() {
    let cells = files(&root().join("tests/golden"), &["input.tar.gz"]);
    let cells = cells
        .into_iter()
        .filter(|path| cell_of(path).starts_with("f-"));
    let compared: usize = cells
        .collect::<Vec<_>>()
        .par_iter()
        .map(|path| leaves_the_same(path))
        .sum();
    assert!(compared > 80, "only {compared} directories");
}

fn leaves_the_same(archive: &Path) -> usize {
    let cell = cell_of(archive);
    let outcome: Outcome = recorded::read(&archive.with_file_name("result.json")).unwrap();
    let phases = &outcome.phases;
    let last = &phases[phases.len() - 1].nodes;
    let directories = saved(archive);
    let before = format!("phase-{}", phases.len());
    let mut world = World::new(1);
    for ((label, id), saved) in &directories {
        let ran = last
            .get(&id.to_string())
            .and_then(|node| node.version.as_ref());
        if let Some(release) = ran.filter(|_| *label == before) {
            saved.put_into(&mut world, *id, release.parse().unwrap());
            world.start(*id);
        }
    }
    let mut run = Run::over(world, Setting::default());
    run.run_for(Time::from_secs(15));
    let mut compared = 0;
    let machines = run.world().machines();
    for machine in machines.filter(|machine| machine.node().is_some()) {
        let id = machine.id();
        let real = &directories[&("final".to_owned(), id)];
        if last.get(&id.to_string()).is_some_and(|node| node.exited) {
            continue;
        }
        let file = |name: &str| {
            let theirs = real
                .files
                .get(&format!("__cluster_metadata-0/{name}"))
                .cloned();
            (theirs, machine.disk().look(&format!("{PARTITION}/{name}")))
        };
        let (theirs, ours) = file("quorum-state");
        assert_eq!(
            theirs.as_ref().map(form),
            ours.as_ref().map(form),
            "{cell}, node {id}"
        );
        for (whose, epochs, batches) in [
            (
                "real Kafka's",
                file("leader-epoch-checkpoint").0,
                real.batches(),
            ),
            (
                "ours",
                file("leader-epoch-checkpoint").1,
                batches_of(machine),
            ),
        ] {
            let mut of_log: Vec<(i32, i64)> = Vec::new();
            for batch in &batches {
                if of_log.last().map(|(epoch, _)| *epoch) != Some(batch.leader_epoch()) {
                    of_log.push((batch.leader_epoch(), batch.base_offset()));
                }
            }
            let told = epochs.map(|bytes| leader_epochs::parse("", &bytes).unwrap());
            let told = told.unwrap_or_default().into_iter();
            let told: Vec<(i32, i64)> = told
                .map(|entry| (entry.epoch, entry.start_offset))
                .collect();
            assert_eq!(told, of_log, "{cell}, node {id}: {whose} epochs and log");
        }
        compared += 1;
    }
    compared
}
