//! What may be asked of a controller, and what it answers.

use std::collections::BTreeMap;

use records::feature::VersionRange;
use records::metadata::VersionedRecord;
use records::{NodeId, Uuid};

use crate::api_error::ApiError;

mod brokers;
mod configs;
mod topics;

pub use brokers::{BrokerHeartbeat, BrokerRegistration, BrokerWish, HeartbeatReply};
pub use configs::{ConfigResource, ResourceKind, SetConfigs};
pub use topics::{
    AlterPartition, AlterPartitionForm, AlteredTopic, AssignReplicas, ConfigSource, CreatedTopic,
    EffectiveConfig, ElectLeaders, ElectionKind, FactorChange, InSync, NewTopic, PartitionOutcome,
    PartitionOutcomes, PartitionStanding, Reassign, TopicPartitions, TopicProperties,
};

/// The number of a request, in the order in which a controller was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// What a broker, another controller or an administrator asks of the active controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControllerRequest {
    /// A controller tells which features and endpoints it has (KIP-919).
    RegisterController(ControllerRegistration),
    /// An administrator wants other finalized features.
    UpdateFeatures(UpdateFeatures),
    /// A broker tells that it is there.
    RegisterBroker(BrokerRegistration),
    /// An administrator takes a broker away.
    UnregisterBroker(NodeId),
    /// A broker tells that it is still there, and what it wants.
    BrokerHeartbeat(BrokerHeartbeat),
    /// An administrator wants new topics.
    CreateTopics(Vec<NewTopic>),
    /// An administrator configures something.
    SetConfigs(SetConfigs),
    /// An administrator wants other leaders.
    ElectLeaders(ElectLeaders),
    /// A leader tells who is in sync.
    AlterPartition(AlterPartition),
    /// An administrator wants partitions on other brokers.
    Reassign(Reassign),
    /// A broker tells in which directories its replicas lie.
    AssignReplicas(AssignReplicas),
    /// A broker wants producer ids to hand out.
    AllocateProducerIds {
        broker: NodeId,
        /// The epoch of its registration.
        broker_epoch: i64,
    },
    /// An administrator takes a controller away (4.4).
    UnregisterController(NodeId),
    /// Somebody else has made the records of an operation: they are written as they stand.
    WriteRecords(Vec<VersionedRecord>),
}

impl ControllerRequest {
    /// What the controller calls the operation.
    pub fn name(&self) -> &'static str {
        match self {
            ControllerRequest::RegisterController(_) => "registerController",
            ControllerRequest::UpdateFeatures(_) => "updateFeatures",
            ControllerRequest::RegisterBroker(_) => "registerBroker",
            ControllerRequest::UnregisterBroker(_) => "unregisterBroker",
            ControllerRequest::BrokerHeartbeat(_) => "processBrokerHeartbeat",
            ControllerRequest::CreateTopics(_) => "createTopics",
            ControllerRequest::SetConfigs(_) => "incrementalAlterConfigs",
            ControllerRequest::ElectLeaders(_) => "electLeaders",
            ControllerRequest::AlterPartition(_) => "alterPartition",
            ControllerRequest::Reassign(_) => "alterPartitionReassignments",
            ControllerRequest::AssignReplicas(_) => "assignReplicasToDirs",
            ControllerRequest::AllocateProducerIds { .. } => "allocateProducerIds",
            ControllerRequest::UnregisterController(_) => "unregisterController",
            ControllerRequest::WriteRecords(_) => "writeRecords",
        }
    }
}

/// What a controller tells about itself when it registers (KIP-919).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControllerRegistration {
    /// Its node id.
    pub controller_id: NodeId,
    /// Drawn anew by every process.
    pub incarnation_id: Uuid,
    /// Whether it is ready for a migration from ZooKeeper (3.9).
    pub zk_migration_ready: bool,
    /// Its listeners, the order counts.
    pub endpoints: Vec<Endpoint>,
    /// The features it supports, the order counts.
    pub features: Vec<(String, VersionRange)>,
}

/// One listener of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The name of the listener.
    pub name: String,
    pub host: String,
    pub port: u16,
    /// The id of the security protocol: 0 is PLAINTEXT.
    pub security_protocol: i16,
}

