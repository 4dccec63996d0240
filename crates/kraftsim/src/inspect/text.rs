//! A report for people.

use config::java_date;
use serde_json::Value;
use simulator::describe::{batch_lines, visible};

use super::InspectReport;
use super::document::content;
use super::file_report::{BatchAt, Content, FileReport};
use crate::console::Tone;
use crate::diagnosis::listed;
use crate::json::{Secrets, batch as batch_json};
use crate::{CommandError, Console};

/// How much is said of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A line, and its damage.
    Brief,
    Full,
}

/// Prints the report.
pub fn print(
    report: &InspectReport,
    depth: Depth,
    secrets: Secrets,
    console: &mut Console,
) -> Result<(), CommandError> {
    if !report.is_whole() {
        let head = "NOT READ WHOLE: nothing follows from what is not shown below";
        writeln!(console.out, "{}", console.paint(Tone::Bad, head))?;
        for line in listed(&report.source.not_read) {
            writeln!(
                console.out,
                "  {}",
                console.paint(Tone::Bad, &visible(&line))
            )?;
        }
    }
    for line in &report.source.in_use {
        let line = console.paint(Tone::Warning, &visible(line));
        writeln!(console.out, "{line}")?;
    }
    for file in &report.files {
        print_file(file, depth, secrets, console)?;
    }
    let total = match report.files.len() {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    };
    let (tone, verdict) = match (report.damaged(), report.source.not_read.len()) {
        (0, 0) => (Tone::Good, "no damage".to_owned()),
        (0, not_read) => (Tone::Bad, format!("and {not_read} not read")),
        (damaged, 0) => (Tone::Bad, format!("{damaged} damaged")),
        (damaged, not_read) => (Tone::Bad, format!("{damaged} damaged; {not_read} not read")),
    };
    let verdict = console.paint(tone, &verdict);
    writeln!(console.out, "{total}, {verdict}")?;
    Ok(())
}

fn print_file(
    file: &FileReport,
    depth: Depth,
    secrets: Secrets,
    console: &mut Console,
) -> Result<(), CommandError> {
    let name = console.paint(Tone::Strong, &visible(&file.path));
    writeln!(
        console.out,
        "{name}: {}, {} bytes{}",
        file.kind.name(),
        file.size,
        summary(file)
    )?;
    if depth == Depth::Full {
        match &file.content {
            Content::Batches(batches) => {
                for batch in batches {
                    print_batch(batch, secrets, console)?;
                }
            }
            other => print_fields(other, secrets, console)?,
        }
    }
    for damage in &file.damage {
        let (at, expected, found) = (damage.position, &damage.expected, &damage.found);
        let line = format!("damage at byte {at}: expected {expected}, found {found}");
        let line = console.paint(Tone::Bad, &visible(&line));
        writeln!(console.out, "  {line}")?;
    }
    for note in &file.notes {
        let note = console.paint(Tone::Warning, &visible(note));
        writeln!(console.out, "  {note}")?;
    }
    Ok(())
}

fn summary(file: &FileReport) -> String {
    let Content::Batches(batches) = &file.content else {
        return String::new();
    };
    match (batches.first(), batches.last()) {
        (Some(first), Some(last)) => format!(
            ", {} batches, offsets {} to {}, epochs {} to {}",
            batches.len(),
            first.batch.base_offset(),
            last.batch.last_offset(),
            first.batch.leader_epoch(),
            last.batch.leader_epoch()
        ),
        _ => ", no batch".to_owned(),
    }
}

fn print_batch(
    found: &BatchAt,
    secrets: Secrets,
    console: &mut Console,
) -> Result<(), CommandError> {
    let BatchAt {
        position,
        batch,
        checksum_holds,
    } = found;
    let kind = if batch.is_control() {
        "control"
    } else {
        "data"
    };
    let checksum = if *checksum_holds {
        ""
    } else {
        ", checksum wrong"
    };
    let head = format!(
        "byte {position}: {kind} batch, offset {}, epoch {}, {} bytes, {}{checksum}",
        batch.base_offset(),
        batch.leader_epoch(),
        batch.size(),
        java_date(batch.base_timestamp()),
    );
    let tone = if *checksum_holds {
        Tone::Faint
    } else {
        Tone::Bad
    };
    writeln!(console.out, "  {}", console.paint(tone, &head))?;
    // The line of words never shows a secret; with `--show-secrets`, the fields are printed.
    if secrets == Secrets::Shown {
        let value = batch_json(batch, secrets);
        let records = value["records"].as_array().map_or(&[][..], Vec::as_slice);
        for (offset, record) in (batch.base_offset()..).zip(records) {
            let kind = record["type"].as_str().unwrap_or_default();
            writeln!(console.out, "    {offset:>6}  {kind} {}", record["data"])?;
        }
        return Ok(());
    }
    for line in batch_lines(batch) {
        writeln!(console.out, "    {:>6}  {}", line.offset, line.text)?;
    }
    Ok(())
}

/// Small files: a line a field.
fn print_fields(
    found: &Content,
    secrets: Secrets,
    console: &mut Console,
) -> Result<(), CommandError> {
    match content(found, secrets) {
        None => {}
        Some((_, Value::Object(fields))) => {
            for (name, value) in fields {
                writeln!(console.out, "  {} = {}", visible(&name), bare(&value))?;
            }
        }
        Some((_, Value::Array(entries))) => {
            for entry in entries {
                let fields = entry.as_object().into_iter().flatten();
                let words: Vec<String> = fields
                    .map(|(name, value)| format!("{} {}", visible(name), bare(value)))
                    .collect();
                writeln!(console.out, "  {}", words.join(", "))?;
            }
        }
        Some((_, value)) => {
            for line in value.as_str().unwrap_or_default().lines() {
                writeln!(console.out, "  {}", visible(line))?;
            }
        }
    }
    Ok(())
}

fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => visible(text).into_owned(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}
