//! One command, of whichever group.

use std::fmt;

use winnow::combinator::alt;
use winnow::prelude::*;

use super::grammar::{Input, Parsed};
use super::verbs::client::client;
use super::verbs::declaration::declaration;
use super::verbs::disk::disk;
use super::verbs::judging::{Judging, judging};
use super::verbs::looking::{Looking, looking};
use super::verbs::network::network;
use super::verbs::process::process;
use super::verbs::time::{Timing, timing};
use crate::run::Action;
use crate::run::action::Declaration;

/// One command of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// What the world is made of.
    Declaration(Declaration),
    /// What is done to it, at one moment.
    Action(Action),
    /// What takes time, or waits for its moment.
    Timing(Timing),
    Looking(Looking),
    /// What can fail.
    Judging(Judging),
}

/// A command, wherever one may stand.
pub(crate) fn command(input: &mut Input<'_>) -> Parsed<Command> {
    alt((
        declaration.map(Command::Declaration),
        action.map(Command::Action),
        timing.map(Command::Timing),
        looking.map(Command::Looking),
        judging.map(Command::Judging),
    ))
    .parse_next(input)
}

impl From<Timing> for Command {
    fn from(timing: Timing) -> Self {
        Command::Timing(timing)
    }
}

fn action(input: &mut Input<'_>) -> Parsed<Action> {
    alt((
        disk.map(Action::Disk),
        process.map(Action::Process),
        network.map(Action::Network),
        client.map(Action::Client),
    ))
    .parse_next(input)
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Disk(action) => action.fmt(f),
            Action::Process(action) => action.fmt(f),
            Action::Network(action) => action.fmt(f),
            Action::Client(action) => action.fmt(f),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Declaration(command) => command.fmt(f),
            Command::Action(command) => command.fmt(f),
            Command::Timing(command) => command.fmt(f),
            Command::Looking(command) => command.fmt(f),
            Command::Judging(command) => command.fmt(f),
        }
    }
}
