use std::fmt;

use listener::{Event, LeaderAndEpoch};
use records::OffsetAndEpoch;

/// Which of a process's listeners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hearer {
    /// The metadata loader.
    Loader,
    /// The quorum controller.
    Controller,
    /// A listener that reads and writes nothing.
    Recorder,
}

impl Hearer {
    /// `loader`, `controller`, `recorder`.
    pub fn name(self) -> &'static str {
        match self {
            Hearer::Loader => "loader",
            Hearer::Controller => "controller",
            Hearer::Recorder => "recorder",
        }
    }
}

/// What a listener was told, without the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// `handleLoadSnapshot`
    LoadSnapshot(OffsetAndEpoch),
    /// `handleLoadBootstrap`
    LoadBootstrap(OffsetAndEpoch),
    /// `handleCommit` of these offsets, both included.
    Commit(i64, i64),
    /// `handleLeaderChange`
    LeaderChange(LeaderAndEpoch),
    BeginShutdown,
}

impl Heard {
    pub(crate) fn of(event: &Event) -> Self {
        match event {
            Event::LoadSnapshot(reader) => Heard::LoadSnapshot(reader.snapshot_id),
            Event::LoadBootstrap(reader) => Heard::LoadBootstrap(reader.snapshot_id),
            Event::Commit(committed) => {
                Heard::Commit(committed.base_offset, committed.last_offset())
            }
            Event::LeaderChange(leader) => Heard::LeaderChange(*leader),
            Event::BeginShutdown => Heard::BeginShutdown,
        }
    }
}

impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Heard::LoadSnapshot(id) => {
                write!(
                    f,
                    "handleLoadSnapshot of the snapshot {}-{}",
                    id.offset, id.epoch
                )
            }
            Heard::LoadBootstrap(id) => {
                write!(
                    f,
                    "handleLoadBootstrap of the snapshot {}-{}",
                    id.offset, id.epoch
                )
            }
            Heard::Commit(first, last) => write!(f, "handleCommit of offsets {first} to {last}"),
            Heard::LeaderChange(LeaderAndEpoch {
                leader: Some(leader),
                epoch,
            }) => {
                write!(f, "handleLeaderChange: node {leader} leads epoch {epoch}")
            }
            Heard::LeaderChange(LeaderAndEpoch {
                leader: None,
                epoch,
            }) => {
                write!(f, "handleLeaderChange: nobody leads epoch {epoch}")
            }
            Heard::BeginShutdown => f.write_str("beginShutdown"),
        }
    }
}
