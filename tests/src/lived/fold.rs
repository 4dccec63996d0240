//! What a checkpoint must hold by the recorded log alone.

use image::{Delta, Dialect, MetadataImage};
use kraftsim::json::{self, Secrets};
use kraftsim::recorded::record;
use records::metadata::{MetadataRecord, VersionedRecord};
use releases::Release;
use serde_json::json;

use super::recording::Recording;
use crate::recorded::Record;

/// `metadata.log.max.record.bytes.between.snapshots` where nothing is configured.
const BYTES_BETWEEN_SNAPSHOTS: u64 = 20 * 1024 * 1024;

/// The recorded log up to an offset, ids as they were: as records of a checkpoint. `None` if it cannot be folded.
pub fn checkpoint_of(recording: &Recording, offset: i64) -> Option<Vec<Record>> {
    let release: Release = recording.version().parse().ok()?;
    let dialect = Dialect::of(&release.rules());
    let mut image = MetadataImage::empty();
    let mut control = vec![marker("SnapshotHeader")];
    let mut quorum: [Option<Record>; 2] = [None, None];
    for (at, record) in recorded_records(recording) {
        if at >= offset {
            break;
        }
        match record.kind.as_str() {
            "KRaftVersion" => quorum[0] = Some(record),
            "KRaftVoters" => quorum[1] = Some(record),
            "LeaderChange" => {}
            _ => fold(&mut image, &record, &dialect)?,
        }
    }
    control.extend(quorum.into_iter().flatten());
    control.push(marker("SnapshotFooter"));
    let version = image.features().metadata_version();
    let version = version.unwrap_or(dialect.features.minimum_supported);
    let records = image.snapshot_records(version, &dialect).ok()?;
    for one in &records {
        let told = json::record(one, Secrets::Shown);
        control.push(serde_json::from_value(told).ok()?);
    }
    Some(control)
}

fn marker(kind: &str) -> Record {
    Record {
        kind: kind.to_owned(),
        version: 0,
        data: serde_json::Map::new(),
    }
}

fn fold(image: &mut MetadataImage, recorded: &Record, dialect: &Dialect) -> Option<()> {
    let record = VersionedRecord::decode(&record(&json!(recorded)).ok()?).ok()?;
    let marker = matches!(
        record.record,
        MetadataRecord::BeginTransaction(_)
            | MetadataRecord::EndTransaction(_)
            | MetadataRecord::AbortTransaction(_)
    );
    if marker {
        return Some(());
    }
    image.apply(&record, dialect, &mut Delta::default()).ok()
}

/// Every committed record of the recording with its offset, ids and ports as they were.
fn recorded_records(recording: &Recording) -> impl Iterator<Item = (i64, Record)> + '_ {
    let batches = recording.actions().iter().flat_map(|done| &done.records);
    batches.flat_map(move |batch| {
        let filled = recording.outcome.volatile.batch(batch);
        (batch.offset..).zip(filled.records)
    })
}

/// Whether so many bytes of the recorded log lie between two offsets that a checkpoint was due.
pub fn is_due(recording: &Recording, from: i64, to: i64) -> bool {
    let key = "metadata.log.max.record.bytes.between.snapshots";
    let configured = [&recording.spec.config, &recording.spec.controller_config]
        .into_iter()
        .filter_map(|settings| settings.get(key)?.as_str())
        .find_map(|text| text.parse().ok());
    let batches = recording.actions().iter().flat_map(|done| &done.records);
    let between = batches.filter(|batch| (from..to).contains(&batch.offset));
    let bytes: u64 = between.map(|batch| batch.size).sum();
    bytes >= configured.unwrap_or(BYTES_BETWEEN_SNAPSHOTS)
}
