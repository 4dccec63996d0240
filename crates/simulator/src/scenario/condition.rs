//! What `run until`, `when`, `never` and `expect` ask of the world.

use std::fmt;

use winnow::combinator::{alt, opt, preceded};
use winnow::prelude::*;

use super::file_ref::{FileRef, file_ref};
use super::grammar::{Input, Parsed, after, keyword, number, one_of, quoted_text, text};
use super::nodes::{NodeSelector, Nodes, node, nodes};
use super::span::Spanned;
use super::token::{quoted, word_or_quoted};
use crate::invariants::SourceKind;

/// A question that the world answers with yes or no after every event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// `no …` turns the answer round.
    pub sense: Sense,
    /// What is asked.
    pub fact: Fact,
}

/// Whether a condition wants its fact to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// As written.
    Holds,
    /// `no …`
    HoldsNot,
}

/// A number that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// `7`
    Exactly(i64),
    /// `at-least 7`
    AtLeast(i64),
    /// `at-most 7`
    AtMost(i64),
}

impl Count {
    /// Whether `found` is what is wanted.
    pub const fn admits(self, found: i64) -> bool {
        match self {
            Count::Exactly(wanted) => found == wanted,
            Count::AtLeast(wanted) => found >= wanted,
            Count::AtMost(wanted) => found <= wanted,
        }
    }
}

/// What a condition is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A controller is active and has done its activation; a certain one, or any.
    Active(Option<Spanned<NodeSelector>>),
    /// A controller has been told that it leads, and has not done its activation yet.
    Claimed(Option<Spanned<NodeSelector>>),
    /// A replica leads; a certain one, or any.
    Leader(Option<Spanned<NodeSelector>>),
    /// Processes run.
    Running(Nodes),
    /// Processes ended by themselves; perhaps with these words in the reason.
    Exited(Nodes, Option<String>),
    /// Controllers are registered in the committed metadata.
    Registered(Nodes),
    /// Nothing is under way but timers and no-op records.
    Quiet,
    /// Whatever was asked has been answered.
    Answered,
    /// The highest epoch of any running node.
    Epoch(Count),
    /// The log end offset.
    LogEnd(Count, On),
    /// The high watermark.
    Committed(Count, On),
    /// The committed metadata.version.
    MetadataVersion(Option<String>, On),
    /// A committed feature level.
    Feature(String, i16, On),
    /// Where the last activation took its bootstrap records from.
    Source(SourceKind, On),
    /// How many bootstrap records the last activation wrote.
    BootstrapRecords(Count, On),
    /// How many committed records of a type the log holds.
    Records(String, Count, On),
    /// A file stands on a disk.
    File(Spanned<FileRef>),
    /// Logs hold the same batches.
    SameLog(Nodes),
    /// Committed images are equal.
    SameImage(Nodes),
}

/// `on NODE`; without it, the node that the fact itself suggests.
pub type On = Option<Spanned<NodeSelector>>;

/// A condition.
pub(crate) fn condition(input: &mut Input<'_>) -> Parsed<Condition> {
    let sense = opt(keyword("no")).map(|no| {
        if no.is_some() {
            Sense::HoldsNot
        } else {
            Sense::Holds
        }
    });
    (sense, fact)
        .map(|(sense, fact)| Condition { sense, fact })
        .parse_next(input)
}

fn fact(input: &mut Input<'_>) -> Parsed<Fact> {
    alt((parts, processes, offsets, metadata, files)).parse_next(input)
}

fn parts(input: &mut Input<'_>) -> Parsed<Fact> {
    alt((
        after("active", opt(node)).map(Fact::Active),
        after("claimed", opt(node)).map(Fact::Claimed),
        after("leader", opt(node)).map(Fact::Leader),
    ))
    .parse_next(input)
}

fn processes(input: &mut Input<'_>) -> Parsed<Fact> {
    alt((
        after("running", nodes).map(Fact::Running),
        after("exited", (nodes, opt(quoted_text))).map(|(nodes, words)| Fact::Exited(nodes, words)),
        after("registered", nodes).map(Fact::Registered),
        keyword("quiet").value(Fact::Quiet),
        keyword("answered").value(Fact::Answered),
    ))
    .parse_next(input)
}

