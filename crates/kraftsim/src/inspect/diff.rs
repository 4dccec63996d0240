//! Two sources side by side.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use simulator::describe::visible;

use super::document::{batch_at, content, damages, not_read};
use super::file_report::{BatchAt, Content};
use super::same_records::hold_the_same_records;
use super::source::SourceKind;
use super::{FileReport, InspectReport};
use crate::console::Tone;
use crate::diagnosis::listed;
use crate::json::Secrets;
use crate::{CommandError, Console};

/// Differences of one file that are listed; more are counted.
const LISTED: usize = 40;

/// How a file of one source stands to that of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Both hold the same.
    Same,
    /// Checkpoints of the same id with the same records, in another order or written at another time.
    SameRecords,
    /// Both have it, and it differs.
    Differs,
    /// Only the first has it.
    OnlyLeft,
    /// Only the second has it.
    OnlyRight,
    /// It is none of a controller's files, and was not read; both have the same size.
    NotCompared,
    /// It was not read, or not whole, on one side, or may stand where that side was not read.
    NotRead,
}

impl Status {
    /// Whether the two sides are known to differ.
    pub fn is_difference(self) -> bool {
        matches!(self, Status::Differs | Status::OnlyLeft | Status::OnlyRight)
    }

    fn name(self) -> &'static str {
        match self {
            Status::Same => "same",
            Status::SameRecords => "same-records",
            Status::Differs => "differs",
            Status::OnlyLeft => "only-left",
            Status::OnlyRight => "only-right",
            Status::NotCompared => "not-compared",
            Status::NotRead => "not-read",
        }
    }
}

/// One place at which two files differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Path of the field, such as `batches[2].records[0].data.featureLevel`.
    pub at: String,
    /// What the first has there.
    pub left: Option<Value>,
    /// What the second has there.
    pub right: Option<Value>,
}

/// One file of either source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// Path within the sources.
    pub path: String,
    /// How they stand.
    pub status: Status,
    /// Where they differ.
    pub differences: Vec<Difference>,
}

impl FileDiff {
    fn without_differences(path: &str, status: Status) -> Self {
        FileDiff {
            path: path.to_owned(),
            status,
            differences: Vec::new(),
        }
    }
}

/// Compares what two reports hold, file by file; two single files are compared whatever their names.
pub fn compare(left: &InspectReport, right: &InspectReport, secrets: Secrets) -> Vec<FileDiff> {
    let single = left.source.kind == SourceKind::File && right.source.kind == SourceKind::File;
    if let (true, [a], [b]) = (single, &left.files[..], &right.files[..]) {
        return vec![compare_files(a, b, secrets)];
    }
    let mut pairs: BTreeMap<&str, (Option<&FileReport>, Option<&FileReport>)> = BTreeMap::new();
    for file in &left.files {
        pairs.entry(&file.path).or_default().0 = Some(file);
    }
    for file in &right.files {
        pairs.entry(&file.path).or_default().1 = Some(file);
    }
    for one in left.source.not_read.iter().chain(&right.source.not_read) {
        pairs.entry(&one.path).or_default();
    }
    let only = |path: &str, status| FileDiff::without_differences(path, status);
    let compared = pairs.into_iter().map(|(path, pair)| match pair {
        // An archive that ends too early is no file of its own.
        _ if path.is_empty() => None,
        _ if may_lie_in(left, path) || may_lie_in(right, path) => Some(only(path, Status::NotRead)),
        (Some(a), Some(b)) => Some(compare_files(a, b, secrets)),
        (Some(_), None) => Some(only(path, Status::OnlyLeft)),
        (None, _) => Some(only(path, Status::OnlyRight)),
    });
    compared.flatten().collect()
}

/// Whether a file that a source does not show, or not whole, may be there all the same.
fn may_lie_in(report: &InspectReport, path: &str) -> bool {
    let missing = !report.files.iter().any(|file| file.path == path);
    report.source.not_read.iter().any(|one| {
        let inside = path.strip_prefix(one.path.as_str());
        one.path == path
            || (missing
                && (one.path.is_empty() || inside.is_some_and(|rest| rest.starts_with('/'))))
    })
}

fn compare_files(left: &FileReport, right: &FileReport, secrets: Secrets) -> FileDiff {
    let mut file = FileDiff::without_differences(&left.path, Status::Same);
    let (Some(left_bytes), Some(right_bytes)) = (&left.bytes, &right.bytes) else {
        file.status = if left.size == right.size {
            Status::NotCompared
        } else {
            Status::Differs
        };
        return file;
    };
    if left_bytes == right_bytes {
        return file;
    }
    if hold_the_same_records(left, right) {
        file.status = Status::SameRecords;
        return file;
    }
    file.status = Status::Differs;
    compare_content(left, right, secrets, &mut file.differences);
    if file.differences.is_empty() {
        let same = left_bytes.iter().zip(right_bytes);
        let same = same.take_while(|(a, b)| a == b).count();
        file.differences.push(Difference {
            at: format!("byte {same}"),
            left: left_bytes.get(same).map(|byte| json!(byte)),
            right: right_bytes.get(same).map(|byte| json!(byte)),
        });
    }
    file
}

