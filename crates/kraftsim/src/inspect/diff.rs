//! Two sources side by side.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::document::{content, file as file_document};
use super::same_records::hold_the_same_records;
use super::source::SourceKind;
use super::{FileReport, Report};
use crate::console::Tone;
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
}

impl Status {
    /// Whether the two sides are known to differ.
    pub fn is_difference(self) -> bool {
        !matches!(self, Status::Same | Status::SameRecords)
    }

    fn name(self) -> &'static str {
        match self {
            Status::Same => "same",
            Status::SameRecords => "same-records",
            Status::Differs => "differs",
            Status::OnlyLeft => "only-left",
            Status::OnlyRight => "only-right",
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

/// Compares what two reports hold, file by file; two single files are compared whatever their names.
pub fn compare(left: &Report, right: &Report, secrets: Secrets) -> Vec<FileDiff> {
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
    let only = |path: &str, status| FileDiff {
        path: path.to_owned(),
        status,
        differences: Vec::new(),
    };
    pairs
        .into_iter()
        .map(|(path, pair)| match pair {
            (Some(a), Some(b)) => compare_files(a, b, secrets),
            (Some(_), None) => only(path, Status::OnlyLeft),
            _ => only(path, Status::OnlyRight),
        })
        .collect()
}

fn compare_files(left: &FileReport, right: &FileReport, secrets: Secrets) -> FileDiff {
    let mut differences = Vec::new();
    // Compared as they are, shown as they may be: two different keys differ although both are redacted.
    let bare = |file: &FileReport, secrets| match content(&file.content, secrets) {
        Some((name, value)) => json!({ name: value }),
        None => json!({ "size": file.size }),
    };
    let pair = (bare(left, Secrets::Shown), bare(right, Secrets::Shown));
    let shown = (bare(left, secrets), bare(right, secrets));
    differ(
        "",
        (Some(&pair.0), Some(&pair.1)),
        (Some(&shown.0), Some(&shown.1)),
        &mut differences,
    );
    let damage = |file: &FileReport| file_document(file, secrets)["damage"].clone();
    let (a, b) = (damage(left), damage(right));
    differ(
        "damage",
        (Some(&a), Some(&b)),
        (Some(&a), Some(&b)),
        &mut differences,
    );
    let status = if differences.is_empty() {
        Status::Same
    } else if hold_the_same_records(left, right) {
        differences.clear();
        Status::SameRecords
    } else {
        Status::Differs
    };
    FileDiff {
        path: left.path.clone(),
        status,
        differences,
    }
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

/// The comparison as JSON.
pub fn document(left: &Report, right: &Report, files: &[FileDiff]) -> Value {
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
        "files": files.iter().map(file).collect::<Vec<_>>(),
    })
}

/// The comparison for people.
pub fn print(files: &[FileDiff], console: &mut Console) -> Result<(), CommandError> {
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
        };
        let name = console.paint(Tone::Strong, &file.path);
        writeln!(console.out, "{name}: {}", console.paint(tone, what))?;
        for difference in file.differences.iter().take(LISTED) {
            writeln!(console.out, "  {}", difference.at)?;
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
