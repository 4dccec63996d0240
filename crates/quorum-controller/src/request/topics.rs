//! What administrators ask about topics.

use records::Uuid;

use crate::api_error::ApiError;

/// A topic that is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTopic {
    pub name: String,
    /// How many partitions; −1 for the default.
    pub partitions: i32,
    /// How many replicas of each; −1 for the default.
    pub replication_factor: i32,
}

/// What became of a new topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedTopic {
    pub name: String,
    /// What it is like, or why it is not.
    pub outcome: Result<TopicProperties, ApiError>,
}

/// What a new topic is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicProperties {
    pub id: Uuid,
    /// How many partitions.
    pub partitions: usize,
    /// How many replicas of each.
    pub replication_factor: usize,
    /// Its configuration, by name.
    pub configs: Vec<EffectiveConfig>,
}

/// A configuration in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveConfig {
    pub name: &'static str,
    pub value: Option<String>,
    /// Where the value is from.
    pub source: ConfigSource,
}

/// Where a value is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigSource {
    /// The topic itself.
    Topic,
    /// The controller's own dynamic configuration.
    Node,
    /// The dynamic configuration of all nodes.
    Cluster,
    /// The controller's file.
    File,
    /// No configuration sets a value: the default holds.
    Default,
}

/// Names of topics, each with indexes of partitions.
pub type TopicPartitions = Vec<(String, Vec<i32>)>;

/// How leaders are to be elected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElectLeaders {
    /// Who may be elected.
    pub kind: ElectionKind,
    pub partitions: TopicPartitions,
}

/// Who may be elected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElectionKind {
    /// The preferred replica.
    Preferred,
    /// Any replica that is alive, in sync or not.
    Unclean,
}

/// How old the request of a leader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlterPartitionForm {
    /// It names topics (versions 0 and 1).
    ByName,
    /// It has topic ids.
    ById,
}

/// A leader tells who is in sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlterPartition {
    pub broker: i32,
    /// The epoch of its registration.
    pub broker_epoch: i64,
    /// How old the request is.
    pub form: AlterPartitionForm,
    pub topics: Vec<AlteredTopic>,
}

/// Partitions of one topic, of which a leader tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlteredTopic {
    /// Its name, where the request has one.
    pub name: String,
    /// Its id, where the request has one.
    pub id: Uuid,
    /// What is told of its partitions.
    pub partitions: Vec<InSync>,
}

/// Who is in sync with a partition, as its leader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InSync {
    pub partition: i32,
    pub leader_epoch: i32,
    /// The epoch of the partition that the leader knows.
    pub partition_epoch: i32,
    /// The replicas in sync, each with the epoch of its registration; −1 if that is not told.
    pub isr: Vec<(i32, i64)>,
    /// 1 while the leader recovers from an unclean election.
    pub recovery_state: i8,
}

/// What became of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionOutcome<T> {
    pub partition: i32,
    /// What it is now, or why not.
    pub outcome: Result<T, ApiError>,
}

/// What became of partitions, by topic.
pub type PartitionOutcomes<K, T> = Vec<(K, Vec<PartitionOutcome<T>>)>;

/// A partition as its leader is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionStanding {
    pub leader: i32,
    pub leader_epoch: i32,
    /// Who is in sync.
    pub isr: Vec<i32>,
    /// 1 while the leader recovers.
    pub recovery_state: i8,
    /// Counts every change.
    pub partition_epoch: i32,
}

/// A partition, and the brokers that it is to lie on; `None` to leave it where it was.
pub type Target = (i32, Option<Vec<i32>>);

/// A topic, and some of its partitions.
pub type PartitionsById = (Uuid, Vec<i32>);

/// Partitions are to lie on other brokers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reassign {
    /// Whether the number of replicas may change.
    pub replication_factor: FactorChange,
    /// By topic: partition, and its new replicas; `None` to cancel.
    pub topics: Vec<(String, Vec<Target>)>,
}

/// Whether a reassignment may change the number of replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorChange {
    Allowed,
    /// It may not (4.1 and later).
    Refused,
}

/// A broker tells in which directories its replicas lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignReplicas {
    pub broker: i32,
    /// The epoch of its registration.
    pub broker_epoch: i64,
    /// By directory and topic, the partitions.
    pub directories: Vec<(Uuid, Vec<PartitionsById>)>,
}
