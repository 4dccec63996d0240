use crate::timer::Timer;

/// A graceful shutdown under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shutdown {
    pub(crate) timer: Timer,
    pub(crate) outcome: Option<ShutdownOutcome>,
}

/// How a graceful shutdown ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShutdownOutcome {
    /// Nobody is left without a leader by it.
    Completed,
    /// The time was over before that.
    TimedOut,
}
