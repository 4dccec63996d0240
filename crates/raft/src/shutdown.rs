use crate::timer::Timer;

/// A graceful shutdown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shutdown {
    pub(crate) timer: Timer,
    /// Nobody is left without a leader by it, or its time is over.
    pub(crate) is_complete: bool,
}
