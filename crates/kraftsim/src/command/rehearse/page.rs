//! A rehearsal as a page for people.

use std::io;

use simulator::describe::{self, visible};
use simulator::invariants::{SourceKind, Violation};
use simulator::rehearse::{
    ActivationOutcome, NodeOutcome, PhaseEnd, PhaseOutcome, PhaseVerdict, Rehearsal,
};

use super::logs;
use super::standing::{StandingFile, files};
use super::subject::Subject;
use crate::Console;
use crate::console::Tone;

/// Prints what was found, then phase by phase what came of it.
pub fn print(console: &mut Console, subjects: &[Subject], rehearsal: &Rehearsal) -> io::Result<()> {
    let phases = &rehearsal.phases;
    for violation in &rehearsal.violations {
        violated(console, violation)?;
    }
    for subject in subjects {
        found(console, subject)?;
    }
    for (at, outcome) in phases.iter().enumerate() {
        writeln!(console.out)?;
        let before = at.checked_sub(1).map(|before| &phases[before]);
        phase(console, subjects, before, outcome)?;
    }
    for subject in subjects {
        let last = phases.last();
        if let Some(node) = last.and_then(|last| last.nodes.get(&subject.node())) {
            left_behind(console, subject, node)?;
        }
    }
    let hash = format!("hash {:016x}", rehearsal.hash);
    writeln!(console.out, "\n{}", console.paint(Tone::Faint, &hash))
}

/// An invariant that did not hold: more than what the rehearsal was made for, so it comes first.
fn violated(console: &mut Console, violation: &Violation) -> io::Result<()> {
    let line = visible(&violation.to_string()).into_owned();
    let line = console.paint(Tone::Bad, &line);
    writeln!(console.out, "{line} (after {})", violation.at)?;
    writeln!(console.out, "  {}: {}\n", violation.id, violation.sentence)
}

fn found(console: &mut Console, subject: &Subject) -> io::Result<()> {
    let title = console.paint(Tone::Strong, &format!("node {}", subject.node()));
    writeln!(console.out, "{title}: {}", visible(&subject.config_path))?;
    if subject.found.is_empty() {
        writeln!(console.out, "  no file")?;
    }
    list(console, &subject.found.iter().collect::<Vec<_>>())?;
    for note in &subject.loaded.notes {
        let mark = console.paint(Tone::Warning, "note");
        writeln!(console.out, "  {mark}: {}", visible(note))?;
    }
    Ok(())
}

/// Files folder by folder, with what they hold.
fn list(console: &mut Console, files: &[&StandingFile]) -> io::Result<()> {
    let mut files = files.to_vec();
    files.sort_by_key(|file| (folder(&file.name), &file.name));
    for group in files.chunk_by(|a, b| folder(&a.name) == folder(&b.name)) {
        let place = folder(&group[0].name);
        let name = |file: &StandingFile| visible(&file.name[place.len()..]).into_owned();
        let widths = group.iter().map(|file| name(file).chars().count());
        let width = widths.max().unwrap_or(0);
        if !place.is_empty() {
            writeln!(console.out, "  {}", visible(place))?;
        }
        for file in group {
            let words = describe::file(&file.name, &file.content);
            writeln!(console.out, "    {:width$}  {words}", name(file))?;
        }
    }
    Ok(())
}

/// Everything up to the last slash.
fn folder(name: &str) -> &str {
    name.rfind('/').map_or("", |at| &name[..=at])
}

fn phase(
    console: &mut Console,
    subjects: &[Subject],
    before: Option<&PhaseOutcome>,
    phase: &PhaseOutcome,
) -> io::Result<()> {
    let what = if before.is_none() {
        "start"
    } else {
        "clean stop, then start"
    };
    let title = console.paint(Tone::Strong, &format!("{what} on {}", releases(phase)));
    let verdict = match (phase.verdict, phase.leader) {
        (PhaseVerdict::Active, Some(leader)) => console.paint(
            Tone::Good,
            &format!("node {leader} is the active controller"),
        ),
        (PhaseVerdict::Active, None) => console.paint(Tone::Good, "a node is active"),
        (PhaseVerdict::NoLeader, _) => console.paint(Tone::Warning, "no node is active"),
        (PhaseVerdict::Exited, _) => console.paint(Tone::Bad, "every process ended"),
    };
    writeln!(console.out, "{title}: {verdict}{}", patience(phase))?;
    for subject in subjects {
        if let Some(outcome) = phase.nodes.get(&subject.node()) {
            node(console, subject, phase, outcome)?;
        }
    }
    for reason in &phase.reasons {
        writeln!(console.out, "  why: {reason}")?;
    }
    logs::print(console, subjects, before, phase)
}

