use records::ReplicaKey;

use crate::Endpoints;
use crate::timer::Timer;

/// A voter that is being added: asked for its versions, then written, then committed.
///
/// Source: `4.4:raft/…/internals/AddVoterHandlerState.java`.
#[derive(Clone, Debug)]
pub(crate) struct AddVoter {
    pub(crate) voter_key: ReplicaKey,
    pub(crate) voter_endpoints: Endpoints,
    pub(crate) ack_when_committed: bool,
    pub(crate) timeout: Timer,
    /// Who waits for the outcome; nobody once it was answered.
    pub(crate) token: Option<u64>,
    /// Offset of the VOTERS record, once written.
    pub(crate) last_offset: Option<i64>,
}

/// A voter that is being removed: its record is written and not committed.
///
/// Source: `4.4:raft/…/internals/RemoveVoterHandlerState.java`.
#[derive(Clone, Debug)]
pub(crate) struct RemoveVoter {
    pub(crate) timeout: Timer,
    pub(crate) token: u64,
    pub(crate) last_offset: i64,
}
