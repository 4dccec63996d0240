//! One command, of whichever group.

use std::fmt;

use winnow::combinator::alt;
use winnow::prelude::*;

use super::grammar::{Input, Parsed};
use super::verbs::client::{Client, client};
use super::verbs::disk::{Disk, disk};
use super::verbs::judging::{Judging, judging};
use super::verbs::later::later;
use super::verbs::looking::{Looking, looking};
use super::verbs::network::{Network, network};
use super::verbs::process::{Process, process};
use super::verbs::time::{Timing, timing};
use super::verbs::world::{World, world};

/// One command of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// What the world is made of.
    World(World),
    /// What stands on disks.
    Disk(Disk),
    /// Processes.
    Process(Process),
    /// Time.
    Timing(Timing),
    /// Links.
    Network(Network),
    /// What an administrator asks.
    Client(Client),
    /// Printing.
    Looking(Looking),
    /// What can fail.
    Judging(Judging),
}

/// A command, wherever one may stand.
pub(crate) fn command(input: &mut Input<'_>) -> Parsed<Command> {
    alt((
        world.map(Command::World),
        disk.map(Command::Disk),
        process.map(Command::Process),
        timing.map(Command::Timing),
        network.map(Command::Network),
        client.map(Command::Client),
        looking.map(Command::Looking),
        judging.map(Command::Judging),
        later,
    ))
    .parse_next(input)
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::World(command) => command.fmt(f),
            Command::Disk(command) => command.fmt(f),
            Command::Process(command) => command.fmt(f),
            Command::Timing(command) => command.fmt(f),
            Command::Network(command) => command.fmt(f),
            Command::Client(command) => command.fmt(f),
            Command::Looking(command) => command.fmt(f),
            Command::Judging(command) => command.fmt(f),
        }
    }
}
