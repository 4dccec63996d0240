use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use raft_log::Damage;
use raft_log::batch::{Batch, read_batches};
use records::{OffsetAndEpoch, Uuid};

use super::errors::Errors;
use super::fetch_form::{
    EpochEndOffsetForm, FetchEndpointForm, FetchPartition, FetchRequestForm, FetchResponseForm,
    FetchResponsePartition, FetchResponseTopic, FetchSnapshotIdForm, FetchTopic,
};
use super::node::NodeEndpoint;
use super::rpc::{
    Content, METADATA_PARTITION, Rpc, at_most_one, check_partition, check_topic, metadata_topic,
    node_endpoint, only, port,
};
use crate::Address;

/// First version with epochs: fetches of replicas of a log that raft keeps.
const FIRST_WITH_EPOCHS: i16 = 12;
/// From this version on the topic is named by its id.
const FIRST_WITH_TOPIC_ID: i16 = 13;
/// From this version on the replica stands in a struct of its own.
const FIRST_WITH_REPLICA_STATE: i16 = 15;
/// First version with the leader's endpoint. Raft gives it from version 17 on only.
const FIRST_WITH_ENDPOINTS: i16 = 16;

/// What a replica asks of the leader: the records from an offset on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchRequest {
    /// The sender's cluster.
    pub cluster_id: Option<Arc<str>>,
    /// The sender, −1 for a node without id.
    pub replica_id: i32,
    /// The sender's directory (v17+).
    pub replica_directory_id: Uuid,
    /// How long the answer may wait for something new, in milliseconds.
    pub max_wait_ms: i32,
    /// How many bytes of batches the answer may hold; at least one batch comes all the same.
    pub max_bytes: i32,
    /// The sender's epoch.
    pub current_leader_epoch: i32,
    /// The sender's log end offset.
    pub fetch_offset: i64,
    /// Epoch of the sender's last record.
    pub last_fetched_epoch: i32,
    /// The high watermark the sender knows, or −1 (v18+). Older versions say the largest offset there is.
    pub high_watermark: i64,
}

/// Answer to [`FetchRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchResponse {
    /// Top level error.
    pub error_code: Errors,
    /// Absent with a top level error.
    pub partition: Option<FetchPartitionResponse>,
    /// The leader's endpoint, where one is known (v17+).
    pub node_endpoint: Option<NodeEndpoint>,
}

/// The partition of a [`FetchResponse`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchPartitionResponse {
    pub error_code: Errors,
    /// The leader's high watermark, or −1.
    pub high_watermark: i64,
    /// The leader's log start offset.
    pub log_start_offset: i64,
    /// Where the sender must truncate to, or nothing.
    pub diverging_epoch: Option<DivergingEpoch>,
    /// The leader the receiver knows, or −1.
    pub leader_id: i32,
    /// The receiver's epoch.
    pub leader_epoch: i32,
    /// The checkpoint the sender must fetch, or nothing.
    pub snapshot_id: Option<OffsetAndEpoch>,
    /// Whole batches, shared.
    pub records: Vec<Batch>,
    /// The beginning of one more, cut short where the answer is full; nobody reads it.
    pub cut: Bytes,
}

/// Up to where the receiver's log agrees with an epoch of the sender's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DivergingEpoch {
    pub epoch: i32,
    pub end_offset: i64,
}

impl FetchResponse {
    /// Only a top level error.
    pub fn failed(error_code: Errors) -> Self {
        FetchResponse {
            error_code,
            partition: None,
            node_endpoint: None,
        }
    }

    /// Whether a batch in it holds records of raft's client.
    pub fn carries_data(&self) -> bool {
        let records = self.partition.iter().flat_map(|part| &part.records);
        records.into_iter().any(|batch| !batch.is_control())
    }
}

impl FetchPartitionResponse {}

impl Rpc for FetchRequest {
    type Form = FetchRequestForm;

