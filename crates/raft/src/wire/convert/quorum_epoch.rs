use kafka_protocol::messages::{
    BeginQuorumEpochRequest as TheirBeginRequest, BeginQuorumEpochResponse as TheirBeginResponse,
    EndQuorumEpochRequest as TheirEndRequest, EndQuorumEpochResponse as TheirEndResponse,
    begin_quorum_epoch_request as begin, begin_quorum_epoch_response as begun,
    end_quorum_epoch_request as end, end_quorum_epoch_response as ended,
};
use records::{NodeId, ReplicaKey};

use super::super::DecodeError;
use super::value;
use crate::Address;
use crate::message::{
    BeginQuorumEpochRequest, EndQuorumEpochRequest, Errors, NodeEndpoint,
    QuorumEpochPartitionResponse, QuorumEpochResponse,
};

pub(super) fn begin_request(ours: &BeginQuorumEpochRequest) -> TheirBeginRequest {
    let partition = begin::PartitionData::default()
        .with_partition_index(value::partition_index())
        .with_voter_directory_id(value::uuid(ours.voter_directory_id))
        .with_leader_id(ours.leader_id.into())
        .with_leader_epoch(ours.leader_epoch);
    let topic = begin::TopicData::default()
        .with_topic_name(value::topic_name())
        .with_partitions(vec![partition]);
    let endpoints = ours.leader_endpoints.iter().map(|(name, address)| {
        begin::LeaderEndpoint::default()
            .with_name(value::text(name.as_str()))
            .with_host(value::text(&address.host))
            .with_port(address.port)
    });
    TheirBeginRequest::default()
        .with_cluster_id(value::nullable_text(ours.cluster_id.as_deref()))
        .with_voter_id(ours.voter_id.into())
        .with_topics(vec![topic])
        .with_leader_endpoints(endpoints.collect())
}

pub(super) fn from_begin_request(
    theirs: TheirBeginRequest,
) -> Result<BeginQuorumEpochRequest, DecodeError> {
    let topic = value::only(theirs.topics, "BeginQuorumEpochRequest.topics")?;
    let field = "BeginQuorumEpochRequest.topics[0].topicName";
    value::check_topic(&topic.topic_name, field)?;
    let field = "BeginQuorumEpochRequest.topics[0].partitions";
    let partition = value::only(topic.partitions, field)?;
    let field = "BeginQuorumEpochRequest.topics[0].partitions[0].partitionIndex";
    value::check_partition(partition.partition_index, field)?;
    let endpoints = theirs.leader_endpoints.into_iter();
    Ok(BeginQuorumEpochRequest {
        cluster_id: value::shared_text(theirs.cluster_id.as_ref()),
        voter_id: theirs.voter_id.0,
        voter_directory_id: value::from_uuid(partition.voter_directory_id),
        leader_id: partition.leader_id.0,
        leader_epoch: partition.leader_epoch,
        leader_endpoints: value::endpoints(endpoints.map(|e| (e.name, e.host, e.port))),
    })
}

/// The preferred candidates stand as ids in version 0, with directories from 1 on; the library writes the one or the
/// other.
pub(super) fn end_request(ours: &EndQuorumEpochRequest) -> TheirEndRequest {
    let preferred = &ours.preferred_candidates;
    let candidates = preferred.iter().map(|candidate| {
        end::ReplicaInfo::default()
            .with_candidate_id(candidate.id.0.into())
            .with_candidate_directory_id(value::uuid(candidate.directory_id_or_zero()))
    });
    let partition = end::PartitionData::default()
        .with_partition_index(value::partition_index())
        .with_leader_id(ours.leader_id.into())
        .with_leader_epoch(ours.leader_epoch)
        .with_preferred_successors(preferred.iter().map(|candidate| candidate.id.0).collect())
        .with_preferred_candidates(candidates.collect());
    let topic = end::TopicData::default()
        .with_topic_name(value::topic_name())
        .with_partitions(vec![partition]);
    let endpoints = ours.leader_endpoints.iter().map(|(name, address)| {
        end::LeaderEndpoint::default()
            .with_name(value::text(name.as_str()))
            .with_host(value::text(&address.host))
            .with_port(address.port)
    });
    TheirEndRequest::default()
        .with_cluster_id(value::nullable_text(ours.cluster_id.as_deref()))
        .with_topics(vec![topic])
        .with_leader_endpoints(endpoints.collect())
}

