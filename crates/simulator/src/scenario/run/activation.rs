//! One activation, as the controller tells of it: for the journal, for tables, for the invariants.

use bytes::Bytes;
use quorum_controller::{Activation, BootstrapSource, LogContent, Shape};
use raft_log::batch::read_batches;
use raft_log::{checkpoint, legacy};
use records::OffsetAndEpoch;
use records::metadata::VersionedRecord;

use super::setting::{DIRECTORY, PARTITION};
use crate::SimDisk;
use crate::invariants;
use crate::scenario::condition::Source;

/// Where the bootstrap records came from.
pub(super) fn source(activation: &Activation) -> Source {
    match &activation.source {
        None => Source::None,
        Some(BootstrapSource::LegacyFile(_)) => Source::LegacyFile,
        Some(BootstrapSource::ZeroCheckpoint) => Source::ZeroCheckpoint,
        Some(BootstrapSource::Default) => Source::Default,
        Some(BootstrapSource::Configured(_) | BootstrapSource::Minimum(_)) => Source::Configured,
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
    if source(activation) != Source::None {
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

fn origin(source: Source) -> &'static str {
    match source {
        Source::LegacyFile => "the legacy file",
        Source::ZeroCheckpoint => "the zero checkpoint",
        Source::Default => "the release's default",
        Source::Configured => "the configuration",
        Source::None => "nowhere",
    }
}

/// The same for the invariants, with what stands on the disk at that source.
pub(super) fn observed(
    activation: &Activation,
    disk: &SimDisk,
    end_offset: i64,
) -> invariants::Activation {
    let source = source(activation);
    let zero = checkpoint::snapshot_file_name(OffsetAndEpoch::new(0, 0));
    let formatted = match source {
        Source::LegacyFile => disk.look(&format!("{DIRECTORY}/{}", legacy::FILE_NAME)),
        Source::ZeroCheckpoint => disk.look(&format!("{DIRECTORY}/{PARTITION}/{zero}")),
        Source::Default | Source::Configured | Source::None => None,
    };
    invariants::Activation {
        epoch: activation.epoch,
        source,
        formatted: formatted
            .map(|bytes| data_records(&bytes))
            .unwrap_or_default(),
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
