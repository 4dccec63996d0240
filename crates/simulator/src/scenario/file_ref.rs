use std::fmt;

use super::grammar::{Input, Parsed, word_of_kind};
use super::token::word_or_quoted;
use crate::run::Spanned;
use crate::run::action::{FileRef, NodeSelector};
use records::NodeId;

impl fmt::Display for FileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&word_or_quoted(&format!("{}:{}", self.node, self.path)))
    }
}

/// `NODE:PATH`.
pub(crate) fn file_ref(input: &mut Input<'_>) -> Parsed<Spanned<FileRef>> {
    word_of_kind(input, "a file such as 1:bootstrap.checkpoint", read)
}

fn read(word: &str) -> Option<FileRef> {
    let (node, path) = word.split_once(':')?;
    let node = match node {
        "leader" => NodeSelector::Leader,
        "old-leader" => NodeSelector::OldLeader,
        "active" => NodeSelector::Active,
        number => {
            let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            NodeSelector::Number(NodeId(digits.then(|| number.parse().ok())??))
        }
    };
    let inside = !path.is_empty()
        && !path.starts_with('/')
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    inside.then(|| FileRef {
        node,
        path: path.to_owned(),
    })
}
