//! One activation, as the controller tells of it: for the journal, for tables, for the invariants.

use bytes::Bytes;
use disk::path;
use quorum_controller::{Activation, BootstrapSource, LogContent, Shape};
use raft_log::batch::read_batches;
use raft_log::checkpoint;
use raft_log::legacy::{self, LegacyFile};
use records::metadata::VersionedRecord;
use records::{NodeId, OffsetAndEpoch};
use releases::Release;

use crate::Machine;
use crate::invariants::{self, SourceKind};

/// One activation, for tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivationRow {
    pub node: NodeId,
    pub release: Release,
    pub epoch: i32,
    /// Where the bootstrap records came from.
    pub source: SourceKind,
    /// How many there were.
    pub bootstrap_records: usize,
    /// What it did, in words.
    pub text: String,
}

/// Where the bootstrap records came from.
pub(crate) fn source(activation: &Activation) -> SourceKind {
    match &activation.source {
        None => SourceKind::None,
        Some(BootstrapSource::LegacyFile(_)) => SourceKind::LegacyFile,
        Some(BootstrapSource::ZeroCheckpoint) => SourceKind::ZeroCheckpoint,
        Some(BootstrapSource::Default) => SourceKind::Default,
        Some(BootstrapSource::Configured(_) | BootstrapSource::Minimum(_)) => {
            SourceKind::Configured
        }
    }
}

/// What it did, in words: `log empty, 6 bootstrap records from the zero checkpoint, in a transaction`.
pub(super) fn words(activation: &Activation) -> String {
    let mut parts = vec![match activation.log {
        LogContent::Empty => "log empty".to_owned(),
        LogContent::NotEmpty => "log not empty".to_owned(),
    }];
    if let Some(start) = activation.aborted_transaction {
        parts.push(format!(
            "aborts the transaction that began at offset {start}"
        ));
    }
    if source(activation) != SourceKind::None {
        let count = activation.bootstrap_records;
        let plural = if count == 1 { "record" } else { "records" };
        parts.push(format!(
            "{count} bootstrap {plural} from {}",
            origin(source(activation))
        ));
        parts.push(match activation.shape {
            Shape::Atomic => "in one atomic batch".to_owned(),
            Shape::MayBeSplit => "in a transaction".to_owned(),
        });
        parts.push(format!("metadata.version {}", activation.metadata_version));
    } else if activation.records.is_empty() {
        parts.push("nothing to write".to_owned());
    }
    parts.join(", ")
}

fn origin(source: SourceKind) -> &'static str {
    match source {
        SourceKind::LegacyFile => "the legacy file",
        SourceKind::ZeroCheckpoint => "the zero checkpoint",
        SourceKind::Default => "the release's default",
        SourceKind::Configured => "the configuration",
        SourceKind::None => "nowhere",
    }
}

/// The same for the invariants, with what stands on the disk at that source.
pub(super) fn observed(
    activation: &Activation,
    machine: &Machine,
    end_offset: i64,
) -> invariants::ObservedActivation {
    let source = source(activation);
    let disk = machine.disk();
    let zero = checkpoint::snapshot_file_name(OffsetAndEpoch::new(0, 0));
    let formatted = match source {
        SourceKind::LegacyFile => {
            let file = disk.look(&path::join(machine.metadata_dir(), legacy::FILE_NAME));
            let read = file.and_then(|file| LegacyFile::parse(legacy::FILE_NAME, &file).ok());
            read.map(|read| read.records().cloned().collect())
        }
        SourceKind::ZeroCheckpoint => {
            let file = disk.look(&path::join(machine.partition_dir(), &zero));
            file.map(|file| data_records(&file))
        }
        SourceKind::Default | SourceKind::Configured | SourceKind::None => None,
    };
    invariants::ObservedActivation {
        epoch: activation.epoch,
        source,
        formatted: formatted.unwrap_or_default(),
        written: activation.records.clone(),
        end_offset,
    }
}

/// The metadata records of a checkpoint file, as far as it can be read.
pub(super) fn data_records(file: &Bytes) -> Vec<VersionedRecord> {
    let batches = read_batches("", file, 0).map_while(Result::ok);
    let data = batches.filter(|batch| !batch.is_control());
    data.flat_map(|batch| batch.records().map_while(Result::ok).collect::<Vec<_>>())
        .filter_map(|record| record.value)
        .filter_map(|value| VersionedRecord::decode(&value).ok())
        .collect()
}
