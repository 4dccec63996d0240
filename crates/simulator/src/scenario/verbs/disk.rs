//! What stands on disks before and between runs: `format`, `load`, `copy`, `put`, `truncate`, …

use std::fmt;

use records::NodeId;
use releases::Release;
use winnow::combinator::{alt, opt, preceded, repeat};
use winnow::prelude::*;

use crate::scenario::condition::metadata_version;
use crate::scenario::file_ref::{FileRef, file_ref};
use crate::scenario::grammar::{
    Input, Parsed, after, feature_level, keyword, node_number, number, release, text,
};
use crate::scenario::nodes::{Nodes, nodes};
use crate::scenario::span::Spanned;
use crate::scenario::token::word_or_quoted;

/// A command that writes to disks from outside; the nodes concerned are down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disk {
    /// `format …`: what `kafka-storage format` does.
    Format(Format),
    /// `load 1 from PATH`: a real directory, or a tar of one.
    Load {
        /// Whose disk.
        node: Spanned<NodeId>,
        /// As written; relative to the scenario's file.
        path: Spanned<String>,
    },
    /// `copy 1:FILE as NAME`: keeps a file's content for `put`.
    Copy {
        /// What to keep.
        file: Spanned<FileRef>,
        /// Under which name.
        name: Spanned<String>,
    },
    /// `put NAME at 2:FILE`: writes kept content.
    Put {
        /// What was kept.
        name: Spanned<String>,
        /// Where it goes.
        file: Spanned<FileRef>,
    },
    /// `remove 1:FILE`: a file, or a directory and all in it.
    Remove(Spanned<FileRef>),
    /// `truncate 1:FILE to …`
    Truncate {
        /// Which file.
        file: Spanned<FileRef>,
        /// What stays of it.
        keep: Keep,
    },
    /// `corrupt 1:FILE at byte 61`: flips every bit of one byte.
    Corrupt {
        /// Which file.
        file: Spanned<FileRef>,
        /// Which byte, from 0.
        byte: u64,
    },
    /// `wipe 2`: an empty disk in place of the old one.
    Wipe(Nodes),
    /// `lose-unsynced 2`: the machine lost power: what was written and not synced is gone.
    LoseUnsynced(Nodes),
    /// `swap 1 2`: each gets the other's disk.
    Swap(Spanned<NodeId>, Spanned<NodeId>),
    /// `clone 1 to 2`: the second gets a copy of the first's disk.
    Clone {
        /// Whose disk is read.
        from: Spanned<NodeId>,
        /// Whose disk is replaced.
        to: Spanned<NodeId>,
    },
}

/// What stays of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// `to 100 bytes`
    Bytes(u64),
    /// `to 1 batches`
    Batches(u32),
    /// `to control batches`: those of raft; the metadata records go.
    ControlBatches,
    /// `to 1 batches and 2 records`: of the next batch, the first records, as a batch of its own.
    Records {
        /// Whole batches.
        batches: u32,
        /// Records of the batch behind them.
        records: u32,
    },
}

/// `format NODES [with RELEASE] [QUORUM] [metadata-version V] [feature F=L]… [scram USER]… [again|ignore-formatted]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// Whose disks.
    pub nodes: Nodes,
    /// Whose tool; without it the scenario's release.
    pub release: Option<Release>,
    /// Which option for dynamic quorums.
    pub voters: Option<FormatVoters>,
    /// `--release-version`
    pub metadata_version: Option<String>,
    /// `--feature`
    pub features: Vec<(String, i16)>,
    /// `--add-scram` for these users.
    pub scram: Vec<String>,
    /// What about a directory that is formatted.
    pub formatted: Option<Formatted>,
}

/// The tool's options for dynamic quorums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatVoters {
    /// `--standalone`
    Standalone,
    /// `--initial-controllers` with the scenario's controllers
    InitialControllers,
    /// `--no-initial-controllers`
    NoInitialControllers,
}

/// What about a directory that is formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formatted {
    /// Wipes it first.
    Again,
    /// `--ignore-formatted`
    IgnoreFormatted,
}

/// A command of this group.
pub(crate) fn disk(input: &mut Input<'_>) -> Parsed<Disk> {
    alt((whole_disks, files)).parse_next(input)
}

fn whole_disks(input: &mut Input<'_>) -> Parsed<Disk> {
    alt((
        after("format", format).map(Disk::Format),
        after("load", (node_number, after("from", text("a path"))))
            .map(|(node, path)| Disk::Load { node, path }),
        after("wipe", nodes).map(Disk::Wipe),
        after("lose-unsynced", nodes).map(Disk::LoseUnsynced),
        after("swap", (node_number, node_number)).map(|(a, b)| Disk::Swap(a, b)),
        after("clone", (node_number, after("to", node_number)))
            .map(|(from, to)| Disk::Clone { from, to }),
    ))
    .parse_next(input)
}

fn files(input: &mut Input<'_>) -> Parsed<Disk> {
    alt((
        after("copy", (file_ref, after("as", text("a name"))))
            .map(|(file, name)| Disk::Copy { file, name }),
        after("put", (text("a name"), after("at", file_ref)))
            .map(|(name, file)| Disk::Put { name, file }),
        after("remove", file_ref).map(Disk::Remove),
        after("truncate", (file_ref, after("to", keep)))
            .map(|(file, keep)| Disk::Truncate { file, keep }),
        after(
            "corrupt",
            (
                file_ref,
                keyword("at"),
                after("byte", number("a byte position")),
            ),
        )
        .map(|(file, _, byte)| Disk::Corrupt { file, byte }),
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

impl fmt::Display for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Disk::Format(format) => format.fmt(f),
            Disk::Load { node, path } => {
                write!(f, "load {node} from {}", word_or_quoted(&path.value))
            }
            Disk::Copy { file, name } => {
                write!(f, "copy {file} as {}", word_or_quoted(&name.value))
            }
            Disk::Put { name, file } => write!(f, "put {} at {file}", word_or_quoted(&name.value)),
            Disk::Remove(file) => write!(f, "remove {file}"),
            Disk::Truncate { file, keep } => write!(f, "truncate {file} to {keep}"),
            Disk::Corrupt { file, byte } => write!(f, "corrupt {file} at byte {byte}"),
            Disk::Wipe(nodes) => write!(f, "wipe {nodes}"),
            Disk::LoseUnsynced(nodes) => write!(f, "lose-unsynced {nodes}"),
            Disk::Swap(a, b) => write!(f, "swap {a} {b}"),
            Disk::Clone { from, to } => write!(f, "clone {from} to {to}"),
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