    fn to_form(&self, version: i16) -> FetchRequestForm {
        let partition = FetchPartition {
            index: METADATA_PARTITION,
            current_leader_epoch: self.current_leader_epoch,
            fetch_offset: self.fetch_offset,
            last_fetched_epoch: if version < FIRST_WITH_EPOCHS {
                -1
            } else {
                self.last_fetched_epoch
            },
            replica_directory_id: self.replica_directory_id,
            high_watermark: self.high_watermark,
            ..FetchPartition::default()
        };
        let topic = FetchTopic {
            name: metadata_topic(),
            id: Uuid::METADATA_TOPIC_ID,
            partitions: vec![partition],
            ..FetchTopic::default()
        };
        let mut form = FetchRequestForm {
            cluster_id: self.cluster_id.clone(),
            max_wait_ms: self.max_wait_ms,
            max_bytes: self.max_bytes,
            topics: vec![topic],
            ..FetchRequestForm::default()
        };
        if version < FIRST_WITH_REPLICA_STATE {
            form.replica_id = self.replica_id;
        } else {
            form.replica_state.replica_id = self.replica_id;
        }
        form
    }

    fn of_form(form: FetchRequestForm, version: i16) -> Result<Self, Content> {
        let topic = only(form.topics, "topics")?;
        if version < FIRST_WITH_TOPIC_ID {
            check_topic(&topic.name, "topics[0].topic")?;
        } else {
            check_topic_id(topic.id, "topics[0].topicId")?;
        }
        let partition = only(topic.partitions, "topics[0].partitions")?;
        check_partition(partition.index, "topics[0].partitions[0].partition")?;
        Ok(FetchRequest {
            cluster_id: form.cluster_id,
            replica_id: if version < FIRST_WITH_REPLICA_STATE {
                form.replica_id
            } else {
                form.replica_state.replica_id
            },
            replica_directory_id: partition.replica_directory_id,
            max_wait_ms: form.max_wait_ms,
            max_bytes: form.max_bytes,
            current_leader_epoch: partition.current_leader_epoch,
            fetch_offset: partition.fetch_offset,
            last_fetched_epoch: partition.last_fetched_epoch,
            high_watermark: partition.high_watermark,
        })
    }
}

impl Rpc for FetchResponse {
    type Form = FetchResponseForm;

    fn to_form(&self, version: i16) -> FetchResponseForm {
        let topics = self.partition.iter().map(|partition| FetchResponseTopic {
            name: metadata_topic(),
            id: Uuid::METADATA_TOPIC_ID,
            partitions: vec![partition.to_form(version)],
            ..FetchResponseTopic::default()
        });
        let known = self.node_endpoint.iter();
        let endpoints = known.filter(|_| version >= FIRST_WITH_ENDPOINTS);
        let endpoints = endpoints.map(|endpoint| FetchEndpointForm {
            node_id: endpoint.node_id,
            host: endpoint.address.host.clone(),
            port: endpoint.address.port.into(),
            ..FetchEndpointForm::default()
        });
        FetchResponseForm {
            error_code: self.error_code,
            responses: topics.collect(),
            node_endpoints: endpoints.collect(),
            ..FetchResponseForm::default()
        }
    }

    fn of_form(form: FetchResponseForm, version: i16) -> Result<Self, Content> {
        let mut partition = None;
        if let Some(topic) = at_most_one(form.responses, "responses")? {
            if version < FIRST_WITH_TOPIC_ID {
                check_topic(&topic.name, "responses[0].topic")?;
            } else {
                check_topic_id(topic.id, "responses[0].topicId")?;
            }
            let read = only(topic.partitions, "responses[0].partitions")?;
            check_partition(read.index, "responses[0].partitions[0].partitionIndex")?;
            partition = Some(FetchPartitionResponse::of_form(read)?);
        }
        let mut endpoints = Vec::with_capacity(form.node_endpoints.len());
        for endpoint in form.node_endpoints {
            let port = port(endpoint.port, "nodeEndpoints[].port")?;
            endpoints.push(NodeEndpoint {
                node_id: endpoint.node_id,
                address: Address {
                    host: endpoint.host,
                    port,
                },
            });
        }
        let leader_id = partition.as_ref().map(|partition| partition.leader_id);
        Ok(FetchResponse {
            error_code: form.error_code,
            partition,
            node_endpoint: node_endpoint(leader_id, endpoints),
        })
    }
}

