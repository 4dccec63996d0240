use raft_log::batch::Batch;

use crate::describe;
use crate::observer::log_reader::{batches, is_no_op};
use crate::scenario::run::table::Table;
use crate::world::Machine;

/// The batches of a metadata log from an offset on, record by record, and how far they are committed.
///
/// Batches of no-op records in a row are one line without a count: how many there are depends on how long the world
/// ran.
pub fn log(machine: &Machine, from: i64) -> Vec<String> {
    let all = batches(machine);
    let batches: Vec<&Batch> = all
        .iter()
        .filter(|batch| batch.last_offset() >= from)
        .collect();
    let mut table = Table::new(&["offset>", "epoch>", "batch", "record"]);
    let mut in_no_ops = false;
    for batch in &batches {
        let no_ops = is_no_op(batch);
        if no_ops && in_no_ops {
            continue;
        }
        in_no_ops = no_ops;
        if no_ops {
            table.row(["…", "", "", "no-op records"]);
            continue;
        }
        let kind = if batch.is_control() {
            "control"
        } else {
            "data"
        };
        for (i, line) in describe::batch_lines(batch).into_iter().enumerate() {
            let (epoch, kind) = match i {
                0 => (batch.leader_epoch().to_string(), kind),
                _ => (String::new(), ""),
            };
            table.row([line.offset.to_string(), epoch, kind.to_owned(), line.text]);
        }
    }
    let mut lines = if batches.is_empty() {
        vec!["empty".to_owned()]
    } else {
        table.lines()
    };
    lines.extend(committed(machine, &all));
    lines
}

/// How far a live node knows its log to be committed.
fn committed(machine: &Machine, batches: &[Batch]) -> Option<String> {
    let high_watermark = machine.node()?.replica().high_watermark();
    let Some(committed) = high_watermark else {
        return Some("high watermark unknown".to_owned());
    };
    let mut behind = batches
        .iter()
        .filter(|batch| batch.last_offset() >= committed)
        .peekable();
    Some(if behind.peek().is_none() {
        "all committed".to_owned()
    } else if behind.all(is_no_op) {
        "all but no-op records committed".to_owned()
    } else if committed == 0 {
        "nothing committed".to_owned()
    } else {
        format!("committed up to offset {}", committed - 1)
    })
}
