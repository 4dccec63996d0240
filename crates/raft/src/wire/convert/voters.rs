use kafka_protocol::messages::{
    AddRaftVoterRequest as TheirAddRequest, AddRaftVoterResponse as TheirAddResponse,
    RemoveRaftVoterRequest as TheirRemoveRequest, RemoveRaftVoterResponse as TheirRemoveResponse,
    UpdateRaftVoterRequest as TheirUpdateRequest, UpdateRaftVoterResponse as TheirUpdateResponse,
    add_raft_voter_request as add, update_raft_voter_request as update,
    update_raft_voter_response as updated,
};

use super::super::DecodeError;
use super::super::version::ACK_WHEN_COMMITTED;
use super::super::walk::Spare;
use super::value;
use crate::message::{
    AddRaftVoterRequest, Errors, RemoveRaftVoterRequest, UpdateRaftVoterRequest,
    UpdateRaftVoterResponse, VoterChangeResponse,
};
use crate::{Address, SupportedVersionRange};

pub(super) fn add_request(ours: &AddRaftVoterRequest) -> TheirAddRequest {
    let listeners = ours.listeners.iter().map(|(name, address)| {
        add::Listener::default()
            .with_name(value::text(name.as_str()))
            .with_host(value::text(&address.host))
            .with_port(address.port)
    });
    TheirAddRequest::default()
        .with_cluster_id(value::nullable_text(ours.cluster_id.as_deref()))
        .with_timeout_ms(ours.timeout_ms)
        .with_voter_id(ours.voter_id)
        .with_voter_directory_id(value::uuid(ours.voter_directory_id))
        .with_listeners(listeners.collect())
}

pub(super) fn from_add_request(theirs: &TheirAddRequest, spare: &Spare) -> AddRaftVoterRequest {
    let listeners = theirs.listeners.iter().cloned();
    AddRaftVoterRequest {
        cluster_id: value::shared_text(theirs.cluster_id.as_ref()),
        timeout_ms: theirs.timeout_ms,
        voter_id: theirs.voter_id,
        voter_directory_id: value::from_uuid(theirs.voter_directory_id),
        listeners: value::endpoints(listeners.map(|l| (l.name, l.host, l.port))),
        ack_when_committed: spare.get(ACK_WHEN_COMMITTED) != Some(&[0]),
    }
}

pub(super) fn remove_request(ours: &RemoveRaftVoterRequest) -> TheirRemoveRequest {
    TheirRemoveRequest::default()
        .with_cluster_id(value::nullable_text(ours.cluster_id.as_deref()))
        .with_voter_id(ours.voter_id)
        .with_voter_directory_id(value::uuid(ours.voter_directory_id))
}

pub(super) fn from_remove_request(theirs: &TheirRemoveRequest) -> RemoveRaftVoterRequest {
    RemoveRaftVoterRequest {
        cluster_id: value::shared_text(theirs.cluster_id.as_ref()),
        voter_id: theirs.voter_id,
        voter_directory_id: value::from_uuid(theirs.voter_directory_id),
    }
}

pub(super) fn add_response(ours: &VoterChangeResponse) -> TheirAddResponse {
    TheirAddResponse::default()
        .with_error_code(ours.error_code.0)
        .with_error_message(value::nullable_text(ours.error_message.as_deref()))
}

pub(super) fn from_add_response(theirs: &TheirAddResponse) -> VoterChangeResponse {
    VoterChangeResponse {
        error_code: Errors(theirs.error_code),
        error_message: value::owned_text(theirs.error_message.as_ref()),
    }
}

pub(super) fn remove_response(ours: &VoterChangeResponse) -> TheirRemoveResponse {
    TheirRemoveResponse::default()
        .with_error_code(ours.error_code.0)
        .with_error_message(value::nullable_text(ours.error_message.as_deref()))
}

pub(super) fn from_remove_response(theirs: &TheirRemoveResponse) -> VoterChangeResponse {
    VoterChangeResponse {
        error_code: Errors(theirs.error_code),
        error_message: value::owned_text(theirs.error_message.as_ref()),
    }
}

pub(super) fn update_request(ours: &UpdateRaftVoterRequest) -> TheirUpdateRequest {
    let listeners = ours.listeners.iter().map(|(name, address)| {
        update::Listener::default()
            .with_name(value::text(name.as_str()))
            .with_host(value::text(&address.host))
            .with_port(address.port)
    });
    let range = update::KRaftVersionFeature::default()
        .with_min_supported_version(ours.kraft_version_feature.min)
        .with_max_supported_version(ours.kraft_version_feature.max);
    TheirUpdateRequest::default()
        .with_cluster_id(value::nullable_text(ours.cluster_id.as_deref()))
        .with_current_leader_epoch(ours.current_leader_epoch)
        .with_voter_id(ours.voter_id)
        .with_voter_directory_id(value::uuid(ours.voter_directory_id))
        .with_listeners(listeners.collect())
        .with_k_raft_version_feature(range)
}

pub(super) fn from_update_request(theirs: &TheirUpdateRequest) -> UpdateRaftVoterRequest {
    let listeners = theirs.listeners.iter().cloned();
    UpdateRaftVoterRequest {
        cluster_id: value::shared_text(theirs.cluster_id.as_ref()),
        current_leader_epoch: theirs.current_leader_epoch,
        voter_id: theirs.voter_id,
        voter_directory_id: value::from_uuid(theirs.voter_directory_id),
        listeners: value::endpoints(listeners.map(|l| (l.name, l.host, l.port))),
        kraft_version_feature: SupportedVersionRange {
            min: theirs.k_raft_version_feature.min_supported_version,
            max: theirs.k_raft_version_feature.max_supported_version,
        },
    }
}

pub(super) fn update_response(ours: &UpdateRaftVoterResponse) -> TheirUpdateResponse {
    let leader = updated::CurrentLeader::default()
        .with_leader_id(ours.leader_id.into())
        .with_leader_epoch(ours.leader_epoch);
    let leader = match &ours.leader_address {
        Some(address) => leader
            .with_host(value::text(&address.host))
            .with_port(address.port.into()),
        None => leader,
    };
    TheirUpdateResponse::default()
        .with_error_code(ours.error_code.0)
        .with_current_leader(leader)
}

/// An empty host stands for no address.
pub(super) fn from_update_response(
    theirs: &TheirUpdateResponse,
) -> Result<UpdateRaftVoterResponse, DecodeError> {
    let leader = &theirs.current_leader;
    let port = value::port(leader.port, "UpdateRaftVoterResponse.currentLeader.port")?;
    let known = !leader.host.is_empty();
    Ok(UpdateRaftVoterResponse {
        error_code: Errors(theirs.error_code),
        leader_id: leader.leader_id.0,
        leader_epoch: leader.leader_epoch,
        leader_address: known.then(|| Address::new(&leader.host, port)),
    })
}