fn offsets(input: &mut Input<'_>) -> Parsed<Fact> {
    alt((
        after("epoch", count).map(Fact::Epoch),
        after("log-end", (count, on)).map(|(count, on)| Fact::LogEnd(count, on)),
        after("committed", (count, on)).map(|(count, on)| Fact::Committed(count, on)),
        after("bootstrap-records", (count, on)).map(|(n, on)| Fact::BootstrapRecords(n, on)),
        after("records", (text("a record type"), count, on))
            .map(|(name, count, on)| Fact::Records(name.value, count, on)),
    ))
    .parse_next(input)
}

fn metadata(input: &mut Input<'_>) -> Parsed<Fact> {
    let level = super::grammar::feature_level;
    alt((
        after("metadata-version", (opt(metadata_version), on))
            .map(|(version, on)| Fact::MetadataVersion(version, on)),
        after("feature", (level, on)).map(|((name, level), on)| Fact::Feature(name, level, on)),
        after(
            "source",
            (one_of("a bootstrap source", &SourceKind::NAMES), on),
        )
        .map(|(source, on)| Fact::Source(source, on)),
    ))
    .parse_next(input)
}

fn files(input: &mut Input<'_>) -> Parsed<Fact> {
    alt((
        after("file", file_ref).map(Fact::File),
        after("same-log", nodes).map(Fact::SameLog),
        after("same-image", nodes).map(Fact::SameImage),
    ))
    .parse_next(input)
}

/// `4.4-IV2`
pub(crate) fn metadata_version(input: &mut Input<'_>) -> Parsed<String> {
    super::grammar::word_of_kind(input, "a metadata.version such as 4.4-IV2", |word| {
        word.starts_with(|c: char| c.is_ascii_digit())
            .then(|| word.to_owned())
    })
    .map(|found| found.value)
}

fn count(input: &mut Input<'_>) -> Parsed<Count> {
    alt((
        after("at-least", number("a number")).map(Count::AtLeast),
        after("at-most", number("a number")).map(Count::AtMost),
        number("a number").map(Count::Exactly),
    ))
    .parse_next(input)
}

fn on(input: &mut Input<'_>) -> Parsed<On> {
    opt(preceded(keyword("on"), node)).parse_next(input)
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sense {
            Sense::Holds => self.fact.fmt(f),
            Sense::HoldsNot => write!(f, "no {}", self.fact),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Exactly(n) => write!(f, "{n}"),
            Count::AtLeast(n) => write!(f, "at-least {n}"),
            Count::AtMost(n) => write!(f, "at-most {n}"),
        }
    }
}

/// ` NODE` where one is named.
struct Suffix<'a>(&'static str, &'a On);

impl fmt::Display for Suffix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(node) => write!(f, "{}{node}", self.0),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = |on| Suffix(" on ", on);
        match self {
            Fact::Active(node) => write!(f, "active{}", Suffix(" ", node)),
            Fact::Claimed(node) => write!(f, "claimed{}", Suffix(" ", node)),
            Fact::Leader(node) => write!(f, "leader{}", Suffix(" ", node)),
            Fact::Running(nodes) => write!(f, "running {nodes}"),
            Fact::Exited(nodes, None) => write!(f, "exited {nodes}"),
            Fact::Exited(nodes, Some(words)) => write!(f, "exited {nodes} {}", quoted(words)),
            Fact::Registered(nodes) => write!(f, "registered {nodes}"),
            Fact::Quiet => f.write_str("quiet"),
            Fact::Answered => f.write_str("answered"),
            Fact::Epoch(count) => write!(f, "epoch {count}"),
            Fact::LogEnd(count, node) => write!(f, "log-end {count}{}", on(node)),
            Fact::Committed(count, node) => write!(f, "committed {count}{}", on(node)),
            Fact::MetadataVersion(None, node) => write!(f, "metadata-version{}", on(node)),
            Fact::MetadataVersion(Some(v), node) => write!(f, "metadata-version {v}{}", on(node)),
            Fact::Feature(name, level, node) => write!(f, "feature {name}={level}{}", on(node)),
            Fact::Source(source, node) => write!(f, "source {source}{}", on(node)),
            Fact::BootstrapRecords(n, node) => write!(f, "bootstrap-records {n}{}", on(node)),
            Fact::Records(name, count, node) => {
                write!(f, "records {} {count}{}", word_or_quoted(name), on(node))
            }
            Fact::File(file) => write!(f, "file {file}"),
            Fact::SameLog(nodes) => write!(f, "same-log {nodes}"),
            Fact::SameImage(nodes) => write!(f, "same-image {nodes}"),
        }
    }
}
