//! What a checkpoint must hold by the recorded log alone.

use image::{Delta, Dialect, MetadataImage};
use kraftsim::json::{self, Secrets};
use kraftsim::recorded::{filled_in, record};
use records::metadata::{MetadataRecord, VersionedRecord};
use releases::Release;
use serde_json::{Value, json};

use super::recording::Recording;
use crate::agree::list;

/// `metadata.log.max.record.bytes.between.snapshots` where nothing is configured.
const BYTES_BETWEEN_SNAPSHOTS: u64 = 20 * 1024 * 1024;

/// The recorded log up to an offset, ids as they were: as records of a checkpoint. `None` if it cannot be folded.
pub fn checkpoint_of(recording: &Recording, offset: i64) -> Option<Vec<Value>> {
    let release: Release = recording.version().parse().ok()?;
    let dialect = Dialect::of(&release.rules());
    let mut image = MetadataImage::empty();
    let mut control = vec![json!({"type": "SnapshotHeader"})];
    let mut quorum: [Option<Value>; 2] = [None, None];
    for (at, record) in recorded_records(recording) {
        if at >= offset {
            break;
        }
        match record["type"].as_str().unwrap_or_default() {
            "KRaftVersion" => quorum[0] = Some(record),
            "KRaftVoters" => quorum[1] = Some(record),
            "LeaderChange" => {}
            _ => fold(&mut image, &record, &dialect)?,
        }
    }
    control.extend(quorum.into_iter().flatten());
    control.push(json!({"type": "SnapshotFooter"}));
    let version = image.features().metadata_version();
    let version = version.unwrap_or(dialect.features.minimum_supported);
    let records = image.snapshot_records(version, &dialect).ok()?;
    let records = records.iter().map(|one| json::record(one, Secrets::Shown));
    control.extend(records);
    Some(control)
}

fn fold(image: &mut MetadataImage, record_json: &Value, dialect: &Dialect) -> Option<()> {
    let record = VersionedRecord::decode(&record(record_json).ok()?).ok()?;
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
fn recorded_records(recording: &Recording) -> impl Iterator<Item = (i64, Value)> + '_ {
    let volatile = &recording.result["volatile"];
    let actions = recording.actions().iter();
    let batches = actions.flat_map(|entry| list(&entry["records"]));
    batches.flat_map(move |batch| {
        let from = batch["offset"].as_i64().unwrap_or(0);
        let records = list(&batch["records"]).iter();
        (from..).zip(records.map(move |record| filled_in(record, volatile)))
    })
}

/// Whether so many bytes of the recorded log lie between two offsets that a checkpoint was due.
pub fn is_due(recording: &Recording, from: i64, to: i64) -> bool {
    let settings = [
        &recording.spec["config"],
        &recording.spec["controller_config"],
    ];
    let configured = settings
        .into_iter()
        .filter_map(|settings| settings["metadata.log.max.record.bytes.between.snapshots"].as_str())
        .find_map(|text| text.parse().ok());
    let actions = recording.actions().iter();
    let batches = actions.flat_map(|entry| list(&entry["records"]));
    let between = batches.filter(|batch| {
        let at = batch["offset"].as_i64().unwrap_or(-1);
        at >= from && at < to
    });
    let bytes: u64 = between.filter_map(|batch| batch["size"].as_u64()).sum();
    bytes >= configured.unwrap_or(BYTES_BETWEEN_SNAPSHOTS)
}
