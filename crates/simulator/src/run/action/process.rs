use determinism::Time;
use disk::Operation;
use releases::Release;

use super::Nodes;

/// What can be done to processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessAction {
    /// `start NODES [on RELEASE]`
    Start(Nodes, Option<Release>),
    /// `stop NODES`: asks for a clean stop; a process that takes 30 s or longer is killed.
    Stop(Nodes),
    /// `crash NODES`: as if by kill -9; what was written but not synced is still there.
    Crash(Nodes),
    /// `crash NODES at OPERATION [K] of FILE`, `crash NODES at operation K`: dies at that operation, before it happens.
    CrashAt(Nodes, DiskPoint),
    /// `disarm NODES`: takes back every crash that is set at a disk operation.
    Disarm(Nodes),
    /// `lose-unsynced NODES`: the machine loses power: its process ends, and what was written and not synced is gone.
    LoseUnsynced(Nodes),
    /// `pause NODES [for TIME]`: the process stands still, as in a long collection of garbage.
    Pause(Nodes, Option<Time>),
    /// `resume NODES`
    Resume(Nodes),
}

/// A disk operation, counted from when the command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskPoint {
    /// Which operation, and the name of the file; `None` for any operation that changes the disk.
    pub what: Option<(Operation, String)>,
    /// The how-manieth of its kind, from 1.
    pub nth: u32,
}