/// How a feature may change (`4.4:clients/…/clients/admin/FeatureUpdate.java`, `UpgradeType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpgradeType {
    /// The level may only rise.
    Upgrade,
    /// Downwards, if nothing is lost.
    SafeDowngrade,
    /// Downwards, whatever is lost.
    UnsafeDowngrade,
    /// A code that has no meaning: refused.
    Unknown,
}

impl UpgradeType {
    /// The type with this code in a request.
    pub fn from_code(code: i8) -> Self {
        match code {
            1 => UpgradeType::Upgrade,
            2 => UpgradeType::SafeDowngrade,
            3 => UpgradeType::UnsafeDowngrade,
            _ => UpgradeType::Unknown,
        }
    }
}

/// Whether a request is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    Apply,
    /// It is only checked.
    ValidateOnly,
}

/// The level that an administrator wants a feature to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureUpdate {
    pub feature: String,
    pub level: i16,
    /// How it may change.
    pub upgrade_type: UpgradeType,
}

/// The features an administrator wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateFeatures {
    /// The updates in the order of the request. Of several updates of one feature the last counts.
    pub updates: Vec<FeatureUpdate>,
    /// Whether to carry it out.
    pub execution: Execution,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub id: RequestId,
    /// What was done, all of it committed; or why nothing was.
    pub outcome: Result<ControllerResponse, RequestError>,
}

/// What a request brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControllerResponse {
    /// All that was asked for.
    Done,
    /// All features of an update changed.
    FeaturesUpdated,
    /// For each feature of an update whether it changed (3.9, which lets the others pass).
    Features(BTreeMap<String, Result<(), RequestError>>),
    BrokerRegistered {
        /// The epoch it has now.
        epoch: i64,
    },
    /// A heartbeat is taken.
    Heartbeat(HeartbeatReply),
    /// What became of new topics, in the order in which they were asked for.
    TopicsCreated(Vec<CreatedTopic>),
    /// Whether a configuration changed.
    Configs {
        /// As in the request.
        resource: ConfigResource,
        /// Or why not.
        outcome: Result<(), ApiError>,
    },
    /// What became of elections.
    LeadersElected(PartitionOutcomes<String, ()>),
    /// What became of what a leader told.
    PartitionsAltered(PartitionOutcomes<Uuid, PartitionStanding>),
    /// What became of reassignments.
    Reassigned {
        /// As in the request.
        replication_factor: FactorChange,
        topics: PartitionOutcomes<String, ()>,
    },
    /// What became of replicas in directories.
    ReplicasAssigned(Vec<(Uuid, PartitionOutcomes<Uuid, ()>)>),
    /// Producer ids for a broker.
    ProducerIds {
        /// The first of them.
        first: i64,
        count: i32,
    },
}

/// Why a request is not fulfilled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// This is not the active controller.
    #[error("this is not the active controller{}", active.map(|id| format!("; node {id} is")).unwrap_or_default())]
    NotController {
        /// Who is, as far as raft knows.
        active: Option<NodeId>,
    },
    /// The controller shuts down.
    #[error("the controller is shutting down")]
    TimedOut,
    /// The metadata.version in force is too old for it.
    #[error("metadata.version {version} is too old to {what}")]
    UnsupportedVersion {
        /// The metadata.version in force, by name.
        version: String,
        /// What was asked for.
        what: &'static str,
    },
    /// A feature cannot have that level.
    #[error("feature {feature} cannot go to level {level}: {reason}")]
    InvalidUpdateVersion {
        feature: String,
        /// The level that was asked for.
        level: i16,
        reason: String,
    },
    /// A registration contradicts itself, or another.
    #[error("the registration is refused: {reason}")]
    InvalidRegistration { reason: String },
    /// It is refused with one of Kafka's codes.
    #[error(transparent)]
    Refused(#[from] ApiError),
    /// There is no such controller.
    #[error("controller {controller} is not registered")]
    ControllerIdNotRegistered { controller: NodeId },
    /// The request asks for what cannot be.
    #[error("the request is refused: {reason}")]
    InvalidRequest { reason: String },
    /// The operation would write too much.
    #[error("the operation would write more than {limit} records")]
    PolicyViolation { limit: usize },
    /// Something went wrong that should not; the controller has renounced.
    #[error("unexpected: {0}")]
    Unknown(String),
}
