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
}

impl Thread {
    /// All threads.
    pub const ALL: [Thread; 4] = [
        Thread::Raft,
        Thread::Loader,
        Thread::Controller,
        Thread::Registration,
    ];

    /// `raft`, `loader`, `controller`, `registration`.
    pub fn name(self) -> &'static str {
        match self {
            Thread::Raft => "raft",
            Thread::Loader => "loader",
            Thread::Controller => "controller",
            Thread::Registration => "registration",
        }
    }
}
