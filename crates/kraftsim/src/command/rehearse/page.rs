//! A rehearsal as a page for people.

use std::io;

use raft_log::batch::Batch;
use simulator::describe;
use simulator::rehearse::{
    ActivationOutcome, BootstrapSource, NodeOutcome, PhaseEnd, PhaseOutcome, Verdict,
};

use super::Subject;
use super::standing::{StandingFile, files, log};
use crate::Console;
use crate::console::Tone;

/// Prints what was found, then phase by phase what came of it.
pub fn print(
    console: &mut Console,
    subjects: &[Subject],
    phases: &[PhaseOutcome],
) -> io::Result<()> {
    for subject in subjects {
        found(console, subject)?;
    }
    for (at, outcome) in phases.iter().enumerate() {
        writeln!(console.out)?;
        phase(console, subjects, at, outcome)?;
    }
    let Some(last) = phases.last() else {
        return Ok(());
    };
    for subject in subjects {
        if let Some(node) = last.nodes.get(&subject.node()) {
            left_behind(console, subject, node)?;
        }
    }
    Ok(())
}

fn found(console: &mut Console, subject: &Subject) -> io::Result<()> {
    let title = console.paint(Tone::Strong, &format!("node {}", subject.node()));
    writeln!(console.out, "{title}: {}", subject.config_path)?;
    if subject.found.is_empty() {
        writeln!(console.out, "  no file")?;
    }
    list(console, &subject.found.iter().collect::<Vec<_>>())?;
    for note in &subject.loaded.notes {
        let mark = console.paint(Tone::Warning, "note");
        writeln!(console.out, "  {mark}: {note}")?;
    }
    Ok(())
}

/// Files folder by folder, with what they hold.
fn list(console: &mut Console, files: &[&StandingFile]) -> io::Result<()> {
    let mut files = files.to_vec();
    files.sort_by_key(|file| (folder(&file.name), &file.name));
    for group in files.chunk_by(|a, b| folder(&a.name) == folder(&b.name)) {
        let place = folder(&group[0].name);
        let name = |file: &StandingFile| file.name[place.len()..].to_owned();
        let width = group.iter().map(|file| name(file).len()).max().unwrap_or(0);
        if !place.is_empty() {
            writeln!(console.out, "  {place}")?;
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
    at: usize,
    phase: &PhaseOutcome,
) -> io::Result<()> {
    let what = if at == 0 {
        "start"
    } else {
        "clean stop, then start"
    };
    let title = console.paint(Tone::Strong, &format!("{what} on {}", releases(phase)));
    let verdict = match (phase.verdict, phase.leader) {
        (Verdict::Active, Some(leader)) => console.paint(
            Tone::Good,
            &format!("node {leader} is the active controller"),
        ),
        (Verdict::Active, None) => console.paint(Tone::Good, "a node is active"),
        (Verdict::NoLeader, _) => console.paint(Tone::Warning, "no node is active"),
        (Verdict::Exited, _) => console.paint(Tone::Bad, "every process ended"),
    };
    writeln!(console.out, "{title}: {verdict}{}", patience(phase))?;
    for subject in subjects {
        if let Some(outcome) = phase.nodes.get(&subject.node()) {
            node(console, subject, phase, outcome)?;
        }
    }
    logs(console, subjects, phase)
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
        let text = console.paint(Tone::Faint, &activation.text);
        writeln!(console.out, "      \"{text}\"")?;
    }
    match &node.refusal {
        Some(refusal) => {
            let refusal = console.paint(Tone::Bad, refusal);
            writeln!(console.out, "  {name} ended: {refusal}")
        }
        None if node.activations.is_empty() => {
            let follows = phase.leader.is_some();
            let words = if follows {
                "runs, and follows"
            } else {
                "runs, and waits for a leader"
            };
            writeln!(console.out, "  {name} {words}")
        }
        None => Ok(()),
    }
}

fn source(activation: &ActivationOutcome) -> String {
    let count = match activation.records.len() {
        1 => "1 bootstrap record".to_owned(),
        count => format!("{count} bootstrap records"),
    };
    let place = match activation.source {
        None => return "no bootstrap records written".to_owned(),
        Some(BootstrapSource::LegacyFile) => "from the legacy file, bootstrap.checkpoint",
        Some(BootstrapSource::ZeroCheckpoint) => "from the zero checkpoint",
        Some(BootstrapSource::Default) => "from no file: the release's default",
        Some(BootstrapSource::Configured) => "from no file: what the configuration implies",
    };
    format!("{count} {place}")
}

/// One log in full, the others by how they differ from it.
fn logs(console: &mut Console, subjects: &[Subject], phase: &PhaseOutcome) -> io::Result<()> {
    let all: Vec<(&Subject, Vec<Batch>)> = subjects
        .iter()
        .filter_map(|subject| {
            let node = phase.nodes.get(&subject.node())?;
            Some((subject, log(&mut node.disk.clone(), subject.server())))
        })
        .collect();
    let is_leader = |subject: &Subject| phase.leader == Some(subject.node());
    let shown = all.iter().find(|(subject, _)| is_leader(subject));
    let Some((shown, batches)) = shown.or(all.iter().max_by_key(|(_, batches)| batches.len()))
    else {
        return Ok(());
    };
    log_of(console, shown, batches)?;
    for (subject, others) in all
        .iter()
        .filter(|(subject, _)| subject.node() != shown.node())
    {
        let same = others
            .iter()
            .zip(batches)
            .take_while(|(a, b)| a.bytes() == b.bytes())
            .count();
        if same == others.len() {
            let words = match others.last() {
                _ if same == batches.len() => "is the same".to_owned(),
                Some(last) => format!("is the same, up to offset {}", last.last_offset()),
                None => "is empty".to_owned(),
            };
            writeln!(console.out, "  log of node {} {words}", subject.node())?;
        } else {
            log_of(console, subject, others)?;
        }
    }
    Ok(())
}

fn log_of(console: &mut Console, subject: &Subject, batches: &[Batch]) -> io::Result<()> {
    if batches.is_empty() {
        return writeln!(console.out, "  log of node {} is empty", subject.node());
    }
    writeln!(console.out, "  log of node {}", subject.node())?;
    for batch in batches {
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
