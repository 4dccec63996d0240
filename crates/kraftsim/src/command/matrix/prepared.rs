//! The disks that the matrix starts servers on.

use bytes::Bytes;
use config::ServerConfig;
use determinism::Rng;
use disk::{Disk as _, DiskError};
use node::NodeConfig;
use raft_log::batch::read_batches;
use releases::{Release, Rules};
use simulator::SimDisk;
use simulator::run::action::QuorumKind;
use storage_tool::{FormatRequest, QuorumFlag, SeededDraws, plan};

const DIRECTORY: &str = "/kafka";
const LEGACY_FILE: &str = "/kafka/bootstrap.checkpoint";
const PARTITION: &str = "/kafka/__cluster_metadata-0";
const ZERO_CHECKPOINT: &str =
    "/kafka/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";
const CLUSTER: &str = "kraftsim-matrix";
/// What the clock shows while the disks are formatted; nothing depends on it.
const NOW_MS: i64 = 1_700_000_000_000;

/// How the only controller of such a quorum is formatted.
fn flag(quorum: QuorumKind) -> QuorumFlag {
    match quorum {
        QuorumKind::Static => QuorumFlag::None,
        QuorumKind::Dynamic => QuorumFlag::Standalone,
    }
}

fn config_of(rules: &Rules, quorum: QuorumKind) -> ServerConfig {
    let (key, value) = match quorum {
        QuorumKind::Static => ("controller.quorum.voters", "1@localhost:9093"),
        QuorumKind::Dynamic => ("controller.quorum.bootstrap.servers", "localhost:9093"),
    };
    let lines = [
        ("process.roles", "controller"),
        ("node.id", "1"),
        ("controller.listener.names", "CONTROLLER"),
        ("listeners", "CONTROLLER://localhost:9093"),
        ("log.dirs", DIRECTORY),
        (key, value),
    ];
    ServerConfig::parse(rules, lines)
        .expect("the matrix's configuration is one that every release takes")
}

/// The states of KIP-1170: which of the two files stand, and what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectoryState {
    Neither,
    /// The legacy file.
    LegacyOnly,
    /// The legacy file, and a zero checkpoint with control records only.
    LegacyAndControl,
    /// A zero checkpoint with metadata records.
    ZeroOnly,
    /// Both with metadata records.
    Both,
}

impl DirectoryState {
    /// All, by number.
    pub const ALL: [DirectoryState; 5] = [
        DirectoryState::Neither,
        DirectoryState::LegacyOnly,
        DirectoryState::LegacyAndControl,
        DirectoryState::ZeroOnly,
        DirectoryState::Both,
    ];

    /// The KIP's number; 0 for the one that it does not list.
    pub fn number(self) -> u8 {
        match self {
            DirectoryState::Neither => 0,
            DirectoryState::LegacyOnly => 1,
            DirectoryState::LegacyAndControl => 2,
            DirectoryState::ZeroOnly => 3,
            DirectoryState::Both => 4,
        }
    }

    /// What stands on the disk.
    pub fn files(self) -> &'static str {
        match self {
            DirectoryState::Neither => "neither file",
            DirectoryState::LegacyOnly => "bootstrap.checkpoint (3.8-IV0) only",
            DirectoryState::LegacyAndControl => {
                "bootstrap.checkpoint (3.8-IV0), zero checkpoint without metadata records"
            }
            DirectoryState::ZeroOnly => "zero checkpoint with metadata records (3.9-IV0) only",
            DirectoryState::Both => {
                "bootstrap.checkpoint (3.8-IV0) and zero checkpoint with metadata records (3.9-IV0)"
            }
        }
    }

    fn has_legacy_file(self) -> bool {
        matches!(
            self,
            DirectoryState::LegacyOnly | DirectoryState::LegacyAndControl | DirectoryState::Both
        )
    }
}

/// A controller before its first start.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub config: NodeConfig,
    pub disk: SimDisk,
}

impl Prepared {
    /// As a release's kafka-storage leaves it.
    pub fn formatted(formatter: Release, quorum: QuorumKind) -> Self {
        Self::formatted_at(formatter, quorum, None)
    }

    fn formatted_at(
        formatter: Release,
        quorum: QuorumKind,
        metadata_version: Option<&str>,
    ) -> Self {
        let rules = formatter.rules();
        let config = config_of(&rules, quorum);
        let request = FormatRequest {
            quorum: flag(quorum),
            release_version: metadata_version.map(str::to_owned),
            ..FormatRequest::new(CLUSTER)
        };
        // The same directory id in every disk, so that a zero checkpoint can be put on another.
        let mut draws = SeededDraws::new(Rng::from_seed(1), NOW_MS);
        let mut disk = SimDisk::new();
        let plan = plan(&rules, &config, &request, &mut disk, &mut draws)
            .expect("every release formats the matrix's configuration");
        plan.write(&mut disk, &mut draws)
            .expect("a disk without faults takes a format");
        disk.settle();
        Prepared {
            config: NodeConfig::new(config),
            disk,
        }
    }

    /// Formatted by the server's own release, then brought into a state with the files of two others: the legacy file of
    /// 3.9.2 at 3.8-IV0, the zero checkpoint of 4.4.0 at 3.9-IV0.
    pub fn in_state(state: DirectoryState, server: Release, quorum: QuorumKind) -> Self {
        let mut prepared = Self::formatted(server, quorum);
        let made = prepared.bring_into(state, quorum);
        made.expect("a disk without faults takes any file");
        prepared.disk.settle();
        prepared
    }

    fn bring_into(&mut self, state: DirectoryState, quorum: QuorumKind) -> Result<(), DiskError> {
        let disk = &mut self.disk;
        if disk.size(LEGACY_FILE)?.is_some() {
            disk.remove(LEGACY_FILE)?;
        }
        if disk
            .list(DIRECTORY)?
            .iter()
            .any(|entry| PARTITION.ends_with(&entry.name))
        {
            disk.remove_dir(PARTITION)?;
        }
        if state.has_legacy_file() {
            let mut other = Self::formatted_at(Release::V3_9_2, quorum, Some("3.8-IV0"));
            let content = other.disk.read(LEGACY_FILE)?;
            disk.put(LEGACY_FILE, content);
        }
        let zero = |keep: fn(&Bytes) -> Bytes| {
            let mut other = Self::formatted_at(Release::V4_4_0, quorum, Some("3.9-IV0"));
            other
                .disk
                .read(ZERO_CHECKPOINT)
                .map(|content| keep(&content))
        };
        let content = match state {
            DirectoryState::Neither | DirectoryState::LegacyOnly => return Ok(()),
            DirectoryState::LegacyAndControl => zero(control_batches)?,
            DirectoryState::ZeroOnly | DirectoryState::Both => zero(Bytes::clone)?,
        };
        disk.create_dir_all(PARTITION)?;
        disk.put(ZERO_CHECKPOINT, content);
        Ok(())
    }
}

/// A checkpoint without its data batches.
fn control_batches(content: &Bytes) -> Bytes {
    let batches = read_batches(ZERO_CHECKPOINT, content, 0).map_while(Result::ok);
    batches
        .filter(raft_log::batch::Batch::is_control)
        .flat_map(|batch| batch.bytes().to_vec())
        .collect()
}
