//! Judging: `expect CONDITION`, `never CONDITION`, `expect violation ID`.

use std::fmt;

use winnow::combinator::alt;
use winnow::prelude::*;

use super::time::{Else, Otherwise, otherwise};
use crate::run::{Condition, Spanned};
use crate::scenario::condition::condition;
use crate::scenario::grammar::{Input, Parsed, after, text};
use crate::scenario::token::word_or_quoted;

/// A command that can fail the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judging {
    /// `expect CONDITION [else ID]`: holds now.
    Expect(Condition, Else),
    /// `never CONDITION`: holds at no moment from here to the end.
    Never(Condition),
    /// `expect violation ID`: by the end this invariant was violated; or this known bug was seen.
    Violation(Spanned<String>),
}

/// A command of this group.
pub(crate) fn judging(input: &mut Input<'_>) -> Parsed<Judging> {
    let violation = after("violation", text("an invariant, or a KAFKA id"));
    alt((
        after(
            "expect",
            alt((
                violation.map(Judging::Violation),
                (condition, otherwise)
                    .map(|(condition, broken)| Judging::Expect(condition, broken)),
            )),
        ),
        after("never", condition).map(Judging::Never),
    ))
    .parse_next(input)
}

impl fmt::Display for Judging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Judging::Expect(condition, broken) => {
                write!(f, "expect {condition}{}", Otherwise(broken))
            }
            Judging::Never(condition) => write!(f, "never {condition}"),
            Judging::Violation(id) => write!(f, "expect violation {}", word_or_quoted(&id.value)),
        }
    }
}
