//! Topics and partitions (`4.4:metadata/…/image/TopicsImage.java`, `TopicsDelta.java`, `TopicDelta.java`).

use std::sync::Arc;

use determinism::java::HashTable;
use imbl::OrdMap;
use records::feature::Capability;
use records::metadata::{
    ClearElrRecord, MetadataRecord, PartitionChangeRecord, PartitionRecord, RecordKind,
    RemoveTopicRecord, TopicRecord, VersionedRecord,
};
use records::{TaggedFields, Uuid};

use crate::parts::insert;
use crate::write_options::{EligibleLeaderReplicas, WriteOptions};
use crate::{ApplyError, Delta, entry_hash};

/// `leader` of a partition change that keeps the leader.
const NO_LEADER_CHANGE: i32 = -2;
/// `leaderRecoveryState` of a partition change that keeps the state.
const NO_RECOVERY_STATE_CHANGE: i8 = -1;
/// The directory of a replica whose broker has not said yet where it lies (`DirectoryId.MIGRATING`).
const MIGRATING: Uuid = Uuid::ZERO;

/// A topic with its partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicImage {
    name: String,
    id: Uuid,
    partitions: OrdMap<i32, Arc<PartitionRecord>>,
}

impl TopicImage {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn id(&self) -> Uuid {
        self.id
    }

    /// A partition, in the shape a snapshot would hold.
    pub fn partition(&self, number: i32) -> Option<&PartitionRecord> {
        self.partitions.get(&number).map(AsRef::as_ref)
    }

    /// Its partitions, in the shape a snapshot would hold, by number.
    pub fn partitions(&self) -> impl Iterator<Item = &PartitionRecord> {
        self.partitions.values().map(AsRef::as_ref)
    }
}

/// The topics of the cluster, found by id and by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicsImage {
    by_id: OrdMap<Uuid, TopicImage>,
    by_name: OrdMap<String, Uuid>,
}

fn partition_entry(record: PartitionRecord) -> (i16, MetadataRecord) {
    (2, MetadataRecord::Partition(record))
}

fn topic_hash(name: &str, id: Uuid) -> u64 {
    entry_hash::of_parts("topic", &[name.as_bytes(), id.as_bytes()])
}

impl TopicsImage {
    /// The topic of that name.
    pub fn named(&self, name: &str) -> Option<&TopicImage> {
        self.by_id.get(self.by_name.get(name)?)
    }

    /// The topic of that id.
    pub fn with_id(&self, id: Uuid) -> Option<&TopicImage> {
        self.by_id.get(&id)
    }

