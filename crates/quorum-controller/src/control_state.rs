//! All that a controller goes back to: the metadata, and what it looks up quickly in it.

use determinism::java::hash_all;
use image::parts::configs::BROKER;
use image::{Delta, Dialect, MetadataImage};
use imbl::{OrdMap, OrdSet};
use records::metadata::{
    AccessControlEntryRecord, ConfigRecord, MetadataRecord, PartitionRecord, RemoveTopicRecord,
    VersionedRecord,
};
use records::{NodeId, Uuid};
use releases::replication::KeyHash;

use crate::broker_partitions::{
    BrokerPartitions, Holders, Leader, NO_LEADER, NotHeld, TopicPartition,
};
use crate::replay_error::ReplayError;
use crate::timeline::Revert;
use crate::timeline_table::{Hash, TimelineSet, TimelineTable};
use crate::timeline_tables::TimelineTables;

type Partitions = TimelineSet<TopicPartition>;

/// The state of a controller: a persistent value, as the image in it.
#[derive(Clone, Debug)]
pub struct ControlState {
    pub(crate) image: MetadataImage,
    /// The offset of the last registration of each broker.
    pub(crate) registration_offsets: TimelineTable<NodeId, i64>,
    /// Which partitions a broker is in sync with.
    pub(crate) in_sync: BrokerPartitions,
    /// Which partitions a broker may lead though it is not in sync.
    pub(crate) eligible: BrokerPartitions,
    /// Names of topics by what metrics call them, where that is not the same.
    pub(crate) ambiguous_names: OrdMap<String, OrdSet<String>>,
    /// Names of topics whose id came again under another name. Kafka's table of names keeps them.
    pub(crate) left_names: OrdSet<String>,
    /// Brokers and controllers that have a configuration of their own (`brokersWithConfigs`).
    pub(crate) configured_nodes: TimelineSet<i32>,
    /// What access control entries say, whatever their ids (`existingAcls`).
    pub(crate) acls: OrdSet<AclContent>,
    /// Where the last block of producer ids ends; `None` before any.
    pub(crate) next_producer_id: Option<i64>,
    /// Partitions whose leader is not the preferred one.
    pub(crate) imbalanced: Partitions,
    /// The partitions in each log directory.
    by_directory: TimelineTables<Uuid, TopicPartition, ()>,
    partition_hash: Hash<TopicPartition>,
}

impl ControlState {
    pub(crate) fn empty(hash: KeyHash) -> Self {
        let partition_hash: Hash<TopicPartition> = match hash {
            KeyHash::ObjectsHash => objects_hash,
            KeyHash::RecordHash => record_hash,
        };
        ControlState {
            image: MetadataImage::empty(),
            registration_offsets: TimelineTable::new(|id| id.0),
            in_sync: BrokerPartitions::default(),
            eligible: BrokerPartitions::default(),
            ambiguous_names: OrdMap::new(),
            left_names: OrdSet::new(),
            configured_nodes: TimelineTable::new(|id| *id),
            acls: OrdSet::new(),
            next_producer_id: None,
            imbalanced: TimelineTable::new(partition_hash),
            by_directory: TimelineTables::default(),
            partition_hash,
        }
    }

    pub fn image(&self) -> &MetadataImage {
        &self.image
    }

    /// The partitions in a log directory, in Kafka's order.
    pub(crate) fn in_directory(&self, directory: Uuid) -> Vec<TopicPartition> {
        let partitions = self.by_directory.get(&directory);
        partitions.map_or_else(Vec::new, |partitions| {
            let in_order = partitions.in_order().into_iter();
            in_order.map(|(at, ())| *at).collect()
        })
    }

    /// `TopicIdPartition.hashCode()`.
    pub(crate) fn hash_of(&self, at: &TopicPartition) -> i32 {
        (self.partition_hash)(at)
    }

    pub(crate) fn partition(&self, at: TopicPartition) -> Option<&PartitionRecord> {
        self.image
            .topics()
            .with_id(at.topic)?
            .partition(at.partition)
    }