impl FetchPartitionResponse {
    fn to_form(&self, version: i16) -> FetchResponsePartition {
        let mut form = FetchResponsePartition {
            index: METADATA_PARTITION,
            error_code: self.error_code,
            high_watermark: self.high_watermark,
            log_start_offset: self.log_start_offset,
            records: Some(joined(&self.records, &self.cut)),
            ..FetchResponsePartition::default()
        };
        if version < FIRST_WITH_EPOCHS {
            return form;
        }
        form.current_leader.leader_id = self.leader_id;
        form.current_leader.leader_epoch = self.leader_epoch;
        if let Some(diverging) = self.diverging_epoch {
            form.diverging_epoch.epoch = diverging.epoch;
            form.diverging_epoch.end_offset = diverging.end_offset;
        }
        if let Some(id) = self.snapshot_id {
            form.snapshot_id.end_offset = id.offset;
            form.snapshot_id.epoch = id.epoch;
        }
        form
    }

    fn of_form(form: FetchResponsePartition) -> Result<Self, Content> {
        let (diverging, snapshot) = (&form.diverging_epoch, &form.snapshot_id);
        let bytes = form.records.unwrap_or_default();
        let records = batches(&bytes)?;
        let whole: usize = records.iter().map(Batch::size).sum();
        Ok(FetchPartitionResponse {
            error_code: form.error_code,
            high_watermark: form.high_watermark,
            log_start_offset: form.log_start_offset,
            diverging_epoch: (*diverging != EpochEndOffsetForm::default()).then_some(
                DivergingEpoch {
                    epoch: diverging.epoch,
                    end_offset: diverging.end_offset,
                },
            ),
            leader_id: form.current_leader.leader_id,
            leader_epoch: form.current_leader.leader_epoch,
            snapshot_id: (*snapshot != FetchSnapshotIdForm::default()).then_some(OffsetAndEpoch {
                offset: snapshot.end_offset,
                epoch: snapshot.epoch,
            }),
            records,
            cut: bytes.slice(whole..),
        })
    }
}

fn check_topic_id(id: Uuid, field: &'static str) -> Result<(), Content> {
    match id {
        Uuid::METADATA_TOPIC_ID => Ok(()),
        other => Err(Content::new(field, "AAAAAAAAAAAAAAAAAAAAAQ", other)),
    }
}

/// Batches as they stand one after the other; a single one is shared.
fn joined(batches: &[Batch], cut: &Bytes) -> Bytes {
    match batches {
        [] => Bytes::new(),
        [batch] if cut.is_empty() => batch.bytes().clone(),
        batches => {
            let size: usize = batches.iter().map(Batch::size).sum();
            let mut out = BytesMut::with_capacity(size + cut.len());
            for batch in batches {
                out.extend_from_slice(batch.bytes());
            }
            out.extend_from_slice(cut);
            out.freeze()
        }
    }
}

/// The whole batches; a leader may cut the last one short where the answer is full, and readers let that pass.
fn batches(records: &Bytes) -> Result<Vec<Batch>, Content> {
    let mut batches = Vec::new();
    for batch in read_batches("records", records, 0) {
        match batch {
            Ok(batch) => batches.push(batch),
            Err(corrupt) if corrupt.damage == Damage::Torn => break,
            Err(corrupt) => return Err(Content::Records(corrupt)),
        }
    }
    Ok(batches)
}
