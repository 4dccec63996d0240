use std::fmt;

use crate::Thread;

/// Why a running process is no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It halted itself: a part of it met what it cannot go on from.
    Fault {
        /// The thread that met it.
        thread: Thread,
        /// What it met, in plain words.
        reason: String,
    },
    /// A thread of it met an endless loop. Kafka's process lives on and does nothing more; here it ends, and other nodes
    /// lose their connections to it.
    Hangs {
        /// The thread that met it.
        thread: Thread,
        /// The loop, in plain words.
        reason: String,
    },
    /// It died in the middle of a disk operation.
    CrashedAtDisk,
    /// It was asked to stop, and has.
    Stopped,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Fault { thread, reason } => {
                write!(f, "fatal fault in the {} thread: {reason}", thread.name())
            }
            Ended::Hangs { thread, reason } => {
                write!(f, "endless loop in the {} thread: {reason}", thread.name())
            }
            Ended::CrashedAtDisk => f.write_str("crashed at a disk operation"),
            Ended::Stopped => f.write_str("stopped"),
        }
    }
}