    /// Folds a record in that stands at `offset`.
    pub(crate) fn apply(
        &mut self,
        record: &VersionedRecord,
        offset: i64,
        dialect: &Dialect,
    ) -> Result<(), ReplayError> {
        let touched = match &record.record {
            MetadataRecord::Partition(record) => Some((record.topic_id, record.partition_id)),
            MetadataRecord::PartitionChange(record) => Some((record.topic_id, record.partition_id)),
            _ => None,
        };
        let touched = touched.map(|(topic, partition)| TopicPartition { topic, partition });
        let before = touched.and_then(|at| self.partition(at)).cloned();
        let removed = match &record.record {
            MetadataRecord::RemoveTopic(record) => self.partitions_of(record),
            _ => Vec::new(),
        };
        self.note_name(&record.record);
        match &record.record {
            MetadataRecord::Config(record) => self.note_configured_node(record),
            MetadataRecord::RemoveAccessControlEntry(record) => {
                if let Some(entry) = self.image.acls().get(record.id) {
                    self.acls.remove(&acl_content(entry));
                }
            }
            _ => {}
        }
        self.image.apply(record, dialect, &mut Delta::default())?;
        match &record.record {
            MetadataRecord::RegisterBroker(record) => {
                self.registration_offsets
                    .insert(NodeId(record.broker_id), offset);
            }
            MetadataRecord::UnregisterBroker(record) => {
                self.registration_offsets.remove(&NodeId(record.broker_id));
            }
            MetadataRecord::RemoveTopic(record) => self.forget_topic(record.topic_id, &removed),
            MetadataRecord::AccessControlEntry(record) => {
                self.acls.insert(acl_content(record));
            }
            MetadataRecord::ProducerIds(record) => {
                self.next_producer_id = Some(record.next_producer_id);
            }
            _ => {}
        }
        if let Some(at) = touched {
            self.index(at, before.as_ref())?;
        }
        Ok(())
    }

    fn note_name(&mut self, record: &MetadataRecord) {
        match record {
            MetadataRecord::Topic(record) => {
                if let Some(older) = self.image.topics().with_id(record.topic_id) {
                    self.left_names.insert(older.name().to_owned());
                }
                if let Some(plain) = unified_name(&record.name) {
                    let names = self.ambiguous_names.entry(plain).or_default();
                    names.insert(record.name.clone());
                }
            }
            MetadataRecord::RemoveTopic(record) => {
                let topic = self.image.topics().with_id(record.topic_id);
                let Some(name) = topic.map(|topic| topic.name().to_owned()) else {
                    return;
                };
                let plain = unified_name(&name);
                if let Some(names) = plain
                    .as_ref()
                    .and_then(|of| self.ambiguous_names.get_mut(of))
                {
                    names.remove(&name);
                }
                if let Some(plain) = plain.filter(|of| {
                    let names = self.ambiguous_names.get(of);
                    names.is_some_and(OrdSet::is_empty)
                }) {
                    self.ambiguous_names.remove(&plain);
                }
            }
            _ => {}
        }
    }

    /// To be told before the image is. A node comes in with its first configuration and goes with its last.
    fn note_configured_node(&mut self, record: &ConfigRecord) {
        let (kind, name) = (record.resource_type, &record.resource_name);
        let Some(node) = name.parse().ok().filter(|_| kind == BROKER) else {
            return;
        };
        let mut configs = self.image.configs().of(kind, name).peekable();
        if configs.peek().is_none() {
            self.configured_nodes.add(node);
        }
        if record.value.is_none() && configs.all(|(config, _)| config == record.name) {
            self.configured_nodes.remove(&node);
        }
    }

    fn partitions_of(&self, record: &RemoveTopicRecord) -> Vec<PartitionRecord> {
        let topic = self.image.topics().with_id(record.topic_id);
        topic.map_or_else(Vec::new, |topic| topic.partitions().cloned().collect())
    }

    fn index(
        &mut self,
        at: TopicPartition,
        before: Option<&PartitionRecord>,
    ) -> Result<(), NotHeld> {
        let Some(after) = self.partition(at).cloned() else {
            return Ok(());
        };
        let held = |part: fn(&PartitionRecord) -> Holders<'_>| before.map_or(Holders::NONE, part);
        self.in_sync.update(at, held(in_sync), in_sync(&after))?;
        self.eligible.update(at, held(eligible), eligible(&after))?;
        let left = before.map_or(&[][..], |partition| &partition.directories);
        self.move_between_directories(at, left, &after.directories);
        if has_preferred_leader(&after) {
            self.imbalanced.remove(&at);
        } else {
            self.imbalanced.add(at);
        }
        Ok(())
    }

