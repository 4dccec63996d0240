//! What passed between a replica and its listener.

use listener::UpgradeMode;
use raft_log::batch::Batch;
use records::OffsetAndEpoch;
use records::control::ControlRecord;
use serde_json::{Value, json};
use simulator::drive::{Call, ReadBatch};

use crate::json::{self, Secrets};

/// A call that Kafka makes of a listener, as JSON.
pub(super) fn call(call: &Call) -> Value {
    match call {
        Call::LoadSnapshot { id, batches } => {
            json!({ "call": "handleLoadSnapshot", "snapshot": snapshot_id(*id), "batches": read(batches) })
        }
        Call::LoadBootstrap { id, batches } => {
            json!({ "call": "handleLoadBootstrap", "snapshot": snapshot_id(*id), "batches": read(batches) })
        }
        Call::Commit {
            base,
            last,
            batches,
        } => json!({
            "call": "handleCommit",
            "base": base,
            "last": last.unwrap_or(-1),
            "batches": read(batches),
        }),
        Call::LeaderChange(leader) => json!({
            "call": "handleLeaderChange",
            "leader": leader.leader.map_or(-1, |id| id.0),
            "epoch": leader.epoch,
        }),
        Call::BeginShutdown => json!({ "call": "beginShutdown" }),
        Call::PrepareAppend {
            epoch,
            records,
            outcome,
        } => {
            let records: Vec<Value> = records
                .iter()
                .map(|record| json::record(record, Secrets::Shown))
                .collect();
            let mut told = json!({ "call": "prepareAppend", "epoch": epoch, "records": records });
            match outcome {
                Ok(last_offset) => told["last_offset"] = (*last_offset).into(),
                Err(error) => told["error"] = error.as_str().into(),
            }
            told
        }
        Call::SchedulePreparedAppend => json!({ "call": "schedulePreparedAppend" }),
        Call::Resign { epoch } => json!({ "call": "resign", "args": epoch.to_string() }),
        Call::UpgradeKRaftVersion {
            epoch,
            version,
            mode,
        } => {
            let only_checks = *mode == UpgradeMode::ValidateOnly;
            let args = format!("{epoch} KRAFT_VERSION_{version} {only_checks}");
            json!({ "call": "upgradeKRaftVersion", "args": args })
        }
        Call::Fault {
            fatal,
            message,
            cause,
        } => json!({ "call": "fault", "fatal": fatal, "message": message, "cause": cause }),
    }
}

/// A checkpoint as the driver names it.
pub(super) fn snapshot_id(id: OffsetAndEpoch) -> String {
    format!("{}-{}", id.offset, id.epoch)
}

fn read(batches: &[ReadBatch]) -> Vec<Value> {
    let told = |batch: &ReadBatch| json!({ "base": batch.base, "last": batch.last, "epoch": batch.epoch, "types": batch.types });
    batches.iter().map(told).collect()
}

/// The records of a batch of a log.
pub(super) fn records_of(batch: &Batch) -> Vec<Value> {
    if batch.is_control() {
        let records = batch.control_records().unwrap_or_default();
        return records.iter().map(control).collect();
    }
    let records = batch.data_records().unwrap_or_default();
    records
        .iter()
        .map(|record| json::record(record, Secrets::Shown))
        .collect()
}

fn control(record: &ControlRecord) -> Value {
    let name = match record {
        ControlRecord::LeaderChange(_) => "LEADER_CHANGE",
        ControlRecord::KRaftVersion(_) => "KRAFT_VERSION",
        ControlRecord::KRaftVoters(_) => "KRAFT_VOTERS",
        ControlRecord::SnapshotHeader(_) => return json!({ "type": "SNAPSHOT_HEADER" }),
        ControlRecord::SnapshotFooter(_) => return json!({ "type": "SNAPSHOT_FOOTER" }),
        ControlRecord::Unknown { .. } => return json!({ "type": "UNKNOWN" }),
    };
    let mut told = json::control_record(record, Secrets::Shown);
    told["type"] = name.into();
    told["data"]["version"] = told["version"].clone();
    told
}
