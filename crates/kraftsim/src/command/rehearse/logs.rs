//! The logs of a phase: one in full, the others by how they differ from it.

use std::io;

use raft_log::batch::Batch;
use simulator::describe;
use simulator::rehearse::PhaseOutcome;

use super::standing::log;
use super::subject::Subject;
use crate::Console;

/// A node's log at the end of a phase, and what it was before.
struct Log<'a> {
    subject: &'a Subject,
    batches: Vec<Batch>,
    before: Vec<Batch>,
}

/// How many batches two logs have in common at their beginning.
fn common(a: &[Batch], b: &[Batch]) -> usize {
    a.iter()
        .zip(b)
        .take_while(|(a, b)| a.bytes() == b.bytes())
        .count()
}

fn logs<'a>(
    subjects: &'a [Subject],
    before: Option<&PhaseOutcome>,
    phase: &PhaseOutcome,
) -> Vec<Log<'a>> {
    let of = |subject: &'a Subject| {
        let id = subject.node();
        let earlier = before.and_then(|before| before.nodes.get(&id));
        Some(Log {
            subject,
            batches: log(&mut phase.nodes.get(&id)?.disk.clone(), subject.server()),
            before: match earlier {
                Some(earlier) => log(&mut earlier.disk.clone(), subject.server()),
                None => log(&mut subject.loaded.disk.clone(), subject.server()),
            },
        })
    };
    subjects.iter().filter_map(of).collect()
}

/// Prints the leader's log, or the longest, from where it is not as it was before the phase.
pub fn print(
    console: &mut Console,
    subjects: &[Subject],
    before: Option<&PhaseOutcome>,
    phase: &PhaseOutcome,
) -> io::Result<()> {
    let logs = logs(subjects, before, phase);
    let led = logs
        .iter()
        .find(|log| phase.leader == Some(log.subject.node()));
    let Some(shown) = led.or(logs.iter().max_by_key(|log| log.batches.len())) else {
        return Ok(());
    };
    print_one(console, shown)?;
    for other in logs
        .iter()
        .filter(|log| log.subject.node() != shown.subject.node())
    {
        let same = common(&other.batches, &shown.batches);
        if same < other.batches.len() {
            print_one(console, other)?;
            continue;
        }
        let words = match other.batches.last() {
            _ if same == shown.batches.len() => "the same".to_owned(),
            Some(last) => format!("the same, up to offset {}", last.last_offset()),
            None => "empty".to_owned(),
        };
        writeln!(
            console.out,
            "  log of node {}: {words}",
            other.subject.node()
        )?;
    }
    Ok(())
}

fn print_one(console: &mut Console, log: &Log) -> io::Result<()> {
    let Log {
        subject,
        batches,
        before,
    } = log;
    let same = common(batches, before);
    let node = subject.node();
    let old = same.checked_sub(1).map(|last| batches[last].last_offset());
    match old {
        None if batches.is_empty() => writeln!(console.out, "  log of node {node}: empty")?,
        None => writeln!(console.out, "  log of node {node}")?,
        Some(old) if same == batches.len() => {
            writeln!(
                console.out,
                "  log of node {node}: as before, up to offset {old}"
            )?;
        }
        Some(old) => writeln!(
            console.out,
            "  log of node {node}: as before up to offset {old}, then"
        )?,
    }
    if let (Some(lost), Some(last)) = (before.get(same), before.last()) {
        let (from, to) = (lost.base_offset(), last.last_offset());
        writeln!(
            console.out,
            "    offsets {from} to {to} of epoch {} are gone",
            last.leader_epoch()
        )?;
    }
    for batch in &batches[same..] {
        let mut epoch = format!("epoch {}", batch.leader_epoch());
        for line in describe::batch_lines(batch) {
            writeln!(
                console.out,
                "    {:>6}  {epoch:<9}  {}",
                line.offset, line.text
            )?;
            epoch.clear();
        }
    }
    Ok(())
}
