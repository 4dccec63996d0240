use std::sync::Arc;

use records::Uuid;
use records::wire::message;

use super::describe::rpc;
use super::errors::Errors;
use super::rpc::{Content, KRaftVersionFeatureForm, ListenerForm, Rpc, port};
use crate::{Address, Endpoints, SupportedVersionRange};

rpc! {
    /// `ADD_RAFT_VOTER` (KIP-853).
    pub struct AddRaftVoterRequest in AddRaftVoterRequestForm {
        /// The cluster, where given.
        cluster_id: Option<Arc<str>> = "clusterId", since 0;
        /// How long the sender waits.
        timeout_ms: i32 = "timeoutMs", since 0;
        /// The new voter.
        voter_id: i32 = "voterId", since 0;
        voter_directory_id: Uuid = "voterDirectoryId", since 0;
        /// Where it is reached.
        listeners: Endpoints as Vec<ListenerForm> = "listeners", since 0;
        /// Answer when the change is committed, and not when it is appended (v1+).
        ack_when_committed: bool = "ackWhenCommitted", since 1, default true;
    }
}

rpc! {
    /// `REMOVE_RAFT_VOTER` (KIP-853).
    pub struct RemoveRaftVoterRequest in RemoveRaftVoterRequestForm {
        /// The cluster, where given.
        cluster_id: Option<Arc<str>> = "clusterId", since 0;
        voter_id: i32 = "voterId", since 0;
        voter_directory_id: Uuid = "voterDirectoryId", since 0;
    }
}

rpc! {
    /// Answer to both.
    pub struct VoterChangeResponse in VoterChangeResponseForm {
        - throttle_time_ms: i32 = "throttleTimeMs";
        error_code: Errors = "errorCode", since 0;
        /// Why, in words; `None` where Kafka sends the standard text of the code.
        error_message: Option<String> = ignorable "errorMessage", since 0;
    }
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

rpc! {
    /// `UPDATE_RAFT_VOTER` (KIP-853).
    pub struct UpdateRaftVoterRequest in UpdateRaftVoterRequestForm {
        /// The sender's cluster.
        cluster_id: Option<Arc<str>> = "clusterId", since 0;
        /// The sender's epoch.
        current_leader_epoch: i32 = "currentLeaderEpoch", since 0;
        voter_id: i32 = "voterId", since 0;
        voter_directory_id: Uuid = "voterDirectoryId", since 0;
        /// Where it is reached.
        listeners: Endpoints as Vec<ListenerForm> = "listeners", since 0;
        /// Which kraft.version it can do.
        kraft_version_feature: SupportedVersionRange as KRaftVersionFeatureForm = "kRaftVersionFeature", since 0;
    }
}

/// Answer to [`UpdateRaftVoterRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateRaftVoterResponse {
    pub error_code: Errors,
    /// The leader the receiver knows, or −1.
    pub leader_id: i32,
    /// The receiver's epoch.
    pub leader_epoch: i32,
    /// The leader's address, where known.
    pub leader_address: Option<Address>,
}

message! {
    /// Answer to [`UpdateRaftVoterRequest`].
    pub struct UpdateRaftVoterResponseForm {
        /// Left at its default.
        throttle_time_ms: i32 = "throttleTimeMs", since 0;
        error_code: Errors = "errorCode", since 0;
        /// The leader the receiver knows.
        current_leader: CurrentLeaderForm = "currentLeader", since 0, tag 0;
    }

    /// The leader that the answering node knows.
    pub struct CurrentLeaderForm {
        /// Its id, or −1.
        leader_id: i32 = "leaderId", since 0, default -1;
        leader_epoch: i32 = "leaderEpoch", since 0, default -1;
        /// Its host, or nothing.
        host: Arc<str> = "host", since 0;
        port: i32 = "port", since 0;
    }
}

/// An empty host stands for no address.
impl Rpc for UpdateRaftVoterResponse {
    type Form = UpdateRaftVoterResponseForm;

    fn to_form(&self, _: i16) -> UpdateRaftVoterResponseForm {
        let mut leader = CurrentLeaderForm {
            leader_id: self.leader_id,
            leader_epoch: self.leader_epoch,
            ..CurrentLeaderForm::default()
        };
        if let Some(address) = &self.leader_address {
            leader.host = address.host.clone();
            leader.port = address.port.into();
        }
        UpdateRaftVoterResponseForm {
            error_code: self.error_code,
            current_leader: leader,
            ..UpdateRaftVoterResponseForm::default()
        }
    }

    fn of_form(form: UpdateRaftVoterResponseForm, _: i16) -> Result<Self, Content> {
        let leader = form.current_leader;
        let port = port(leader.port, "currentLeader.port")?;
        let host = Some(leader.host).filter(|host| !host.is_empty());
        Ok(UpdateRaftVoterResponse {
            error_code: form.error_code,
            leader_id: leader.leader_id,
            leader_epoch: leader.leader_epoch,
            leader_address: host.map(|host| Address { host, port }),
        })
    }
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