fn releases(phase: &PhaseOutcome) -> String {
    let mut names: Vec<&str> = phase
        .nodes
        .values()
        .map(|node| node.release.name())
        .collect();
    names.dedup();
    if let [one] = names.as_slice() {
        return (*one).to_owned();
    }
    let each = phase.nodes.iter();
    let each = each.map(|(id, node)| format!("{} (node {id})", node.release));
    each.collect::<Vec<_>>().join(", ")
}

fn patience(phase: &PhaseOutcome) -> String {
    match phase.end {
        PhaseEnd::Quiet => String::new(),
        PhaseEnd::TimeLimit => format!(
            " (after {} s of simulated time)",
            phase.took.as_micros() / 1_000_000
        ),
    }
}

fn node(
    console: &mut Console,
    subject: &Subject,
    phase: &PhaseOutcome,
    node: &NodeOutcome,
) -> io::Result<()> {
    let name = console.paint(Tone::Strong, &format!("node {}", subject.node()));
    for activation in &node.activations {
        writeln!(
            console.out,
            "  {name} became active in epoch {}: {}",
            activation.epoch,
            source(activation)
        )?;
        for record in &activation.records {
            writeln!(console.out, "      {}", describe::record(record))?;
        }
        let text = console.paint(Tone::Faint, &visible(&activation.text));
        writeln!(console.out, "      {text}")?;
    }
    for warning in &node.warnings {
        let mark = console.paint(Tone::Warning, "warns");
        writeln!(console.out, "  {name} {mark}: {}", visible(warning))?;
    }
    if let Some(loop_met) = &node.hangs {
        let words = console.paint(Tone::Bad, loop_met);
        return writeln!(console.out, "  {name} hangs: {words}");
    }
    match &node.refusal {
        Some(refusal) => {
            let refusal = console.paint(Tone::Bad, &visible(refusal));
            writeln!(console.out, "  {name} ended: {refusal}")
        }
        None if node.activations.is_empty() => {
            writeln!(console.out, "  {name} {}", standing(phase, node))
        }
        None => Ok(()),
    }
}

/// How a process that lives and was never active stands to the leader.
fn standing(phase: &PhaseOutcome, node: &NodeOutcome) -> String {
    match node.leader {
        None => "runs, and has no leader".to_owned(),
        some if some == phase.leader => "runs, and follows".to_owned(),
        Some(leader) => {
            format!("runs; the leader that it knows is node {leader}, which is not active")
        }
    }
}

fn source(activation: &ActivationOutcome) -> String {
    let count = match activation.records.len() {
        1 => "1 bootstrap record".to_owned(),
        count => format!("{count} bootstrap records"),
    };
    let place = match activation.source {
        SourceKind::None => return "no bootstrap records written".to_owned(),
        SourceKind::LegacyFile => "from the legacy file, bootstrap.checkpoint",
        SourceKind::ZeroCheckpoint => "from the zero checkpoint",
        SourceKind::Default => "from no file: the release's default",
        SourceKind::Configured => "from no file: what the configuration implies",
    };
    format!("{count} {place}")
}

/// The files that are not as they were found.
fn left_behind(console: &mut Console, subject: &Subject, node: &NodeOutcome) -> io::Result<()> {
    let now = files(
        &mut node.disk.clone(),
        subject.server(),
        &subject.config_path,
    );
    let changed: Vec<&StandingFile> = now
        .iter()
        .filter(|file| !subject.found.contains(file))
        .collect();
    let name = console.paint(Tone::Strong, &format!("node {}", subject.node()));
    if changed.is_empty() {
        return writeln!(console.out, "\n{name}: no file would have changed");
    }
    writeln!(
        console.out,
        "\n{name}: files that a real start would have changed or made"
    )?;
    list(console, &changed)
}