    /// All topics, by id.
    pub fn iter(&self) -> impl Iterator<Item = &TopicImage> {
        self.by_id.values()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    pub(crate) fn add_topic(&mut self, record: &TopicRecord, delta: &mut Delta, hash: &mut u64) {
        self.forget(record.topic_id, hash);
        if let Some(older) = self.by_name.get(&record.name).copied() {
            // A topic of the same name takes the place of the older one, whose records nobody can reach by name.
            self.forget(older, hash);
        }
        *hash = hash.wrapping_add(topic_hash(&record.name, record.topic_id));
        let topic = TopicImage {
            name: record.name.clone(),
            id: record.topic_id,
            partitions: OrdMap::new(),
        };
        self.by_id.insert(record.topic_id, topic);
        self.by_name.insert(record.name.clone(), record.topic_id);
        delta.topics.insert(record.topic_id);
    }

    /// Returns the name of the topic that is gone.
    pub(crate) fn remove_topic(
        &mut self,
        record: &RemoveTopicRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<String, ApplyError> {
        delta.topics.insert(record.topic_id);
        self.forget(record.topic_id, hash)
            .ok_or(ApplyError::UnknownTopicId {
                id: record.topic_id,
                record: "RemoveTopicRecord",
            })
    }

    fn forget(&mut self, id: Uuid, hash: &mut u64) -> Option<String> {
        let topic = self.by_id.remove(&id)?;
        *hash = hash.wrapping_sub(topic_hash(&topic.name, id));
        for partition in topic.partitions.values() {
            let (version, record) = partition_entry((**partition).clone());
            *hash = hash.wrapping_sub(entry_hash::of_record(version, record));
        }
        self.by_name.remove(&topic.name);
        Some(topic.name)
    }

    pub(crate) fn add_partition(
        &mut self,
        record: &PartitionRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        let id = record.topic_id;
        let topic = self.by_id.get_mut(&id).ok_or(ApplyError::UnknownTopicId {
            id,
            record: "PartitionRecord",
        })?;
        let mut entry = record.clone();
        entry.unknown_tagged_fields = TaggedFields::new();
        check_recovery_state("PartitionRecord", record.leader_recovery_state)?;
        check_directories("PartitionRecord", &record.replicas, &record.directories)?;
        normalize(&mut entry);
        insert(
            &mut topic.partitions,
            record.partition_id,
            entry,
            hash,
            partition_entry,
        );
        delta.topics.insert(id);
        Ok(())
    }

    pub(crate) fn change_partition(
        &mut self,
        record: &PartitionChangeRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        let id = record.topic_id;
        let topic = self.by_id.get_mut(&id).ok_or(ApplyError::UnknownTopicId {
            id,
            record: "PartitionChangeRecord",
        })?;
        let Some(current) = topic.partitions.get(&record.partition_id) else {
            return Err(ApplyError::UnknownPartition {
                topic: id,
                partition: record.partition_id,
            });
        };
        if record.leader_recovery_state != NO_RECOVERY_STATE_CHANGE {
            check_recovery_state("PartitionChangeRecord", record.leader_recovery_state)?;
        }
        if let (Some(replicas), Some(directories)) = (&record.replicas, &record.directories) {
            check_directories("PartitionChangeRecord", replicas, directories)?;
        }
        let next = merge(current, record);
        check_directories("PartitionChangeRecord", &next.replicas, &next.directories)?;
        insert(
            &mut topic.partitions,
            record.partition_id,
            next,
            hash,
            partition_entry,
        );
        delta.topics.insert(id);
        Ok(())
    }

    pub(crate) fn clear_elr(
        &mut self,
        record: &ClearElrRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        let ids: Vec<Uuid> = if record.topic_name.is_empty() {
            self.by_id.keys().copied().collect()
        } else {
            let name = record.topic_name.clone();
            vec![*self.by_name.get(&name).ok_or(ApplyError::UnknownTopic {
                name,
                record: "ClearElrRecord",
            })?]
        };
        for id in ids {
            self.clear_elr_of(id, delta, hash)?;
        }
        Ok(())
    }

    fn clear_elr_of(
        &mut self,
        id: Uuid,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        let Some(topic) = self.by_id.get(&id) else {
            return Ok(());
        };
        let with_elr = |partition: &&PartitionRecord| {
            partition.eligible_leader_replicas.is_some() || partition.last_known_elr.is_some()
        };
        let partitions: Vec<i32> = topic
            .partitions()
            .filter(with_elr)
            .map(|p| p.partition_id)
            .collect();
        for partition_id in partitions {
            let change = PartitionChangeRecord {
                partition_id,
                topic_id: id,
                leader: NO_LEADER_CHANGE,
                leader_recovery_state: NO_RECOVERY_STATE_CHANGE,
                eligible_leader_replicas: Some(Vec::new()),
                last_known_elr: Some(Vec::new()),
                ..Default::default()
            };
            self.change_partition(&change, delta, hash)?;
        }
        Ok(())
    }

    pub(crate) fn write(&self, options: &WriteOptions, out: &mut Vec<VersionedRecord>) {
        // Kafka keeps topics in a persistent map that is sorted by hash (`org.pcollections.HashTreePMap`).
        let mut topics: Vec<_> = self.by_id.values().collect();
        topics.sort_by_key(|topic| topic.id.hash_code());
        for topic in topics {
            let record = TopicRecord {
                name: topic.name.clone(),
                topic_id: topic.id,
                ..Default::default()
            };
            out.push(VersionedRecord {
                version: 0,
                record: MetadataRecord::Topic(record),
            });
            let mut partitions: Vec<_> = topic.partitions().collect();
            HashTable::with_capacity(1).sort(&mut partitions, |p| p.partition_id);
            for partition in partitions {
                let mut record = partition.clone();
                if options.elr == EligibleLeaderReplicas::LeftOut {
                    record.eligible_leader_replicas = None;
                    record.last_known_elr = None;
                }
                if !options.can(Capability::DirectoryAssignment) {
                    record.directories.clear();
                }
                let version = options.record_version(RecordKind::Partition);
                out.push(VersionedRecord {
                    version,
                    record: MetadataRecord::Partition(record),
                });
            }
        }
    }
}

/// 0 is recovered, 1 is recovering.
fn check_recovery_state(record: &'static str, state: i8) -> Result<(), ApplyError> {
    match state {
        0 | 1 => Ok(()),
        _ => Err(ApplyError::UnknownValue {
            record,
            field: "leaderRecoveryState",
            value: i64::from(state),
        }),
    }
}

/// Every replica has a directory, or none has.
fn check_directories(
    record: &'static str,
    replicas: &[i32],
    directories: &[Uuid],
) -> Result<(), ApplyError> {
    let (replicas, directories) = (replicas.len(), directories.len());
    if directories == 0 || replicas == directories {
        return Ok(());
    }
    Err(ApplyError::DirectoryCount {
        record,
        replicas,
        directories,
    })
}

/// A partition as Kafka keeps it: one directory per replica, unknown ones if no record named another, and no empty list
/// of eligible leaders.
fn normalize(partition: &mut PartitionRecord) {
    if partition.directories.iter().all(|id| *id == MIGRATING) {
        partition.directories = vec![MIGRATING; partition.replicas.len()];
    }
    for list in [
        &mut partition.eligible_leader_replicas,
        &mut partition.last_known_elr,
    ] {
        if list.as_ref().is_some_and(Vec::is_empty) {
            *list = None;
        }
    }
}

/// `PartitionRegistration.merge` (4.4): absent fields keep their value, a named leader begins a new leader epoch.
pub fn merge(current: &PartitionRecord, change: &PartitionChangeRecord) -> PartitionRecord {
    let mut next = current.clone();
    let keep = |new: &Option<Vec<i32>>, old: &mut Vec<i32>| {
        if let Some(new) = new {
            old.clone_from(new);
        }
    };
    keep(&change.isr, &mut next.isr);
    keep(&change.replicas, &mut next.replicas);
    keep(&change.removing_replicas, &mut next.removing_replicas);
    keep(&change.adding_replicas, &mut next.adding_replicas);
    if let Some(directories) = &change.directories {
        next.directories.clone_from(directories);
    }
    if change.leader != NO_LEADER_CHANGE {
        next.leader = change.leader;
        next.leader_epoch = next.leader_epoch.wrapping_add(1);
    }
    if change.leader_recovery_state != NO_RECOVERY_STATE_CHANGE {
        next.leader_recovery_state = change.leader_recovery_state;
    }
    if change.eligible_leader_replicas.is_some() {
        next.eligible_leader_replicas
            .clone_from(&change.eligible_leader_replicas);
    }
    if change.last_known_elr.is_some() {
        next.last_known_elr.clone_from(&change.last_known_elr);
    }
    next.partition_epoch = next.partition_epoch.wrapping_add(1);
    normalize(&mut next);
    next
}
