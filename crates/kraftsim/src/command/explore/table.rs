use std::io;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use simulator::explore::{Exploration, QuorumKind, Selection, Situation};

use super::arguments::ExploreArgs;
use super::releases_of::ReleaseSet;
use super::runner::Runner;
use super::summary::Summary;
use crate::console::Tone;
use crate::output_args::OutputForm;
use crate::{CommandError, Console, Exit, json};

/// How many voters are tried, unless a number is given.
const VOTERS: [u64; 2] = [3, 5];
/// How many failing seeds of a cell are told.
const TOLD: usize = 3;

/// One situation of one kind of cluster.
struct Cell {
    releases: ReleaseSet,
    selection: Selection,
    exploration: Exploration,
}

/// A cell, run.
struct Row {
    cell: Cell,
    summary: Summary,
    took: Duration,
}

/// Runs every cell, and prints each when it is done.
pub(super) fn run(
    args: &ExploreArgs,
    runner: &Runner,
    console: &mut Console,
) -> Result<Exit, CommandError> {
    let cells = cells(args)?;
    let progress = runner.progress(args.seeds.count() * cells.len() as u64);
    let began = Instant::now();
    let mut lines: Vec<Row> = Vec::new();
    let mut cut_short = false;
    if args.output.form() == OutputForm::Text {
        heading(console)?;
    }
    for cell in cells {
        let began = Instant::now();
        let summary = runner.run(&cell.exploration, args.seeds, &progress);
        let line = Row {
            cell,
            summary,
            took: began.elapsed(),
        };
        if args.output.form() == OutputForm::Text && line.summary.ran > 0 {
            progress.suspend(|| tell(console, args, &line))?;
        }
        cut_short = line.summary.interrupted || console.reader_gone.get();
        lines.push(line);
        if cut_short {
            break;
        }
    }
    progress.finish_and_clear();
    let total = Total::of(&lines, began.elapsed());
    match args.output.form() {
        OutputForm::Json => json::print(console, &document(args, &lines, &total))?,
        OutputForm::Text => total.tell(console)?,
    }
    Ok(Exit::failed_if(total.failed).max(Exit::interrupted_if(cut_short)))
}

/// Release sets × voters × kinds of quorum × situations.
fn cells(args: &ExploreArgs) -> Result<Vec<Cell>, CommandError> {
    let sets = match args.kafka.as_slice() {
        [] => ReleaseSet::usual(),
        given => given.to_vec(),
    };
    let voters = args.voters.map_or(VOTERS.to_vec(), |one| vec![one]);
    let quorums = args
        .quorum
        .map_or(QuorumKind::ALL.to_vec(), |one| vec![one]);
    let situations = match args.situations.as_slice() {
        [] => Situation::ALL.to_vec(),
        given => given.to_vec(),
    };
    let mut cells = Vec::new();
    for releases in sets {
        for (voters, quorum) in pairs(&voters, &quorums) {
            for situation in &situations {
                let selection = Selection {
                    situations: vec![*situation],
                    voters: Some(voters),
                    quorum: Some(quorum),
                };
                cells.push(Cell {
                    releases: releases.clone(),
                    exploration: args.exploration(&releases.0, selection.clone())?,
                    selection,
                });
            }
        }
    }
    Ok(cells)
}

fn pairs(voters: &[u64], quorums: &[QuorumKind]) -> Vec<(u64, QuorumKind)> {
    let pairs = voters
        .iter()
        .flat_map(|voters| quorums.iter().map(|quorum| (*voters, *quorum)));
    pairs.collect()
}

impl Cell {
    fn situation(&self) -> &'static str {
        self.selection
            .situations
            .first()
            .map_or("", |one| one.name())
    }

    fn voters(&self) -> u64 {
        self.selection.voters.unwrap_or_default()
    }

    fn quorum(&self) -> &'static str {
        self.selection.quorum.map_or("", QuorumKind::name)
    }
}

/// The sum of all lines.
struct Total {
    cells: usize,
    ran: u64,
    failed: u64,
    events: u64,
    simulated_us: u64,
    took: Duration,
    interrupted: bool,
}

