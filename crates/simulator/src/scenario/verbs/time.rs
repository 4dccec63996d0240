//! Time: `run 5s`, `run until CONDITION within 10s`, `at 3.2s COMMAND`, `when CONDITION COMMAND`, `repeat 3 … end`.

use std::fmt;

use determinism::Time;
use winnow::combinator::alt;
use winnow::prelude::*;

use crate::scenario::command::{Command, command};
use crate::scenario::condition::{Condition, condition};
use crate::scenario::document::Line;
use crate::scenario::duration;
use crate::scenario::grammar::{Input, Parsed, after, keyword, number, time};

/// A command about time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// `run 5s`
    RunFor(Time),
    /// `run until CONDITION within 10s`
    RunUntil(Condition, Time),
    /// `at 3.2s COMMAND`: when the simulated time since the beginning is that.
    At(Time, Box<Command>),
    /// `when CONDITION COMMAND`: the first time that the condition holds, once.
    When(Condition, Box<Command>),
    /// `repeat 3`, commands, `end`
    Repeat(u32, Vec<Line>),
}

/// A command of this group; `repeat` comes back without its body, which stands on the lines that follow.
pub(crate) fn timing(input: &mut Input<'_>) -> Parsed<Timing> {
    alt((
        after("run", run),
        after("at", (time, command)).map(|(time, command)| Timing::At(time, Box::new(command))),
        after("when", (condition, command))
            .map(|(condition, command)| Timing::When(condition, Box::new(command))),
        after("repeat", number("a number of times")).map(|times| Timing::Repeat(times, Vec::new())),
    ))
    .parse_next(input)
}

fn run(input: &mut Input<'_>) -> Parsed<Timing> {
    alt((
        (after("until", condition), after("within", time))
            .map(|(condition, within)| Timing::RunUntil(condition, within)),
        time.map(Timing::RunFor),
    ))
    .parse_next(input)
}

/// `end` of a `repeat`.
pub(crate) fn end(input: &mut Input<'_>) -> Parsed<()> {
    keyword("end").void().parse_next(input)
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Timing::RunFor(time) => write!(f, "run {}", duration::print(*time)),
            Timing::RunUntil(condition, within) => {
                write!(
                    f,
                    "run until {condition} within {}",
                    duration::print(*within)
                )
            }
            Timing::At(time, command) => write!(f, "at {} {command}", duration::print(*time)),
            Timing::When(condition, command) => write!(f, "when {condition} {command}"),
            Timing::Repeat(times, _) => write!(f, "repeat {times}"),
        }
    }
}
