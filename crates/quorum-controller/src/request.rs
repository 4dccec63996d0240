//! What may be asked of a controller, and what it answers.

use std::collections::BTreeMap;

use records::feature::VersionRange;
use records::metadata::VersionedRecord;
use records::{NodeId, Uuid};

/// The number of a request, in the order in which a controller was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A controller tells which features and endpoints it has (KIP-919).
    RegisterController(ControllerRegistration),
    /// An administrator wants other finalized features.
    UpdateFeatures(UpdateFeatures),
    /// A broker tells that it is there.
    RegisterBroker(BrokerRegistration),
    /// An administrator takes a broker away.
    UnregisterBroker(NodeId),
    /// An administrator configures brokers.
    SetBrokerConfigs(SetBrokerConfigs),
    /// An administrator takes a controller away (4.4).
    UnregisterController(NodeId),
    /// Somebody else has made the records of an operation: they are written as they stand.
    WriteRecords(Vec<VersionedRecord>),
}

impl Request {
    /// What the controller calls the operation.
    pub fn name(&self) -> &'static str {
        match self {
            Request::RegisterController(_) => "registerController",
            Request::UpdateFeatures(_) => "updateFeatures",
            Request::RegisterBroker(_) => "registerBroker",
            Request::UnregisterBroker(_) => "unregisterBroker",
            Request::SetBrokerConfigs(_) => "incrementalAlterConfigs",
            Request::UnregisterController(_) => "unregisterController",
            Request::WriteRecords(_) => "writeRecords",
        }
    }
}

/// The registration of a controller.
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

/// The registration of a broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokerRegistration {
    /// Its node id.
    pub broker_id: NodeId,
    /// Drawn anew by every process.
    pub incarnation_id: Uuid,
    /// Its listeners, the order counts.
    pub endpoints: Vec<Endpoint>,
    /// The features it supports, the order counts.
    pub features: Vec<(String, VersionRange)>,
    /// The ids of its log directories.
    pub log_dirs: Vec<Uuid>,
}

/// New values of a broker's dynamic configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetBrokerConfigs {
    /// Which broker; `None` for the default of all.
    pub broker: Option<NodeId>,
    /// Key and value, the order counts.
    pub values: Vec<(String, String)>,
}

/// One listener of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The name of the listener.
    pub name: String,
    /// Host.
    pub host: String,
    /// Port.
    pub port: u16,
    /// The id of the security protocol: 0 is PLAINTEXT.
    pub security_protocol: i16,
}

/// How a feature may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpgradeType {
    /// Only upwards.
    Upgrade,
    /// Downwards, if nothing is lost.
    SafeDowngrade,
    /// Downwards, whatever is lost.
    UnsafeDowngrade,
}

/// Whether a request is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// It is.
    Apply,
    /// It is only checked.
    ValidateOnly,
}

/// The features an administrator wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateFeatures {
    /// Level and kind of change, by feature.
    pub updates: BTreeMap<String, (i16, UpgradeType)>,
    /// Whether to carry it out.
    pub execution: Execution,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Which request.
    pub id: RequestId,
    /// What was done, all of it committed; or why nothing was.
    pub outcome: Result<Response, RequestError>,
}

/// What a request brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// All that was asked for.
    Done,
    /// For each feature of an update whether it changed (3.9, which lets the others pass).
    Features(BTreeMap<String, Result<(), RequestError>>),
    /// Nothing of an update of features is done (4.0+). Comes out as the error once all that was written before is
    /// committed.
    Refused(RequestError),
    /// A broker is registered.
    BrokerRegistered {
        /// The epoch it has now.
        epoch: i64,
    },
    /// Whether a broker's configuration changed.
    BrokerConfigs {
        /// As in the request.
        broker: Option<NodeId>,
        /// Or why not.
        outcome: Result<(), RequestError>,
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
        /// The feature.
        feature: String,
        /// The level that was asked for.
        level: i16,
        /// Why not.
        reason: String,
    },
    /// A registration contradicts itself, or another.
    #[error("the registration is refused: {reason}")]
    InvalidRegistration {
        /// Why.
        reason: String,
    },
    /// There is no such broker.
    #[error("broker {broker} is not registered")]
    BrokerIdNotRegistered {
        /// The broker.
        broker: NodeId,
    },
    /// There is no such controller.
    #[error("controller {controller} is not registered")]
    ControllerIdNotRegistered {
        /// The controller.
        controller: NodeId,
    },
    /// The request asks for what cannot be.
    #[error("the request is refused: {reason}")]
    InvalidRequest {
        /// Why.
        reason: String,
    },
    /// The operation would write too much.
    #[error("the operation would write more than {limit} records")]
    PolicyViolation {
        /// The limit.
        limit: usize,
    },
    /// Something went wrong that should not; the controller has renounced.
    #[error("unexpected: {0}")]
    Unknown(String),
}
