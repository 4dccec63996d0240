//! The table of verdicts, and what is behind those that are not good.

use std::collections::BTreeMap;

use determinism::Time;
use records::NodeId;
use simulator::describe::visible;
use simulator::observer::ActivationRow;
use simulator::scenario::Place;
use simulator::scenario::run::Mismatch;

use super::problems::rendered;
use super::report::RunReport;
use crate::console::Tone;
use crate::{CommandError, Console};

/// Prints the traces, the problems, and the table of verdicts.
pub(crate) fn print(
    console: &mut Console,
    reports: &[RunReport],
    unreadable: usize,
    trace: bool,
) -> Result<(), CommandError> {
    for report in reports {
        if trace {
            trace_of(console, report)?;
        }
        details(console, report)?;
    }
    if !reports.is_empty() {
        table(console, reports)?;
        summary(console, reports, unreadable)?;
    }
    Ok(())
}

fn table(console: &mut Console, reports: &[RunReport]) -> Result<(), CommandError> {
    let sources: Vec<String> = reports
        .iter()
        .map(|one| bootstrap(&one.outcome.activations))
        .collect();
    let width = |cells: &mut dyn Iterator<Item = usize>, heading: &str| {
        cells.max().unwrap_or(0).max(heading.chars().count())
    };
    let name_width = width(
        &mut reports
            .iter()
            .map(|one| visible(&one.source.name).chars().count()),
        "scenario",
    );
    let source_width = width(
        &mut sources.iter().map(|one| one.chars().count()),
        "bootstrap source",
    );
    let heading = format!(
        "{:<name_width$}  {:<7}  {:<source_width$}  {}",
        "scenario", "verdict", "bootstrap source", "what it shows"
    );
    writeln!(
        console.out,
        "{}",
        console.paint(Tone::Strong, heading.trim_end())
    )?;
    for (report, source) in reports.iter().zip(&sources) {
        let (tone, word) = if report.held() {
            (Tone::Good, "held")
        } else {
            (Tone::Bad, "FAILED")
        };
        let verdict = console.paint(tone, &format!("{word:<7}"));
        let title = visible(report.outcome.title.as_deref().unwrap_or(""));
        let name = visible(&report.source.name);
        let line = format!("{name:<name_width$}  {verdict}  {source:<source_width$}  {title}");
        writeln!(console.out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Per node the sources of its activations, each once, in order: `1: zero-checkpoint then none, 2: none`.
fn bootstrap(activations: &[ActivationRow]) -> String {
    let mut nodes: BTreeMap<NodeId, Vec<&'static str>> = BTreeMap::new();
    for activation in activations {
        let sources = nodes.entry(activation.node).or_default();
        if !sources.contains(&activation.source.name()) {
            sources.push(activation.source.name());
        }
    }
    if nodes.is_empty() {
        return "nobody is active".to_owned();
    }
    let each = nodes
        .iter()
        .map(|(node, sources)| format!("{node}: {}", sources.join(" then ")));
    each.collect::<Vec<_>>().join(", ")
}

fn summary(
    console: &mut Console,
    reports: &[RunReport],
    unreadable: usize,
) -> Result<(), CommandError> {
    let held = reports.iter().filter(|report| report.held()).count();
    let failed = reports.len() - held;
    let events: u64 = reports.iter().map(|report| report.outcome.events).sum();
    let unread = match unreadable {
        0 => String::new(),
        count => format!(", {count} cannot be read"),
    };
    let hash = super::report::hash(reports);
    let line = format!("{held} held, {failed} failed{unread}, {events} events, hash {hash:016x}");
    let good = failed == 0 && unreadable == 0;
    let tone = if good { Tone::Good } else { Tone::Bad };
    writeln!(console.out, "\n{}", console.paint(tone, &line))?;
    Ok(())
}

/// What did not hold, and what a command could not do.
fn details(console: &mut Console, report: &RunReport) -> Result<(), CommandError> {
    let (name, text) = (&*visible(&report.source.name), &report.source.text);
    for warning in &report.outcome.warnings {
        let Place { line, .. } = warning.place(text);
        let message = visible(&warning.message);
        writeln!(console.err, "{name}:{line}: warning: {message}")?;
    }
    for failure in &report.outcome.failures {
        write!(
            console.out,
            "{}",
            rendered(name, text, failure, console.style)
        )?;
    }
    for violation in report.outcome.unexpected_violations() {
        let line = format!("{name}: {violation} (after {})", violation.at);
        let line = visible(&line);
        writeln!(console.out, "{}", console.paint(Tone::Bad, &line))?;
        writeln!(console.out, "  {}: {}", violation.id, violation.sentence)?;
    }
    for mismatch in &report.outcome.mismatches {
        differences(console, name, text, mismatch)?;
    }
    Ok(())
}

/// The expected lines that were not printed with `-`, the printed ones that are not expected with `+`.
fn differences(
    console: &mut Console,
    name: &str,
    text: &str,
    mismatch: &Mismatch,
) -> Result<(), CommandError> {
    let Place { line, .. } = Place::of(text, mismatch.span.start);
    let command = visible(&text[mismatch.span.clone()]);
    writeln!(
        console.out,
        "{name}:{line}: `{command}` printed something else"
    )?;
    let shown = |lines: &[String]| -> Vec<String> {
        let lines = lines.iter();
        lines.map(|line| visible(line).into_owned()).collect()
    };
    let (expected, printed) = (&shown(&mismatch.expected), &shown(&mismatch.printed));
    let same = expected
        .iter()
        .zip(printed)
        .take_while(|(one, other)| one == other)
        .count();
    let rest = (expected.len() - same).min(printed.len() - same);
    let tail = expected.iter().rev().zip(printed.iter().rev()).take(rest);
    let tail = tail.take_while(|(one, other)| one == other).count();
    for line in &expected[..same] {
        writeln!(console.out, "    {line}")?;
    }
    for line in &expected[same..expected.len() - tail] {
        writeln!(
            console.out,
            "{}",
            console.paint(Tone::Bad, &format!("  - {line}"))
        )?;
    }
    for line in &printed[same..printed.len() - tail] {
        writeln!(
            console.out,
            "{}",
            console.paint(Tone::Good, &format!("  + {line}"))
        )?;
    }
    for line in &expected[expected.len() - tail..] {
        writeln!(console.out, "    {line}")?;
    }
    Ok(())
}

pub(crate) fn trace_of(console: &mut Console, report: &RunReport) -> Result<(), CommandError> {
    writeln!(
        console.out,
        "{}",
        console.paint(Tone::Strong, &visible(&report.source.name))
    )?;
    for entry in &report.outcome.journal {
        let what = entry.to_string();
        writeln!(console.out, "{:>12}  {}", seconds(entry.at), visible(&what))?;
    }
    writeln!(console.out)?;
    Ok(())
}

fn seconds(at: Time) -> String {
    at.to_string()
}
