//! What the world is made of: `controllers 1 2 3`, `release 4.4.0`, `seed 7`, `without KAFKA-20839`.

use std::fmt;

use records::NodeId;
use winnow::combinator::{alt, opt, preceded, repeat};
use winnow::prelude::*;

use crate::run::Spanned;
use crate::run::action::{Declaration, QuorumKind};
use crate::scenario::grammar::{
    Input, Parsed, after, keyword, node_number, number, one_of, release, text,
};
use crate::scenario::nodes::node_numbers;
use crate::scenario::token::{quoted, word_or_quoted};
use crate::world::Wire;

const QUORUM_KINDS: [(&str, QuorumKind); 2] = [
    ("static", QuorumKind::Static),
    ("dynamic", QuorumKind::Dynamic),
];

const WIRES: [(&str, Wire); 2] = [("on", Wire::On), ("off", Wire::Off)];

/// A command of this group.
pub(crate) fn declaration(input: &mut Input<'_>) -> Parsed<Declaration> {
    alt((headline, members, rules)).parse_next(input)
}

fn headline(input: &mut Input<'_>) -> Parsed<Declaration> {
    alt((
        after("title", text("a title in quotes")).map(|title| Declaration::Title(title.value)),
        after("shows", repeat(1.., text("a word")))
            .map(|words: Vec<Spanned<String>>| Declaration::Shows(values(words))),
    ))
    .parse_next(input)
}

fn members(input: &mut Input<'_>) -> Parsed<Declaration> {
    alt((
        after("seed", number("a whole number")).map(Declaration::Seed),
        after("controllers", node_numbers).map(Declaration::Controllers),
        after("observers", node_numbers).map(Declaration::Observers),
        quorum.map(Declaration::Quorum),
        after("random", keyword("delays")).map(|_| Declaration::RandomDelays),
        after("wire", one_of("`on` or `off`", &WIRES)).map(Declaration::Wire),
    ))
    .parse_next(input)
}

fn rules(input: &mut Input<'_>) -> Parsed<Declaration> {
    alt((
        after("release", release).map(Declaration::Release),
        after(
            "set",
            (opt(node_number), text("a property name"), text("a value")),
        )
        .map(|(node, key, value)| Declaration::Set {
            node,
            key,
            value: value.value,
        }),
        after("with", text("a quirk")).map(Declaration::With),
        after("without", text("a quirk")).map(Declaration::Without),
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

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Declaration::Title(title) => write!(f, "title {}", quoted(title)),
            Declaration::Shows(words) => {
                f.write_str("shows")?;
                words
                    .iter()
                    .try_for_each(|word| write!(f, " {}", word_or_quoted(word)))
            }
            Declaration::Seed(seed) => write!(f, "seed {seed}"),
            Declaration::Controllers(nodes) => numbers(f, "controllers", nodes),
            Declaration::Observers(nodes) => numbers(f, "observers", nodes),
            Declaration::Release(release) => write!(f, "release {release}"),
            Declaration::Quorum(QuorumKind::Static) => f.write_str("quorum static"),
            Declaration::Quorum(QuorumKind::Dynamic) => f.write_str("quorum dynamic"),
            Declaration::Set { node, key, value } => {
                f.write_str("set ")?;
                if let Some(node) = node {
                    write!(f, "{node} ")?;
                }
                write!(
                    f,
                    "{} {}",
                    word_or_quoted(&key.value),
                    word_or_quoted(value)
                )
            }
            Declaration::With(quirk) => write!(f, "with {}", word_or_quoted(&quirk.value)),
            Declaration::Without(quirk) => write!(f, "without {}", word_or_quoted(&quirk.value)),
            Declaration::RandomDelays => f.write_str("random delays"),
            Declaration::Wire(Wire::On) => f.write_str("wire on"),
            Declaration::Wire(Wire::Off) => f.write_str("wire off"),
        }
    }
}

fn numbers(f: &mut fmt::Formatter<'_>, verb: &str, nodes: &[Spanned<NodeId>]) -> fmt::Result {
    f.write_str(verb)?;
    nodes.iter().try_for_each(|node| write!(f, " {node}"))
}