impl Total {
    fn of(lines: &[Row], took: Duration) -> Self {
        let sum = |of: fn(&Summary) -> u64| lines.iter().map(|line| of(&line.summary)).sum();
        Total {
            cells: lines.len(),
            ran: sum(|one| one.ran),
            failed: sum(|one| one.failed),
            events: sum(|one| one.events),
            simulated_us: sum(|one| one.simulated_us),
            took,
            interrupted: lines.iter().any(|line| line.summary.interrupted),
        }
    }

    fn tell(&self, console: &mut Console) -> io::Result<()> {
        let verdict = match (self.failed, self.interrupted) {
            (0, false) => console.paint(Tone::Good, "all held"),
            (0, true) => console.paint(Tone::Warning, "interrupted; what ran held"),
            (failed, _) => console.paint(Tone::Bad, &format!("{failed} failed")),
        };
        writeln!(
            console.out,
            "\n{} cells, {} seeds: {verdict}; {} events, {} simulated hours, {}",
            self.cells,
            self.ran,
            self.events,
            self.simulated_us / 3_600_000_000,
            seconds(self.took)
        )
    }
}

fn heading(console: &mut Console) -> io::Result<()> {
    let heading = format!(
        "{:<12} {:>6} {:<8} {:<21} {:>7} {:>7} {:>12} {:>9}",
        "kafka", "voters", "quorum", "situation", "seeds", "failed", "events", "time"
    );
    writeln!(console.out, "{}", console.paint(Tone::Strong, &heading))
}

fn tell(console: &mut Console, args: &ExploreArgs, line: &Row) -> io::Result<()> {
    let Row {
        cell,
        summary,
        took,
    } = line;
    let failed = format!("{:>7}", summary.failed);
    let failed = if summary.failed == 0 {
        failed
    } else {
        console.paint(Tone::Bad, &failed)
    };
    writeln!(
        console.out,
        "{:<12} {:>6} {:<8} {:<21} {:>7} {failed} {:>12} {:>9}",
        cell.releases.to_string(),
        cell.voters(),
        cell.quorum(),
        cell.situation(),
        summary.ran,
        summary.events,
        seconds(*took)
    )?;
    for outcome in summary.failures.iter().take(TOLD) {
        let ids: Vec<&str> = outcome.violations.iter().map(|one| one.id).collect();
        writeln!(
            console.out,
            "    {}: {}",
            ids.join(", "),
            args.again(&cell.releases.to_string(), &cell.selection, outcome.seed)
        )?;
    }
    if summary.failed > TOLD as u64 {
        writeln!(console.out, "    and {} more", summary.failed - TOLD as u64)?;
    }
    console.out.flush()
}

fn seconds(took: Duration) -> String {
    format!("{}.{} s", took.as_secs(), took.subsec_millis() / 100)
}

fn document(args: &ExploreArgs, lines: &[Row], total: &Total) -> Value {
    let cells = lines.iter().map(|line| {
        let Row {
            cell,
            summary,
            took,
        } = line;
        let failing = summary.failures.iter().map(|outcome| {
            let ids: Vec<&str> = outcome.violations.iter().map(|one| one.id).collect();
            let command = args.again(&cell.releases.to_string(), &cell.selection, outcome.seed);
            json!({ "seed": outcome.seed, "violations": ids, "command": command })
        });
        json!({
            "kafka": cell.releases.0.iter().map(|one| one.name()).collect::<Vec<_>>(),
            "voters": cell.voters(),
            "quorum": cell.quorum(),
            "situation": cell.situation(),
            "ran": summary.ran,
            "failed": summary.failed,
            "violations": summary.by_invariant,
            "events": summary.events,
            "simulated_us": summary.simulated_us,
            "hash": format!("{:016x}", summary.hash()),
            "took_ms": took.as_millis() as u64,
            "failures": failing.collect::<Vec<Value>>(),
        })
    });
    json!({
        "profile": args.profile.name(),
        "seeds": { "from": args.seeds.from, "to": args.seeds.to },
        "cells": cells.collect::<Vec<Value>>(),
        "ran": total.ran,
        "failed": total.failed,
        "events": total.events,
        "simulated_us": total.simulated_us,
        "took_ms": total.took.as_millis() as u64,
        "interrupted": total.interrupted,
    })
}