    fn move_between_directories(&mut self, at: TopicPartition, from: &[Uuid], to: &[Uuid]) {
        for directory in from.iter().filter(|id| !id.is_reserved()) {
            let Some(partitions) = self.by_directory.get_mut(directory) else {
                continue;
            };
            partitions.remove(&at);
            if partitions.is_empty() {
                self.by_directory.remove(directory);
            }
        }
        for directory in to.iter().filter(|id| !id.is_reserved()) {
            let hash = self.partition_hash;
            let new = || TimelineTable::new(hash);
            self.by_directory.get_or_insert(*directory, new).add(at);
        }
    }

    /// As in Kafka, directories keep partitions of a topic that is gone, if nobody was in sync with them
    /// (`4.4:…/ReplicationControlManager.java`, replay of a `RemoveTopicRecord`).
    fn forget_topic(&mut self, topic: Uuid, partitions: &[PartitionRecord]) {
        for record in partitions {
            let at = TopicPartition {
                topic,
                partition: record.partition_id,
            };
            for broker in &record.isr {
                self.in_sync.remove_topic(*broker, topic);
            }
            if !record.isr.is_empty() {
                self.move_between_directories(at, &record.directories, &[]);
            }
            for broker in eligible_of(record) {
                self.eligible.remove_topic(*broker, topic);
            }
            self.imbalanced.remove(&at);
        }
        self.in_sync.remove_topic(NO_LEADER, topic);
    }
}

impl Revert for ControlState {
    fn reverted_to(&self, earlier: &Self) -> Self {
        ControlState {
            in_sync: self.in_sync.reverted_to(&earlier.in_sync),
            eligible: self.eligible.reverted_to(&earlier.eligible),
            configured_nodes: self.configured_nodes.reverted_to(&earlier.configured_nodes),
            imbalanced: self.imbalanced.reverted_to(&earlier.imbalanced),
            by_directory: self.by_directory.reverted_to(&earlier.by_directory),
            ..earlier.clone()
        }
    }

    fn forget(&mut self, earliest: &Self) {
        self.in_sync.forget(&earliest.in_sync);
        self.eligible.forget(&earliest.eligible);
        self.configured_nodes.forget(&earliest.configured_nodes);
        self.imbalanced.forget(&earliest.imbalanced);
        self.by_directory.forget(&earliest.by_directory);
    }
}

/// All that an access control entry says but its id.
pub(crate) type AclContent = (i8, String, i8, String, String, i8, i8);

pub(crate) fn acl_content(entry: &AccessControlEntryRecord) -> AclContent {
    (
        entry.resource_type,
        entry.resource_name.clone(),
        entry.pattern_type,
        entry.principal.clone(),
        entry.host.clone(),
        entry.operation,
        entry.permission_type,
    )
}

fn in_sync(partition: &PartitionRecord) -> Holders<'_> {
    Holders {
        replicas: &partition.isr,
        leader: Leader::Is(partition.leader),
    }
}

fn eligible(partition: &PartitionRecord) -> Holders<'_> {
    Holders {
        replicas: eligible_of(partition),
        leader: Leader::Irrelevant,
    }
}

/// The eligible leader replicas of a partition.
pub(crate) fn eligible_of(partition: &PartitionRecord) -> &[i32] {
    partition
        .eligible_leader_replicas
        .as_deref()
        .unwrap_or_default()
}

/// Whether the first replica leads.
pub(crate) fn has_preferred_leader(partition: &PartitionRecord) -> bool {
    partition.leader == partition.replicas.first().copied().unwrap_or(NO_LEADER)
}

/// What metrics make of a name with periods or underscores: the two are not told apart there. `None` for other names.
pub(crate) fn unified_name(name: &str) -> Option<String> {
    name.contains(['.', '_']).then(|| name.replace('.', "_"))
}

fn record_hash(at: &TopicPartition) -> i32 {
    at.topic
        .hash_code()
        .wrapping_mul(31)
        .wrapping_add(at.partition)
}

fn objects_hash(at: &TopicPartition) -> i32 {
    hash_all([at.topic.hash_code(), at.partition])
}
