use std::collections::BTreeSet;

use disk::path;
use raft_log::batch::Batch;

use crate::describe;
use crate::observer::log_reader::batches;
use crate::world::Machine;

/// Ends of the names of files that every node has its own of, or that the log decides.
const OWN: [&str; 7] = [
    "meta.properties",
    "quorum-state",
    "leader-epoch-checkpoint",
    ".log",
    ".index",
    ".timeindex",
    ".txnindex",
];

/// Where the logs and the files of two nodes differ.
pub fn diff(a: &Machine, b: &Machine) -> Vec<String> {
    let (one, other) = (batches(a), batches(b));
    let same = one
        .iter()
        .zip(&other)
        .take_while(|(one, other)| one.bytes() == other.bytes());
    let same = same.count();
    let mut lines = vec![match same {
        _ if same == one.len() && same == other.len() => "the same log".to_owned(),
        0 => "nothing of the logs is the same".to_owned(),
        _ => format!("the same log up to offset {}", one[same - 1].last_offset()),
    }];
    lines.extend(only(a, &one[same..]));
    lines.extend(only(b, &other[same..]));
    lines.extend(files(a, b));
    lines
}

fn only(machine: &Machine, batches: &[Batch]) -> Vec<String> {
    let id = machine.id();
    let of_batch = |batch: &Batch| {
        let epoch = batch.leader_epoch();
        let lines = describe::batch_lines(batch);
        let words = move |line: describe::RecordLine| {
            format!(
                "only node {id}: offset {}, epoch {epoch}: {}",
                line.offset, line.text
            )
        };
        lines.into_iter().map(words).collect::<Vec<_>>()
    };
    batches.iter().flat_map(of_batch).collect()
}

fn files(a: &Machine, b: &Machine) -> Vec<String> {
    let names = |machine: &Machine| -> BTreeSet<String> {
        let files = machine
            .disk()
            .files_in(machine.metadata_dir())
            .into_iter()
            .map(|(name, _)| name);
        files
            .filter(|name| !OWN.iter().any(|own| name.ends_with(own)))
            .collect()
    };
    let mut lines = Vec::new();
    for name in names(a).union(&names(b)) {
        let words = |machine: &Machine| {
            let content = machine
                .disk()
                .look(&path::join(machine.metadata_dir(), name))?;
            Some(describe::file(name, &content))
        };
        let (id_a, id_b) = (a.id(), b.id());
        match (words(a), words(b)) {
            (Some(_), None) => lines.push(format!("{name}: only node {id_a} has it")),
            (None, Some(_)) => lines.push(format!("{name}: only node {id_b} has it")),
            (Some(one), Some(other)) if one != other => {
                lines.push(format!("{name} of node {id_a}: {one}"));
                lines.push(format!("{name} of node {id_b}: {other}"));
            }
            _ => {}
        }
    }
    lines
}
