//! What the world is made of: `controllers 1 2 3`, `release 4.4.0`, `seed 7`, `without KAFKA-20839`.

use std::fmt;

use records::NodeId;
use releases::Release;
use winnow::combinator::{alt, opt, preceded, repeat};
use winnow::prelude::*;

use crate::scenario::grammar::{
    Input, Parsed, after, keyword, node_number, number, one_of, release, text,
};
use crate::scenario::nodes::node_numbers;
use crate::scenario::span::Spanned;
use crate::scenario::token::{quoted, word_or_quoted};
use crate::world::Wire;

/// A command that sets the world up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum World {
    /// `title "…"`: the headline of reports.
    Title(String),
    /// `shows …`: what the scenario is an instance of, for tables.
    Shows(Vec<String>),
    /// `seed 7`: all chance of the run.
    Seed(u64),
    /// `controllers 1 2 3`: the voters.
    Controllers(Vec<Spanned<NodeId>>),
    /// `observers 4`: controllers that are not voters.
    Observers(Vec<Spanned<NodeId>>),
    /// `release 4.4.0`: what runs and formats where a command names nothing.
    Release(Release),
    /// `quorum static`: how nodes learn the voters.
    Quorum(QuorumKind),
    /// `set [NODE] KEY VALUE`: a line of server.properties.
    Set {
        /// One node's file, or everybody's.
        node: Option<Spanned<NodeId>>,
        /// Kafka's property name.
        key: String,
        /// Its value.
        value: String,
    },
    /// `with KAFKA-…`: the bug is there, whatever the release.
    With(Spanned<String>),
    /// `without KAFKA-…`: the bug is mended, whatever the release.
    Without(Spanned<String>),
    /// `random delays`: each message takes its own time, drawn from the seed.
    RandomDelays,
    /// `wire on`: every message passes through real bytes.
    Wire(Wire),
}

/// How nodes learn the voters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuorumKind {
    /// `controller.quorum.voters`, kraft.version 0.
    Static,
    /// The zero checkpoint and `controller.quorum.bootstrap.servers`, kraft.version 1.
    Dynamic,
}

const QUORUM_KINDS: [(&str, QuorumKind); 2] = [
    ("static", QuorumKind::Static),
    ("dynamic", QuorumKind::Dynamic),
];

const WIRES: [(&str, Wire); 2] = [("on", Wire::On), ("off", Wire::Off)];

/// A command of this group.
pub(crate) fn world(input: &mut Input<'_>) -> Parsed<World> {
    alt((headline, members, rules)).parse_next(input)
}

fn headline(input: &mut Input<'_>) -> Parsed<World> {
    alt((
        after("title", text("a title in quotes")).map(|title| World::Title(title.value)),
        after("shows", repeat(1.., text("a word")))
            .map(|words: Vec<Spanned<String>>| World::Shows(values(words))),
    ))
    .parse_next(input)
}

fn members(input: &mut Input<'_>) -> Parsed<World> {
    alt((
        after("seed", number("a whole number")).map(World::Seed),
        after("controllers", node_numbers).map(World::Controllers),
        after("observers", node_numbers).map(World::Observers),
        quorum.map(World::Quorum),
        after("random", keyword("delays")).map(|_| World::RandomDelays),
        after("wire", one_of("`on` or `off`", &WIRES)).map(World::Wire),
    ))
    .parse_next(input)
}

fn rules(input: &mut Input<'_>) -> Parsed<World> {
    alt((
        after("release", release).map(World::Release),
        after(
            "set",
            (opt(node_number), text("a property name"), text("a value")),
        )
        .map(|(node, key, value)| World::Set {
            node,
            key: key.value,
            value: value.value,
        }),
        after("with", text("a quirk")).map(World::With),
        after("without", text("a quirk")).map(World::Without),
    ))
    .parse_next(input)
}

/// `quorum static`; alone the word is another command, which prints.
fn quorum(input: &mut Input<'_>) -> Parsed<QuorumKind> {
    preceded(keyword("quorum"), one_of("a kind of quorum", &QUORUM_KINDS)).parse_next(input)
}

fn values(words: Vec<Spanned<String>>) -> Vec<String> {
    words.into_iter().map(|word| word.value).collect()
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            World::Title(title) => write!(f, "title {}", quoted(title)),
            World::Shows(words) => {
                f.write_str("shows")?;
                words
                    .iter()
                    .try_for_each(|word| write!(f, " {}", word_or_quoted(word)))
            }
            World::Seed(seed) => write!(f, "seed {seed}"),
            World::Controllers(nodes) => numbers(f, "controllers", nodes),
            World::Observers(nodes) => numbers(f, "observers", nodes),
            World::Release(release) => write!(f, "release {release}"),
            World::Quorum(QuorumKind::Static) => f.write_str("quorum static"),
            World::Quorum(QuorumKind::Dynamic) => f.write_str("quorum dynamic"),
            World::Set { node, key, value } => {
                f.write_str("set ")?;
                if let Some(node) = node {
                    write!(f, "{node} ")?;
                }
                write!(f, "{} {}", word_or_quoted(key), word_or_quoted(value))
            }
            World::With(quirk) => write!(f, "with {}", word_or_quoted(&quirk.value)),
            World::Without(quirk) => write!(f, "without {}", word_or_quoted(&quirk.value)),
            World::RandomDelays => f.write_str("random delays"),
            World::Wire(Wire::On) => f.write_str("wire on"),
            World::Wire(Wire::Off) => f.write_str("wire off"),
        }
    }
}

fn numbers(f: &mut fmt::Formatter<'_>, verb: &str, nodes: &[Spanned<NodeId>]) -> fmt::Result {
    f.write_str(verb)?;
    nodes.iter().try_for_each(|node| write!(f, " {node}"))
}
