use records::ReplicaKey;

use crate::election::EpochElection;
use crate::timer::Timer;

/// Has voted for itself in a new epoch and asks the other voters to do so too.
///
/// Source: `4.4:raft/…/CandidateState.java`; `3.9:raft/…/CandidateState.java` for the backoff.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) epoch: i32,
    pub(crate) local_key: ReplicaKey,
    pub(crate) election: EpochElection,
    pub(crate) high_watermark: Option<i64>,
    pub(crate) election_timer: Timer,
    /// How many elections in a row this is.
    pub(crate) retries: u32,
    /// Until when it waits after a lost election, in the releases that do.
    pub(crate) backoff: Option<Timer>,
}
