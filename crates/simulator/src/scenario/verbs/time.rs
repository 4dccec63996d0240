//! Time: `run 5s`, `run until CONDITION within 10s`, `run while CONDITION for 10s`, `at 3.2s COMMAND`, `when CONDITION COMMAND`,
//! `repeat 3 … end`; and what takes time: `restart`, `upgrade`, `write`.

use std::fmt;

use determinism::Time;
use releases::Release;
use winnow::combinator::{alt, opt};
use winnow::prelude::*;

use super::process::{on, on_release};
use crate::run::action::Nodes;
use crate::run::duration;
use crate::run::{Condition, Spanned};
use crate::scenario::command::{Command, command};
use crate::scenario::condition::condition;
use crate::scenario::document::ScenarioLine;
use crate::scenario::grammar::{
    Input, Parsed, after, deeper, keyword, number, release, text, time,
};
use crate::scenario::nodes::nodes;
use crate::scenario::token::word_or_quoted;

/// A command that takes time, or waits for its moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// `run 5s`
    RunFor(Time),
    /// `run until CONDITION within 10s [else ID]`
    RunUntil(Condition, Time, Else),
    /// `run while CONDITION for 10s [else ID]`: it has to hold all the time.
    RunWhile(Condition, Time, Else),
    /// `at 3.2s COMMAND`: when the simulated time since the beginning is that, after everything that happens up to it.
    At(Time, Box<Command>),
    /// `when CONDITION COMMAND`: the first time that the condition holds, once.
    When(Condition, Box<Command>),
    /// `repeat 3`, commands, `end`
    Repeat(u32, Vec<ScenarioLine>),
    /// `restart NODES [on RELEASE]`: a clean stop and a start.
    Restart(Nodes, Option<Release>),
    /// `upgrade NODES to RELEASE`: a clean stop, and a start on another release.
    Upgrade(Nodes, Release),
    /// `write PATH [uncommitted]`: the batches that the caller's loader finds there, one after the other.
    Write {
        /// Where the records are.
        path: Spanned<String>,
        /// What is waited for after each batch.
        until: WriteUntil,
    },
}

/// `else ID`: the invariant that is violated otherwise; without it, the scenario fails.
pub type Else = Option<Spanned<String>>;

/// What a `write` waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteUntil {
    Committed,
    /// `uncommitted`: it stands in the leader's own log.
    Logged,
}

/// A command of this group; `repeat` comes back without its body, which stands on the lines that follow.
pub(crate) fn timing(input: &mut Input<'_>) -> Parsed<Timing> {
    alt((
        after("run", run),
        after("at", (time, deeper(command)))
            .map(|(time, command)| Timing::At(time, Box::new(command))),
        after("when", (condition, deeper(command)))
            .map(|(condition, command)| Timing::When(condition, Box::new(command))),
        after("repeat", number("a number of times")).map(|times| Timing::Repeat(times, Vec::new())),
        after("restart", (nodes, on)).map(|(nodes, on)| Timing::Restart(nodes, on)),
        after("upgrade", (nodes, after("to", release)))
            .map(|(nodes, release)| Timing::Upgrade(nodes, release)),
        after("write", (text("a path"), opt(keyword("uncommitted")))).map(|(path, how)| {
            Timing::Write {
                path,
                until: match how {
                    Some(_) => WriteUntil::Logged,
                    None => WriteUntil::Committed,
                },
            }
        }),
    ))
    .parse_next(input)
}

fn run(input: &mut Input<'_>) -> Parsed<Timing> {
    alt((
        (after("until", condition), after("within", time), otherwise)
            .map(|(condition, within, broken)| Timing::RunUntil(condition, within, broken)),
        (after("while", condition), after("for", time), otherwise)
            .map(|(condition, length, broken)| Timing::RunWhile(condition, length, broken)),
        time.map(Timing::RunFor),
    ))
    .parse_next(input)
}

pub(super) fn otherwise(input: &mut Input<'_>) -> Parsed<Else> {
    opt(after("else", text("an invariant"))).parse_next(input)
}

/// `end` of a `repeat`.
pub(crate) fn end(input: &mut Input<'_>) -> Parsed<()> {
    keyword("end").void().parse_next(input)
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Timing::RunFor(time) => write!(f, "run {}", duration::print(*time)),
            Timing::RunUntil(condition, within, broken) => {
                let within = duration::print(*within);
                write!(
                    f,
                    "run until {condition} within {within}{}",
                    Otherwise(broken)
                )
            }
            Timing::RunWhile(condition, length, broken) => {
                let length = duration::print(*length);
                write!(f, "run while {condition} for {length}{}", Otherwise(broken))
            }
            Timing::At(time, command) => write!(f, "at {} {command}", duration::print(*time)),
            Timing::When(condition, command) => write!(f, "when {condition} {command}"),
            Timing::Repeat(times, _) => write!(f, "repeat {times}"),
            Timing::Restart(nodes, release) => {
                write!(f, "restart {nodes}")?;
                on_release(f, release.as_ref())
            }
            Timing::Upgrade(nodes, release) => write!(f, "upgrade {nodes} to {release}"),
            Timing::Write { path, until } => {
                write!(f, "write {}", word_or_quoted(&path.value))?;
                match until {
                    WriteUntil::Committed => Ok(()),
                    WriteUntil::Logged => f.write_str(" uncommitted"),
                }
            }
        }
    }
}

/// ` else ID` where an invariant is named.
pub(super) struct Otherwise<'a>(pub(super) &'a Else);

impl fmt::Display for Otherwise<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(id) => write!(f, " else {}", word_or_quoted(&id.value)),
            None => Ok(()),
        }
    }
}
