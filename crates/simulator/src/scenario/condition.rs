//! What `run until`, `when`, `never` and `expect` ask of the world.

use std::fmt;

use winnow::combinator::{alt, cut_err, opt, peek, preceded, separated};
use winnow::prelude::*;

use super::file_ref::file_ref;
use super::grammar::{
    Input, Parsed, after, keyword, known, node_number, number, one_of, quoted_text,
};
use super::known as words;
use super::nodes::{node, nodes};
use super::token::{quoted, word_or_quoted};
use crate::invariants::SourceKind;
use crate::run::condition::{Clause, Condition, Count, Fact, On, Sense};

/// A condition: clauses with `and` between them.
pub(crate) fn condition(input: &mut Input<'_>) -> Parsed<Condition> {
    separated(1.., clause, keyword("and"))
        .map(|clauses| Condition { clauses })
        .parse_next(input)
}

fn clause(input: &mut Input<'_>) -> Parsed<Clause> {
    let sense = opt(keyword("no")).map(|no| {
        if no.is_some() {
            Sense::HoldsNot
        } else {
            Sense::Holds
        }
    });
    (sense, fact)
        .map(|(sense, fact)| Clause { sense, fact })
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
        after("leads", (node_number, after("epoch", number("an epoch"))))
            .map(|(node, epoch)| Fact::Leads(node, epoch)),
        keyword("working").value(Fact::Working),
        after("moved-on", (nodes, after("beyond", number("an offset"))))
            .map(|(nodes, offset)| Fact::MovedOn(nodes, offset)),
        keyword("in-step").value(Fact::InStep),
        after("voter", node_number).map(Fact::Voter),
        after("non-voter", node_number).map(Fact::NonVoter),
    ))
    .parse_next(input)
}

fn processes(input: &mut Input<'_>) -> Parsed<Fact> {
    alt((
        after("running", nodes).map(Fact::Running),
        after("down", nodes).map(Fact::Down),
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
        after(
            "records",
            (known("a record type", words::records), count, on),
        )
        .map(|(name, count, on)| Fact::Records(name, count, on)),
    ))
    .parse_next(input)
}

fn metadata(input: &mut Input<'_>) -> Parsed<Fact> {
    let level = super::grammar::feature_level;
    alt((
        after("metadata-version", (opt(known_version), on))
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

/// The full name of a level that some release knows; a word that cannot be one is left to others.
fn known_version(input: &mut Input<'_>) -> Parsed<String> {
    peek(metadata_version).parse_next(input)?;
    cut_err(known(
        "a metadata.version such as 4.4-IV2",
        words::metadata_versions,
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
        for (i, clause) in self.clauses.iter().enumerate() {
            let and = if i == 0 { "" } else { " and " };
            let no = match clause.sense {
                Sense::Holds => "",
                Sense::HoldsNot => "no ",
            };
            write!(f, "{and}{no}{}", clause.fact)?;
        }
        Ok(())
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
            Fact::Leads(id, epoch) => write!(f, "leads {id} epoch {epoch}"),
            Fact::Working => f.write_str("working"),
            Fact::MovedOn(nodes, offset) => write!(f, "moved-on {nodes} beyond {offset}"),
            Fact::InStep => f.write_str("in-step"),
            Fact::Voter(id) => write!(f, "voter {id}"),
            Fact::NonVoter(id) => write!(f, "non-voter {id}"),
            Fact::Down(nodes) => write!(f, "down {nodes}"),
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
