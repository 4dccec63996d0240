//! Answers to clients, in words.

use node::error_code;
use quorum_controller::{ControllerResponse, RequestError};
use raft::message::{
    DescribeQuorumResponse, Errors, ReplicaStateInfo, Response, VoterChangeResponse,
};

use crate::world::AdministratorAnswer;

/// An answer by Kafka's name of its error code, and why.
pub(super) fn words(answer: &AdministratorAnswer) -> String {
    match answer {
        AdministratorAnswer::Disconnected => "no answer, the connection is gone".to_owned(),
        AdministratorAnswer::Raft(
            Response::AddRaftVoter(changed) | Response::RemoveRaftVoter(changed),
        ) => voter_change(changed),
        AdministratorAnswer::Raft(Response::DescribeQuorum(quorum)) => described(quorum),
        AdministratorAnswer::Raft(other) => other.top_level_error().to_string(),
        AdministratorAnswer::Features(outcome) | AdministratorAnswer::Controller(outcome) => {
            features(outcome)
        }
    }
}

/// What `kafka-metadata-quorum describe` says of it, in one line.
fn described(response: &DescribeQuorumResponse) -> String {
    let Some(quorum) = &response.partition else {
        return response.error_code.to_string();
    };
    if quorum.error_code != Errors::NONE {
        return quorum.error_code.to_string();
    }
    let replicas = |some: &[ReplicaStateInfo]| {
        let each = some.iter().map(|state| {
            let id = state.replica.id;
            let end = state.log_end_offset;
            match state.replica.directory_id {
                Some(directory) => format!("{id} {directory} at {end}"),
                None => format!("{id} at {end}"),
            }
        });
        format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
    };
    format!(
        "leader {}, epoch {}, committed {}, voters {}, observers {}",
        quorum.leader_id,
        quorum.leader_epoch,
        quorum.high_watermark,
        replicas(&quorum.current_voters),
        replicas(&quorum.observers)
    )
}

fn voter_change(response: &VoterChangeResponse) -> String {
    let code = response.error_code;
    match &response.error_message {
        Some(why) => format!("{code}: {why}"),
        None => code.to_string(),
    }
}

fn features(outcome: &Result<ControllerResponse, RequestError>) -> String {
    let refused = |error: &RequestError| format!("{}: {error}", error_code(error));
    match outcome {
        Ok(ControllerResponse::Features(results)) => {
            let mut refusals = results.values().filter_map(|result| result.as_ref().err());
            refusals
                .next()
                .map_or_else(|| Errors::NONE.to_string(), refused)
        }
        Ok(_) => Errors::NONE.to_string(),
        Err(error) => refused(error),
    }
}
