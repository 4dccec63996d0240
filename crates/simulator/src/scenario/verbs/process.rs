//! Processes: `start`, `stop`, `crash`, `restart`, `pause`, `resume`, `upgrade`.

use std::fmt;

use determinism::Time;
use disk::Operation;
use releases::Release;
use winnow::combinator::{alt, opt};
use winnow::prelude::*;

use crate::scenario::duration;
use crate::scenario::grammar::{Input, Parsed, after, number, one_of, release, text, time};
use crate::scenario::nodes::{Nodes, nodes};
use crate::scenario::token::word_or_quoted;

/// A command about processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    /// `start NODES [on RELEASE]`
    Start(Nodes, Option<Release>),
    /// `stop NODES`: a clean stop.
    Stop(Nodes),
    /// `crash NODES`: as if by kill -9; what was written but not synced is still there.
    Crash(Nodes),
    /// `crash NODES at OPERATION [K] of FILE`: dies at that operation, before it happens.
    CrashAt(Nodes, DiskPoint),
    /// `restart NODES [on RELEASE]`: a clean stop and a start.
    Restart(Nodes, Option<Release>),
    /// `pause NODES [for TIME]`: the process stands still, as in a long collection of garbage.
    Pause(Nodes, Option<Time>),
    /// `resume NODES`
    Resume(Nodes),
    /// `upgrade NODES to RELEASE`: a clean stop, and a start on another release.
    Upgrade(Nodes, Release),
}

/// A disk operation, counted from when the command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskPoint {
    /// Which operation.
    pub operation: Operation,
    /// The how-manieth of its kind on this file, from 1.
    pub nth: u32,
    /// The file's name, or the end of its path.
    pub file: String,
}

/// The operations that a crash can be placed at.
pub(crate) const OPERATIONS: [(&str, Operation); 11] = [
    ("list", Operation::List),
    ("create-directory", Operation::CreateDirectory),
    ("create", Operation::Create),
    ("append", Operation::Append),
    ("sync", Operation::Sync),
    ("rename", Operation::Rename),
    ("sync-directory", Operation::SyncDirectory),
    ("truncate", Operation::Truncate),
    ("remove", Operation::Remove),
    ("read", Operation::Read),
    ("set-read-only", Operation::SetReadOnly),
];

/// A command of this group.
pub(crate) fn process(input: &mut Input<'_>) -> Parsed<Process> {
    alt((
        after("start", (nodes, on)).map(|(nodes, on)| Process::Start(nodes, on)),
        after("stop", nodes).map(Process::Stop),
        after("crash", (nodes, opt(after("at", disk_point)))).map(|(nodes, at)| match at {
            Some(point) => Process::CrashAt(nodes, point),
            None => Process::Crash(nodes),
        }),
        after("restart", (nodes, on)).map(|(nodes, on)| Process::Restart(nodes, on)),
        after("pause", (nodes, opt(after("for", time))))
            .map(|(nodes, length)| Process::Pause(nodes, length)),
        after("resume", nodes).map(Process::Resume),
        after("upgrade", (nodes, after("to", release)))
            .map(|(nodes, release)| Process::Upgrade(nodes, release)),
    ))
    .parse_next(input)
}

fn on(input: &mut Input<'_>) -> Parsed<Option<Release>> {
    opt(after("on", release)).parse_next(input)
}

fn disk_point(input: &mut Input<'_>) -> Parsed<DiskPoint> {
    let operation = one_of("a disk operation", &OPERATIONS);
    (
        operation,
        opt(number("a number")),
        after("of", text("a file name")),
    )
        .map(|(operation, nth, file)| DiskPoint {
            operation,
            nth: nth.unwrap_or(1),
            file: file.value,
        })
        .parse_next(input)
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = |f: &mut fmt::Formatter<'_>, release: &Option<Release>| match release {
            Some(release) => write!(f, " on {release}"),
            None => Ok(()),
        };
        match self {
            Process::Start(nodes, release) => {
                write!(f, "start {nodes}")?;
                on(f, release)
            }
            Process::Stop(nodes) => write!(f, "stop {nodes}"),
            Process::Crash(nodes) => write!(f, "crash {nodes}"),
            Process::CrashAt(nodes, point) => write!(f, "crash {nodes} at {point}"),
            Process::Restart(nodes, release) => {
                write!(f, "restart {nodes}")?;
                on(f, release)
            }
            Process::Pause(nodes, None) => write!(f, "pause {nodes}"),
            Process::Pause(nodes, Some(time)) => {
                write!(f, "pause {nodes} for {}", duration::print(*time))
            }
            Process::Resume(nodes) => write!(f, "resume {nodes}"),
            Process::Upgrade(nodes, release) => write!(f, "upgrade {nodes} to {release}"),
        }
    }
}

impl fmt::Display for DiskPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = word_or_quoted(&self.file);
        write!(f, "{} {} of {file}", self.operation.name(), self.nth)
    }
}