pub(super) fn from_end_request(
    theirs: TheirEndRequest,
    version: i16,
) -> Result<EndQuorumEpochRequest, DecodeError> {
    let topic = value::only(theirs.topics, "EndQuorumEpochRequest.topics")?;
    let field = "EndQuorumEpochRequest.topics[0].topicName";
    value::check_topic(&topic.topic_name, field)?;
    let field = "EndQuorumEpochRequest.topics[0].partitions";
    let partition = value::only(topic.partitions, field)?;
    let field = "EndQuorumEpochRequest.topics[0].partitions[0].partitionIndex";
    value::check_partition(partition.partition_index, field)?;
    let preferred_candidates = if version == 0 {
        let successors = partition.preferred_successors.iter();
        successors
            .map(|id| ReplicaKey::of_node(NodeId(*id)))
            .collect()
    } else {
        let candidates = partition.preferred_candidates.iter().map(|candidate| {
            let directory_id = value::from_uuid(candidate.candidate_directory_id);
            ReplicaKey::new(NodeId(candidate.candidate_id.0), directory_id)
        });
        candidates.collect()
    };
    let endpoints = theirs.leader_endpoints.into_iter();
    Ok(EndQuorumEpochRequest {
        cluster_id: value::shared_text(theirs.cluster_id.as_ref()),
        leader_id: partition.leader_id.0,
        leader_epoch: partition.leader_epoch,
        preferred_candidates,
        leader_endpoints: value::endpoints(endpoints.map(|e| (e.name, e.host, e.port))),
    })
}

/// The two responses are alike but for the library's names.
macro_rules! responses {
    ($to:ident, $from:ident, $from_topics:ident, $their:ident, $module:ident, $name:literal) => {
        pub(super) fn $to(ours: &QuorumEpochResponse, version: i16) -> $their {
            let topics = ours.partition.iter().map(|partition| {
                let partition = $module::PartitionData::default()
                    .with_partition_index(value::partition_index())
                    .with_error_code(partition.error_code.0)
                    .with_leader_id(partition.leader_id.into())
                    .with_leader_epoch(partition.leader_epoch);
                $module::TopicData::default()
                    .with_topic_name(value::topic_name())
                    .with_partitions(vec![partition])
            });
            let endpoints = ours.node_endpoint.iter().map(|endpoint| {
                $module::NodeEndpoint::default()
                    .with_node_id(endpoint.node_id.into())
                    .with_host(value::text(&endpoint.address.host))
                    .with_port(endpoint.address.port)
            });
            $their::default()
                .with_error_code(ours.error_code.0)
                .with_topics(topics.collect())
                .with_node_endpoints(value::since(1, version, endpoints.collect()))
        }

        pub(super) fn $from(theirs: $their) -> Result<QuorumEpochResponse, DecodeError> {
            let partition = $from_topics(theirs.topics)?;
            let endpoints = theirs.node_endpoints.iter().map(|endpoint| NodeEndpoint {
                node_id: endpoint.node_id.0,
                address: Address::new(&endpoint.host, endpoint.port),
            });
            let leader_id = partition.map(|partition| partition.leader_id);
            Ok(QuorumEpochResponse {
                error_code: Errors(theirs.error_code),
                partition,
                node_endpoint: value::node_endpoint(leader_id, endpoints),
            })
        }

        fn $from_topics(
            topics: Vec<$module::TopicData>,
        ) -> Result<Option<QuorumEpochPartitionResponse>, DecodeError> {
            if topics.is_empty() {
                return Ok(None);
            }
            let topic = value::only(topics, concat!($name, ".topics"))?;
            let field = concat!($name, ".topics[0].topicName");
            value::check_topic(&topic.topic_name, field)?;
            let field = concat!($name, ".topics[0].partitions");
            let partition = value::only(topic.partitions, field)?;
            let field = concat!($name, ".topics[0].partitions[0].partitionIndex");
            value::check_partition(partition.partition_index, field)?;
            Ok(Some(QuorumEpochPartitionResponse {
                error_code: Errors(partition.error_code),
                leader_id: partition.leader_id.0,
                leader_epoch: partition.leader_epoch,
            }))
        }
    };
}

responses!(
    begin_response,
    from_begin_response,
    from_begin_topics,
    TheirBeginResponse,
    begun,
    "BeginQuorumEpochResponse"
);
responses!(
    end_response,
    from_end_response,
    from_end_topics,
    TheirEndResponse,
    ended,
    "EndQuorumEpochResponse"
);
