//! What a node's directory holds before its first start, and after a crash.

use config::ServerConfig;
use determinism::Rng;
use disk::Disk as _;
use node::NodeConfig;
use raft_log::batch::Batch;
use raft_log::log::is_segment_file;
use records::{NodeId, Uuid};
use storage_tool::{FormatRequest, Prescribed, QuorumFlag, SeededDraws, plan};

use super::{CommandRefusal, QuorumKind, Setup};
use crate::SimDisk;

/// The log directory of every node, each on a disk of its own.
const DIRECTORY: &str = "/kafka";
/// Where the metadata partition lies.
const PARTITION: &str = "/kafka/__cluster_metadata-0";
/// When the directories were formatted, in ms since 1970: the driver formats by the clock of its machine, which shows a
/// later time than the clocks of schedules do. So the checkpoint of offset 0 never gets too old to be kept.
const FORMATTED_AT_MS: i64 = 1_796_000_000_000;

/// The directory id that the driver gives a node.
pub(super) fn directory_id(node: NodeId) -> Uuid {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&0x4b72_6166_7453_6d00_u64.to_be_bytes());
    bytes[8..].copy_from_slice(&(i64::from(node.0)).to_be_bytes());
    Uuid::from_bytes(bytes)
}

/// The port of a node's only listener.
pub(super) fn port(node: NodeId) -> i32 {
    9000 + node.0
}

/// `server.properties` of a node.
pub(super) fn configuration(setup: &Setup, node: NodeId) -> Result<NodeConfig, CommandRefusal> {
    let entry = |key: &str, value: String| (key.to_owned(), value);
    let voters = |prefix: fn(NodeId) -> String| {
        let named = setup
            .nodes
            .iter()
            .map(|id| format!("{}localhost:{}", prefix(*id), port(*id)));
        named.collect::<Vec<_>>().join(",")
    };
    let quorum = match setup.quorum {
        QuorumKind::Static => entry("controller.quorum.voters", voters(|id| format!("{id}@"))),
        QuorumKind::Dynamic => entry(
            "controller.quorum.bootstrap.servers",
            voters(|_| String::new()),
        ),
    };
    let mut entries = vec![
        entry("process.roles", "controller".to_owned()),
        entry("node.id", node.to_string()),
        entry("controller.listener.names", "CONTROLLER".to_owned()),
        entry(
            "listeners",
            format!("CONTROLLER://localhost:{}", port(node)),
        ),
        entry("log.dirs", DIRECTORY.to_owned()),
        quorum,
    ];
    let own = setup.node_properties.get(&node).into_iter().flatten();
    let given = setup.properties.iter().chain(own);
    entries.extend(given.map(|(key, value)| (key.clone(), value.clone())));
    let exception =
        "java.lang.reflect.InvocationTargetException; java.lang.IllegalArgumentException";
    let mut server = ServerConfig::parse(&setup.rules, entries)
        .map_err(|error| CommandRefusal::with(exception, error))?;
    if server.node_id != node {
        let given = server.node_id;
        return Err(CommandRefusal::refused(format!(
            "node {node} cannot have node.id={given}"
        )));
    }
    // The driver gives the client a sorted map of them.
    server.quorum_voters.sort_by_key(|(id, _)| *id);
    Ok(NodeConfig::new(server))
}

/// A disk with what the release's formatter leaves.
pub(super) fn formatted(setup: &Setup, config: &NodeConfig) -> Result<SimDisk, CommandRefusal> {
    let node = config.node_id();
    let quorum = match setup.quorum {
        QuorumKind::Static => QuorumFlag::None,
        QuorumKind::Dynamic if setup.nodes.contains(&node) => {
            let voter = |id: &NodeId| format!("{id}@localhost:{}:{}", port(*id), directory_id(*id));
            QuorumFlag::InitialControllers(
                setup.nodes.iter().map(voter).collect::<Vec<_>>().join(","),
            )
        }
        QuorumKind::Dynamic => QuorumFlag::NoInitialControllers,
    };
    let request = FormatRequest {
        quorum,
        release_version: setup.release_version.clone(),
        features: setup.features.clone(),
        ..FormatRequest::new(setup.cluster_id.clone())
    };
    let seeded = SeededDraws::new(Rng::from_seed(setup.seed as u64), FORMATTED_AT_MS);
    let mut draws = Prescribed::over(seeded);
    draws.directory(DIRECTORY, directory_id(node));
    let mut disk = SimDisk::new();
    let plan = plan(
        &setup.rules,
        config.server(),
        &request,
        &mut disk,
        &mut draws,
    )
    .map_err(CommandRefusal::refused)?;
    plan.write(&mut disk, &mut draws)
        .map_err(CommandRefusal::refused)?;
    Ok(disk)
}

/// The batches of all segments.
pub(super) fn batches(disk: &mut SimDisk) -> Result<Vec<Batch>, CommandRefusal> {
    let mut batches = Vec::new();
    for name in segments(disk) {
        let path = format!("{PARTITION}/{name}");
        let bytes = disk.read(&path).map_err(CommandRefusal::refused)?;
        for batch in raft_log::batch::read_batches(&name, &bytes, 0) {
            batches.push(batch.map_err(CommandRefusal::refused)?);
        }
    }
    Ok(batches)
}

/// A directory that was never formatted has none.
fn segments(disk: &mut SimDisk) -> Vec<String> {
    let entries = disk.list(PARTITION).unwrap_or_default();
    let names = entries.into_iter().map(|entry| entry.name);
    names.filter(|name| is_segment_file(name)).collect()
}

/// Takes the batches from `offset` on out of every segment, as if they had not been flushed.
pub(super) fn lose_from(disk: &mut SimDisk, offset: i64) -> Result<(), CommandRefusal> {
    for name in segments(disk) {
        let path = format!("{PARTITION}/{name}");
        let bytes = disk.read(&path).map_err(CommandRefusal::refused)?;
        let kept: usize = raft_log::batch::read_batches(&name, &bytes, 0)
            .map_while(Result::ok)
            .filter(|batch| batch.last_offset() < offset)
            .map(|batch| batch.size())
            .sum();
        disk.truncate(&path, kept as u64)
            .map_err(CommandRefusal::refused)?;
    }
    Ok(())
}
