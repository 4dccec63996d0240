//! What an administrator asks of the leader: `add-voter`, `remove-voter`, `upgrade-feature`, `downgrade-feature`,
//! `unregister-controller`, `describe-quorum`.

use std::fmt;

use winnow::combinator::{alt, opt};
use winnow::prelude::*;

use crate::run::action::{Change, ClientAction};
use crate::scenario::grammar::{Input, Parsed, after, keyword, text};
use crate::scenario::nodes::node;
use crate::scenario::token::word_or_quoted;

/// A command of this group.
pub(crate) fn client(input: &mut Input<'_>) -> Parsed<ClientAction> {
    let level = || (text("a feature"), text("a level"));
    alt((
        after("add-voter", node).map(ClientAction::AddVoter),
        after(
            "remove-voter",
            (node, opt(after("directory", text("a directory id")))),
        )
        .map(|(node, directory)| ClientAction::RemoveVoter { node, directory }),
        after("unregister-controller", node).map(ClientAction::UnregisterController),
        keyword("describe-quorum").value(ClientAction::DescribeQuorum),
        after("upgrade-feature", level()).map(|(feature, level)| ClientAction::UpdateFeature {
            feature,
            level,
            change: Change::Upgrade,
        }),
        after("downgrade-feature", (level(), opt(keyword("unsafe")))).map(
            |((feature, level), how)| ClientAction::UpdateFeature {
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

impl fmt::Display for ClientAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientAction::AddVoter(node) => write!(f, "add-voter {node}"),
            ClientAction::RemoveVoter { node, directory } => {
                write!(f, "remove-voter {node}")?;
                match directory {
                    Some(id) => write!(f, " directory {}", word_or_quoted(&id.value)),
                    None => Ok(()),
                }
            }
            ClientAction::UnregisterController(node) => write!(f, "unregister-controller {node}"),
            ClientAction::DescribeQuorum => f.write_str("describe-quorum"),
            ClientAction::UpdateFeature {
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
