//! Processes: `start`, `stop`, `crash`, `disarm`, `lose-unsynced`, `pause`, `resume`.

use std::fmt;

use disk::Operation;
use releases::Release;
use winnow::combinator::{alt, opt};
use winnow::prelude::*;

use crate::run::action::{DiskPoint, ProcessAction};
use crate::run::duration;
use crate::scenario::grammar::{Input, Parsed, after, number, one_of, release, text, time};
use crate::scenario::nodes::nodes;
use crate::scenario::token::word_or_quoted;

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
pub(crate) fn process(input: &mut Input<'_>) -> Parsed<ProcessAction> {
    alt((
        after("start", (nodes, on)).map(|(nodes, on)| ProcessAction::Start(nodes, on)),
        after("stop", nodes).map(ProcessAction::Stop),
        after("crash", (nodes, opt(after("at", disk_point)))).map(|(nodes, at)| match at {
            Some(point) => ProcessAction::CrashAt(nodes, point),
            None => ProcessAction::Crash(nodes),
        }),
        after("disarm", nodes).map(ProcessAction::Disarm),
        after("lose-unsynced", nodes).map(ProcessAction::LoseUnsynced),
        after("pause", (nodes, opt(after("for", time))))
            .map(|(nodes, length)| ProcessAction::Pause(nodes, length)),
        after("resume", nodes).map(ProcessAction::Resume),
    ))
    .parse_next(input)
}

pub(super) fn on(input: &mut Input<'_>) -> Parsed<Option<Release>> {
    opt(after("on", release)).parse_next(input)
}

fn disk_point(input: &mut Input<'_>) -> Parsed<DiskPoint> {
    let on_file = (
        one_of("a disk operation", &OPERATIONS),
        opt(number("a number")),
        after("of", text("a file name")),
    )
        .map(|(operation, nth, file)| DiskPoint {
            what: Some((operation, file.value)),
            nth: nth.unwrap_or(1),
        });
    let any = after("operation", number("a number")).map(|nth| DiskPoint { what: None, nth });
    alt((any, on_file)).parse_next(input)
}

/// ` on RELEASE` where one is named.
pub(super) fn on_release(f: &mut fmt::Formatter<'_>, release: Option<&Release>) -> fmt::Result {
    match release {
        Some(release) => write!(f, " on {release}"),
        None => Ok(()),
    }
}

impl fmt::Display for ProcessAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessAction::Start(nodes, release) => {
                write!(f, "start {nodes}")?;
                on_release(f, release.as_ref())
            }
            ProcessAction::Stop(nodes) => write!(f, "stop {nodes}"),
            ProcessAction::Crash(nodes) => write!(f, "crash {nodes}"),
            ProcessAction::CrashAt(nodes, point) => write!(f, "crash {nodes} at {point}"),
            ProcessAction::Disarm(nodes) => write!(f, "disarm {nodes}"),
            ProcessAction::LoseUnsynced(nodes) => write!(f, "lose-unsynced {nodes}"),
            ProcessAction::Pause(nodes, None) => write!(f, "pause {nodes}"),
            ProcessAction::Pause(nodes, Some(time)) => {
                write!(f, "pause {nodes} for {}", duration::print(*time))
            }
            ProcessAction::Resume(nodes) => write!(f, "resume {nodes}"),
        }
    }
}

impl fmt::Display for DiskPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            Some((operation, file)) => {
                let file = word_or_quoted(file);
                write!(f, "{} {} of {file}", operation.name(), self.nth)
            }
            None => write!(f, "operation {}", self.nth),
        }
    }
}
