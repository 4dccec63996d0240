//! What stands on disks before and between runs: `format`, `load`, `copy`, `put`, `truncate`, …

use std::fmt;

use winnow::combinator::{alt, opt, preceded, repeat};
use winnow::prelude::*;

use crate::run::action::{DiskAction, Format, FormatVoters, Formatted, Keep};
use crate::scenario::condition::metadata_version;
use crate::scenario::file_ref::file_ref;
use crate::scenario::grammar::{
    Input, Parsed, after, feature_level, keyword, node_number, number, release, text,
};
use crate::scenario::nodes::nodes;
use crate::scenario::token::word_or_quoted;

/// A command of this group.
pub(crate) fn disk(input: &mut Input<'_>) -> Parsed<DiskAction> {
    alt((whole_disks, files)).parse_next(input)
}

fn whole_disks(input: &mut Input<'_>) -> Parsed<DiskAction> {
    alt((
        after("format", format).map(DiskAction::Format),
        after("load", (node_number, after("from", text("a path"))))
            .map(|(node, path)| DiskAction::Load { node, path }),
        after("wipe", nodes).map(DiskAction::Wipe),
        after("swap", (node_number, node_number)).map(|(a, b)| DiskAction::Swap(a, b)),
        after("clone", (node_number, after("to", node_number)))
            .map(|(from, to)| DiskAction::Clone { from, to }),
    ))
    .parse_next(input)
}

fn files(input: &mut Input<'_>) -> Parsed<DiskAction> {
    alt((
        after("copy", (file_ref, after("as", text("a name"))))
            .map(|(file, name)| DiskAction::Copy { file, name }),
        after("put", (text("a name"), after("at", file_ref)))
            .map(|(name, file)| DiskAction::Put { name, file }),
        after("remove", file_ref).map(DiskAction::Remove),
        after("truncate", (file_ref, after("to", keep)))
            .map(|(file, keep)| DiskAction::Truncate { file, keep }),
        after(
            "corrupt",
            (
                file_ref,
                keyword("at"),
                after("byte", number("a byte position")),
            ),
        )
        .map(|(file, _, byte)| DiskAction::Corrupt { file, byte }),
    ))
    .parse_next(input)
}

fn keep(input: &mut Input<'_>) -> Parsed<Keep> {
    let batches = (
        number("a number"),
        keyword("batches"),
        opt(preceded(
            keyword("and"),
            (number("a number"), keyword("records")),
        )),
    );
    alt((
        (keyword("control"), keyword("batches")).value(Keep::ControlBatches),
        (number("a number"), keyword("bytes")).map(|(bytes, _)| Keep::Bytes(bytes)),
        batches.map(|(batches, _, records)| match records {
            Some((records, _)) => Keep::Records { batches, records },
            None => Keep::Batches(batches),
        }),
    ))
    .parse_next(input)
}

enum FormatOption {
    MetadataVersion(String),
    Feature((String, i16)),
    Scram(String),
}

fn format(input: &mut Input<'_>) -> Parsed<Format> {
    let voters = alt((
        keyword("standalone").value(FormatVoters::Standalone),
        keyword("initial-controllers").value(FormatVoters::InitialControllers),
        keyword("no-initial-controllers").value(FormatVoters::NoInitialControllers),
    ));
    let options = repeat(
        0..,
        alt((
            after("metadata-version", metadata_version).map(FormatOption::MetadataVersion),
            after("feature", feature_level).map(FormatOption::Feature),
            after("scram", text("a user")).map(|user| FormatOption::Scram(user.value)),
        )),
    );
    let formatted = alt((
        keyword("again").value(Formatted::Again),
        keyword("ignore-formatted").value(Formatted::IgnoreFormatted),
    ));
    let (nodes, release, voters, options, formatted): (_, _, _, Vec<FormatOption>, _) = (
        nodes,
        opt(after("with", release)),
        opt(voters),
        options,
        opt(formatted),
    )
        .parse_next(input)?;
    let mut format = Format {
        nodes,
        release,
        voters,
        metadata_version: None,
        features: Vec::new(),
        scram: Vec::new(),
        formatted,
    };
    for option in options {
        match option {
            FormatOption::MetadataVersion(version) => format.metadata_version = Some(version),
            FormatOption::Feature(feature) => format.features.push(feature),
            FormatOption::Scram(user) => format.scram.push(user),
        }
    }
    Ok(format)
}

impl fmt::Display for DiskAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiskAction::Format(format) => format.fmt(f),
            DiskAction::Load { node, path } => {
                write!(f, "load {node} from {}", word_or_quoted(&path.value))
            }
            DiskAction::Copy { file, name } => {
                write!(f, "copy {file} as {}", word_or_quoted(&name.value))
            }
            DiskAction::Put { name, file } => {
                write!(f, "put {} at {file}", word_or_quoted(&name.value))
            }
            DiskAction::Remove(file) => write!(f, "remove {file}"),
            DiskAction::Truncate { file, keep } => write!(f, "truncate {file} to {keep}"),
            DiskAction::Corrupt { file, byte } => write!(f, "corrupt {file} at byte {byte}"),
            DiskAction::Wipe(nodes) => write!(f, "wipe {nodes}"),
            DiskAction::Swap(a, b) => write!(f, "swap {a} {b}"),
            DiskAction::Clone { from, to } => write!(f, "clone {from} to {to}"),
        }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::Bytes(bytes) => write!(f, "{bytes} bytes"),
            Keep::Batches(batches) => write!(f, "{batches} batches"),
            Keep::ControlBatches => f.write_str("control batches"),
            Keep::Records { batches, records } => {
                write!(f, "{batches} batches and {records} records")
            }
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "format {}", self.nodes)?;
        if let Some(release) = &self.release {
            write!(f, " with {release}")?;
        }
        match self.voters {
            Some(FormatVoters::Standalone) => f.write_str(" standalone")?,
            Some(FormatVoters::InitialControllers) => f.write_str(" initial-controllers")?,
            Some(FormatVoters::NoInitialControllers) => f.write_str(" no-initial-controllers")?,
            None => {}
        }
        if let Some(version) = &self.metadata_version {
            write!(f, " metadata-version {version}")?;
        }
        for (name, level) in &self.features {
            write!(f, " feature {name}={level}")?;
        }
        for user in &self.scram {
            write!(f, " scram {}", word_or_quoted(user))?;
        }
        match self.formatted {
            Some(Formatted::Again) => f.write_str(" again"),
            Some(Formatted::IgnoreFormatted) => f.write_str(" ignore-formatted"),
            None => Ok(()),
        }
    }
}
