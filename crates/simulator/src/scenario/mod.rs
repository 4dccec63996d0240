//! Scenarios: a text file that a person writes, and that carries its own expected output.
//!
//! One command a line; `#` starts a comment; lines that begin with `|` under a command are what it printed. The text
//! is [parsed](parse()) into a [`Scenario`], [checked](check()) for what no run could make sense of, and executed over
//! a world. Every problem is a [`Problem`]: where, what, and the nearest thing that would have been right.
//!
//! Deliberately knows nothing of files and terminals: who runs a scenario passes its text, and a loader for what
//! `load` names.
//!
//! Reading order: [`document`] (a scenario), [`command`] (its commands; [`verbs`] has a file per group), `condition`
//! (what they ask), `grammar` (how lines are read), [`parse`](mod@parse), [`check`](mod@check), [`limits`],
//! [`run`] (what happens).
//!
//! ```
//! use simulator::scenario::parse;
//! let scenario = parse("controllers 1 2 3\nrun until active within 10s\n")?;
//! assert_eq!(scenario.statements().count(), 2);
//! let problem = parse("controlers 1\n").expect_err("a word that is not known");
//! assert_eq!(problem.suggestion.as_deref(), Some("did you mean `controllers`?"));
//! # Ok::<(), simulator::scenario::Problem>(())
//! ```

pub mod check;
pub mod command;
mod condition;
pub mod document;
mod file_ref;
mod grammar;
mod known;
pub mod limits;
mod nodes;
pub mod parse;
pub mod run;
mod token;
pub mod verbs;

#[cfg(test)]
mod tests;

pub use check::check;
pub use command::Command;
pub use document::{Scenario, ScenarioLine, Statement};
pub use parse::{parse, parse_command};

pub use crate::run::{Place, Problem, Span, Spanned};
