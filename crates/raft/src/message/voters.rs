use std::sync::Arc;

use records::Uuid;

use super::Errors;
use crate::{Address, Endpoints, SupportedVersionRange};

/// `ADD_RAFT_VOTER` (KIP-853).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddRaftVoterRequest {
    /// The cluster, where given.
    pub cluster_id: Option<Arc<str>>,
    /// How long the sender waits.
    pub timeout_ms: i32,
    /// The new voter.
    pub voter_id: i32,
    /// Its directory.
    pub voter_directory_id: Uuid,
    /// Where it is reached.
    pub listeners: Endpoints,
    /// Answer when the change is committed, and not when it is appended (v1+).
    pub ack_when_committed: bool,
}

/// `REMOVE_RAFT_VOTER` (KIP-853).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoveRaftVoterRequest {
    /// The cluster, where given.
    pub cluster_id: Option<Arc<str>>,
    /// The voter.
    pub voter_id: i32,
    /// Its directory.
    pub voter_directory_id: Uuid,
}

/// Answer to both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterChangeResponse {
    /// The outcome.
    pub error_code: Errors,
    /// Why, in words; `None` where Kafka sends the standard text of the code.
    pub error_message: Option<String>,
}

impl VoterChangeResponse {
    /// An outcome without further words.
    pub fn failed(error_code: Errors) -> Self {
        VoterChangeResponse {
            error_code,
            error_message: None,
        }
    }

    /// An outcome and why.
    pub fn because(error_code: Errors, message: String) -> Self {
        VoterChangeResponse {
            error_code,
            error_message: Some(message),
        }
    }
}

/// `UPDATE_RAFT_VOTER` (KIP-853).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateRaftVoterRequest {
    /// The sender's cluster.
    pub cluster_id: Option<Arc<str>>,
    /// The sender's epoch.
    pub current_leader_epoch: i32,
    /// The voter.
    pub voter_id: i32,
    /// Its directory.
    pub voter_directory_id: Uuid,
    /// Where it is reached.
    pub listeners: Endpoints,
    /// Which kraft.version it can do.
    pub kraft_version_feature: SupportedVersionRange,
}

/// Answer to [`UpdateRaftVoterRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateRaftVoterResponse {
    /// The outcome.
    pub error_code: Errors,
    /// The leader the receiver knows, or −1.
    pub leader_id: i32,
    /// The receiver's epoch.
    pub leader_epoch: i32,
    /// The leader's address, where known.
    pub leader_address: Option<Address>,
}

impl UpdateRaftVoterResponse {
    /// Only an error, as the network layer makes it.
    pub fn failed(error_code: Errors) -> Self {
        UpdateRaftVoterResponse {
            error_code,
            leader_id: -1,
            leader_epoch: -1,
            leader_address: None,
        }
    }
}