/// Compared as they are, shown as they may be: two different keys differ although both are redacted.
fn compare_content(
    left: &FileReport,
    right: &FileReport,
    secrets: Secrets,
    found: &mut Vec<Difference>,
) {
    if let (Content::Batches(a), Content::Batches(b)) = (&left.content, &right.content) {
        for at in 0..a.len().max(b.len()) {
            let (a, b) = (a.get(at), b.get(at));
            let value = |secrets| {
                let one = |found: Option<&BatchAt>| found.map(|found| batch_at(found, secrets));
                (one(a), one(b))
            };
            let (bare, shown) = (value(Secrets::Shown), value(secrets));
            let at = format!("batches[{at}]");
            differ(
                &at,
                (bare.0.as_ref(), bare.1.as_ref()),
                (shown.0.as_ref(), shown.1.as_ref()),
                found,
            );
        }
    } else {
        let value = |file: &FileReport, secrets| match content(&file.content, secrets) {
            Some((name, value)) => json!({ name: value }),
            None => json!({ "size": file.size }),
        };
        let bare = (value(left, Secrets::Shown), value(right, Secrets::Shown));
        let shown = (value(left, secrets), value(right, secrets));
        let (bare, shown) = (
            (Some(&bare.0), Some(&bare.1)),
            (Some(&shown.0), Some(&shown.1)),
        );
        differ("", bare, shown, found);
    }
    let (a, b) = (damages(left), damages(right));
    let pair = (Some(&a), Some(&b));
    differ("damage", pair, pair, found);
}

type Pair<'a> = (Option<&'a Value>, Option<&'a Value>);

fn differ(at: &str, pair: Pair, shown: Pair, found: &mut Vec<Difference>) {
    match pair {
        (a, b) if a == b => {}
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let mut names: Vec<&String> = a.keys().collect();
            names.extend(b.keys().filter(|name| !a.contains_key(*name)));
            for name in names {
                let at = if at.is_empty() {
                    name.clone()
                } else {
                    format!("{at}.{name}")
                };
                let shown = (
                    shown.0.and_then(|value| value.get(name)),
                    shown.1.and_then(|value| value.get(name)),
                );
                differ(&at, (a.get(name), b.get(name)), shown, found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for index in 0..a.len().max(b.len()) {
                let shown = (
                    shown.0.and_then(|value| value.get(index)),
                    shown.1.and_then(|value| value.get(index)),
                );
                differ(
                    &format!("{at}[{index}]"),
                    (a.get(index), b.get(index)),
                    shown,
                    found,
                );
            }
        }
        _ => found.push(Difference {
            at: at.to_owned(),
            left: shown.0.cloned(),
            right: shown.1.cloned(),
        }),
    }
}

/// Both sides were read whole.
pub fn is_whole(left: &InspectReport, right: &InspectReport) -> bool {
    left.is_whole() && right.is_whole()
}

/// The comparison as JSON.
pub fn document(left: &InspectReport, right: &InspectReport, files: &[FileDiff]) -> Value {
    let file = |file: &FileDiff| {
        let listed = file.differences.iter().map(|difference| {
            json!({ "at": difference.at, "left": difference.left, "right": difference.right })
        });
        json!({
            "path": file.path,
            "status": file.status.name(),
            "differences": listed.collect::<Vec<_>>(),
        })
    };
    json!({
        "left": left.source.path,
        "right": right.source.path,
        "whole": is_whole(left, right),
        "not_read": { "left": not_read(left), "right": not_read(right) },
        "files": files.iter().map(file).collect::<Vec<_>>(),
    })
}

/// The comparison for people.
pub fn print(
    left: &InspectReport,
    right: &InspectReport,
    files: &[FileDiff],
    console: &mut Console,
) -> Result<(), CommandError> {
    if !is_whole(left, right) {
        let head = "NOT READ WHOLE: nothing follows from what is the same or missing below";
        writeln!(console.out, "{}", console.paint(Tone::Bad, head))?;
    }
    for report in [left, right] {
        for line in listed(&report.source.not_read) {
            let line = visible(&format!("{}: {line}", report.source.path)).into_owned();
            writeln!(console.out, "  {}", console.paint(Tone::Bad, &line))?;
        }
    }
    for file in files {
        let (tone, what) = match file.status {
            Status::Same => (Tone::Faint, "same"),
            Status::SameRecords => (
                Tone::Faint,
                "the same records, in another order or written at another time",
            ),
            Status::Differs => (Tone::Bad, "differs"),
            Status::OnlyLeft => (Tone::Warning, "only in the first"),
            Status::OnlyRight => (Tone::Warning, "only in the second"),
            Status::NotCompared => (
                Tone::Faint,
                "the same size; not compared, since no controller reads it",
            ),
            Status::NotRead => (Tone::Bad, "not read whole on both sides"),
        };
        let name = console.paint(Tone::Strong, &visible(&file.path));
        writeln!(console.out, "{name}: {}", console.paint(tone, what))?;
        for difference in file.differences.iter().take(LISTED) {
            writeln!(console.out, "  {}", visible(&difference.at))?;
            for (sign, value) in [("-", &difference.left), ("+", &difference.right)] {
                if let Some(value) = value {
                    writeln!(console.out, "    {sign} {value}")?;
                }
            }
        }
        if let Some(more) = file
            .differences
            .len()
            .checked_sub(LISTED)
            .filter(|more| *more > 0)
        {
            writeln!(console.out, "  and {more} more differences")?;
        }
    }
    Ok(())
}
