//! The matrix as a JSON document.

use releases::Release;
use serde_json::{Value, json};
use simulator::run::action::QuorumKind;

use super::cell::{CellOutcome, Write};
use super::cells::Matrix;

/// One object a cell.
pub(super) fn document(matrix: &Matrix) -> Value {
    json!({
        "formatters": matrix.formatters.iter().map(|cell| {
            with_outcome(json!({ "formatter": cell.row.name() }), cell.quorum, cell.server, &cell.outcome)
        }).collect::<Vec<_>>(),
        "states": matrix.states.iter().map(|cell| {
            let row = json!({ "state": cell.row.number(), "files": cell.row.files() });
            with_outcome(row, cell.quorum, cell.server, &cell.outcome)
        }).collect::<Vec<_>>(),
    })
}

fn with_outcome(
    mut row: Value,
    quorum: QuorumKind,
    server: Release,
    outcome: &CellOutcome,
) -> Value {
    row["quorum"] = quorum.name().into();
    row["server"] = server.name().into();
    row["outcome"] = outcome.verdict.name().into();
    row["bootstrap_source"] = outcome.source_name().into();
    row["bootstrap_records"] = outcome.records.into();
    row["write"] = outcome.write.map(Write::name).into();
    row["metadata_version"] = outcome.metadata_version.into();
    row["refusal"] = outcome.refusal.clone().into();
    row
}
