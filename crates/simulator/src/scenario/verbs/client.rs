//! What an administrator asks of the leader: `add-voter`, `remove-voter`, `upgrade-feature`, `downgrade-feature`,
//! `unregister-controller`, `describe-quorum`; and `write`, which gives the active controller records to write.

use std::fmt;

use records::feature::{FeatureTable, KRAFT_VERSION, Line, METADATA_VERSION};
use winnow::combinator::{alt, opt};
use winnow::prelude::*;

use crate::scenario::grammar::{Input, Parsed, after, keyword, text};
use crate::scenario::nodes::{NodeSelector, node};
use crate::scenario::problem::Problem;
use crate::scenario::span::Spanned;
use crate::scenario::token::word_or_quoted;

/// A command that sends a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Client {
    /// `add-voter N`: the directory on its disk, at the address that it is configured with.
    AddVoter(Spanned<NodeSelector>),
    /// `remove-voter N [directory ID]`: without one, the directory that is a voter; if none is, the one on its disk.
    RemoveVoter {
        /// Who.
        node: Spanned<NodeSelector>,
        /// An id, or the part it plays: `"<dir 3>"`.
        directory: Option<Spanned<String>>,
    },
    /// `upgrade-feature NAME LEVEL`, `downgrade-feature NAME LEVEL [unsafe]`
    UpdateFeature {
        /// Which.
        feature: Spanned<String>,
        /// A number, or the name of a metadata.version.
        level: Spanned<String>,
        /// In which direction.
        change: Change,
    },
    /// `unregister-controller N`
    UnregisterController(Spanned<NodeSelector>),
    /// `describe-quorum`: how the leader sees the quorum.
    DescribeQuorum,
    /// `write PATH [uncommitted]`: the batches that the caller's loader finds there, one after the other.
    Write {
        /// Where the records are.
        path: Spanned<String>,
        /// What is waited for after each batch.
        until: WriteUntil,
    },
}

/// What a `write` waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteUntil {
    /// It is committed.
    Committed,
    /// `uncommitted`: it stands in the leader's own log.
    Logged,
}

/// How a feature may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Only upwards.
    Upgrade,
    /// Downwards, if nothing is lost.
    Downgrade,
    /// Downwards, whatever is lost.
    UnsafeDowngrade,
}

/// A command of this group.
pub(crate) fn client(input: &mut Input<'_>) -> Parsed<Client> {
    let level = || (text("a feature"), text("a level"));
    alt((
        after("add-voter", node).map(Client::AddVoter),
        after(
            "remove-voter",
            (node, opt(after("directory", text("a directory id")))),
        )
        .map(|(node, directory)| Client::RemoveVoter { node, directory }),
        after("unregister-controller", node).map(Client::UnregisterController),
        keyword("describe-quorum").value(Client::DescribeQuorum),
        after("write", (text("a path"), opt(keyword("uncommitted")))).map(|(path, how)| {
            Client::Write {
                path,
                until: match how {
                    Some(_) => WriteUntil::Logged,
                    None => WriteUntil::Committed,
                },
            }
        }),
        after("upgrade-feature", level()).map(|(feature, level)| Client::UpdateFeature {
            feature,
            level,
            change: Change::Upgrade,
        }),
        after("downgrade-feature", (level(), opt(keyword("unsafe")))).map(
            |((feature, level), how)| Client::UpdateFeature {
                feature,
                level,
                change: match how {
                    Some(_) => Change::UnsafeDowngrade,
                    None => Change::Downgrade,
                },
            },
        ),
    ))
    .parse_next(input)
}

/// The level that is meant by a number, or by the name of a metadata.version.
pub(crate) fn level(feature: &str, level: &Spanned<String>) -> Result<i16, Problem> {
    if let Ok(number) = level.value.parse() {
        return Ok(number);
    }
    let known = |line: &Line| FeatureTable::of(*line).metadata_version_named(&level.value);
    if feature == METADATA_VERSION
        && let Some(info) = Line::ALL.iter().rev().find_map(known)
    {
        return Ok(info.version.0);
    }
    let (problem, suggestion) = match feature {
        METADATA_VERSION => (
            format!("there is no metadata.version `{level}`"),
            "write a name such as 4.4-IV2, or a level such as 33",
        ),
        KRAFT_VERSION => (
            format!("`{level}` is not a level"),
            "kraft.version is 0 or 1",
        ),
        _ => (format!("`{level}` is not a level"), "write a whole number"),
    };
    Err(Problem::new(level.span.clone(), problem).suggesting(suggestion))
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Client::AddVoter(node) => write!(f, "add-voter {node}"),
            Client::RemoveVoter { node, directory } => {
                write!(f, "remove-voter {node}")?;
                match directory {
                    Some(id) => write!(f, " directory {}", word_or_quoted(&id.value)),
                    None => Ok(()),
                }
            }
            Client::UnregisterController(node) => write!(f, "unregister-controller {node}"),
            Client::DescribeQuorum => f.write_str("describe-quorum"),
            Client::Write { path, until } => {
                write!(f, "write {}", word_or_quoted(&path.value))?;
                match until {
                    WriteUntil::Committed => Ok(()),
                    WriteUntil::Logged => f.write_str(" uncommitted"),
                }
            }
            Client::UpdateFeature {
                feature,
                level,
                change,
            } => {
                let (verb, how) = match change {
                    Change::Upgrade => ("upgrade-feature", ""),
                    Change::Downgrade => ("downgrade-feature", ""),
                    Change::UnsafeDowngrade => ("downgrade-feature", " unsafe"),
                };
                let (feature, level) =
                    (word_or_quoted(&feature.value), word_or_quoted(&level.value));
                write!(f, "{verb} {feature} {level}{how}")
            }
        }
    }
}
