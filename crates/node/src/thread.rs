/// The threads of one process whose interleaving matters. Each handles one event at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thread {
    /// The raft client's: elections, replication, the log.
    Raft,
    /// The metadata loader's event queue.
    Loader,
    /// The quorum controller's event queue.
    Controller,
    /// The registration manager's event queue and its channel to the active controller.
    Registration,
    /// The snapshot generator's.
    Snapshots,
}

impl Thread {
    pub const ALL: [Thread; 5] = [
        Thread::Raft,
        Thread::Loader,
        Thread::Controller,
        Thread::Registration,
        Thread::Snapshots,
    ];

    /// `raft`, `loader`, `controller`, `registration`, `snapshots`.
    pub fn name(self) -> &'static str {
        match self {
            Thread::Raft => "raft",
            Thread::Loader => "loader",
            Thread::Controller => "controller",
            Thread::Registration => "registration",
            Thread::Snapshots => "snapshots",
        }
    }
}
