use super::asker::Asker;
use crate::message::{FetchRequest, FetchResponse};

/// A fetch that waits for something new.
#[derive(Clone, Debug)]
pub(super) struct WaitingFetch {
    pub(super) asker: Asker,
    pub(super) request: FetchRequest,
    /// What is answered if nothing comes.
    pub(super) response: FetchResponse,
}
