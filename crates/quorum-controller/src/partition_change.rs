//! What becomes of a partition when something changes about it: who leads, who is in sync, whether a reassignment is
//! complete (`4.4:…/controller/PartitionChangeBuilder.java`).

use determinism::java::HashTable;
use records::Uuid;
use records::metadata::{PartitionChangeRecord, PartitionRecord, VersionedRecord};
use releases::ReplicationRules;
use releases::replication::{LastKnownLeader, LastKnownLeaderNote};

use crate::broker_partitions::{NO_LEADER, TopicPartition};
use crate::control_state::eligible_of;
use crate::reassignment::Reassignment;

/// `leader` of a record that keeps the leader.
const NO_LEADER_CHANGE: i32 = -2;
/// `leaderRecoveryState` of a record that keeps the state.
const NO_RECOVERY_STATE_CHANGE: i8 = -1;
/// The leader was elected uncleanly and has not caught up with that.
pub(crate) const RECOVERING: i8 = 1;

/// How a leader is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Election {
    /// The first replica if it can lead.
    Preferred,
    /// The leader stays if it can.
    Online,
    /// As `Online`; if nobody in sync can lead, somebody else does.
    Unclean,
}

/// Whether something is the case of the cluster as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ability {
    Yes,
    No,
}

impl Ability {
    fn is_there(self) -> bool {
        self == Ability::Yes
    }
}

impl From<bool> for Ability {
    fn from(is_there: bool) -> Self {
        if is_there { Ability::Yes } else { Ability::No }
    }
}

/// What a change depends on beside the partition.
#[derive(Clone, Copy)]
pub(crate) struct ChangeContext<'a> {
    pub(crate) rules: &'a ReplicationRules,
    /// Whether eligible leader replicas are enabled.
    pub(crate) eligible_leaders: Ability,
    /// Whether the metadata.version wants a new leader epoch when the in-sync replicas get fewer.
    pub(crate) bump_on_isr_shrink: Ability,
    /// Whether the metadata.version knows of leaders that recover.
    pub(crate) leader_recovery: Ability,
    /// Whether the metadata.version knows of log directories.
    pub(crate) directories: Ability,
    pub(crate) record_version: i16,
    /// `min.insync.replicas` of the topic, and not more than it has replicas.
    pub(crate) min_isr: i32,
    /// Whether a broker may lead this partition.
    pub(crate) may_lead: &'a dyn Fn(i32) -> bool,
    /// Where a broker puts a new replica.
    pub(crate) default_directory: &'a dyn Fn(i32) -> Uuid,
}

/// A change in the making: where the partition is to go, as far as it has been said.
pub(crate) struct PartitionChange<'a> {
    at: TopicPartition,
    partition: &'a PartitionRecord,
    setting: ChangeContext<'a>,
    pub(crate) election: Election,
    pub(crate) isr: Vec<i32>,
    pub(crate) replicas: Vec<i32>,
    pub(crate) removing: Vec<i32>,
    pub(crate) adding: Vec<i32>,
    pub(crate) recovery_state: i8,
    /// A replica that may have lost what it had.
    pub(crate) unclean_shutdown: Option<i32>,
    directories: Vec<(i32, Uuid)>,
    eligible: Vec<i32>,
}

struct Elected {
    leader: i32,
    is_unclean: bool,
}

fn clean(leader: i32) -> Elected {
    Elected {
        leader,
        is_unclean: false,
    }
}

fn unclean(leader: i32) -> Elected {
    Elected {
        leader,
        is_unclean: true,
    }
}

impl<'a> PartitionChange<'a> {
    pub(crate) fn new(
        at: TopicPartition,
        partition: &'a PartitionRecord,
        setting: ChangeContext<'a>,
    ) -> Self {
        let replicas = partition.replicas.iter().copied();
        PartitionChange {
            at,
            partition,
            setting,
            election: Election::Online,
            isr: partition.isr.clone(),
            replicas: partition.replicas.clone(),
            removing: partition.removing_replicas.clone(),
            adding: partition.adding_replicas.clone(),
            recovery_state: partition.leader_recovery_state,
            unclean_shutdown: None,
            directories: replicas
                .zip(partition.directories.iter().copied())
                .collect(),
            eligible: eligible_of(partition).to_vec(),
        }
    }

    /// The change is built as if eligible leaders were disabled.
    pub(crate) fn disable_eligible_leaders(&mut self) {
        self.setting.eligible_leaders = Ability::No;
    }

    /// A replica lies in that directory.
    pub(crate) fn set_directory(&mut self, broker: i32, directory: Uuid) {
        self.directories.retain(|(of, _)| *of != broker);
        self.directories.push((broker, directory));
    }

    /// The record of the change; `None` if nothing changes.
    pub(crate) fn build(mut self) -> Option<VersionedRecord> {
        let mut record = PartitionChangeRecord {
            topic_id: self.at.topic,
            partition_id: self.at.partition,
            leader: NO_LEADER_CHANGE,
            leader_recovery_state: NO_RECOVERY_STATE_CHANGE,
            ..Default::default()
        };
        self.complete_reassignment();
        self.collect_eligible();
        self.elect(&mut record);
        let lost_replica = self
            .partition
            .replicas
            .iter()
            .any(|replica| !self.replicas.contains(replica));
        if record.leader == NO_LEADER_CHANGE && lost_replica {
            record.leader = self.partition.leader;
        }
        self.write_eligible(&mut record);
        let may_empty = self.setting.eligible_leaders.is_there();
        if record.isr.is_none()
            && (!self.isr.is_empty() || may_empty)
            && self.isr != self.partition.isr
        {
            record.isr = Some(self.isr.clone());
        }
        self.bump_for_isr_shrink(&mut record);
        self.write_last_known_leader(&mut record);
        self.write_assignment(&mut record);
        if self.recovery_state != self.partition.leader_recovery_state {
            record.leader_recovery_state = self.recovery_state;
        }
        (!is_no_change(&record)).then(|| VersionedRecord::new(self.setting.record_version, record))
    }

    fn complete_reassignment(&mut self) {
        let reassignment = Reassignment {
            replicas: &self.replicas,
            removing: &self.removing,
            adding: &self.adding,
        };
        let end = self.setting.rules.reassignment_end;
        if let Some((replicas, isr)) = reassignment.completed(&self.isr, end) {
            (self.replicas, self.isr) = (replicas, isr);
            self.removing.clear();
            self.adding.clear();
        }
    }

    /// Who leaves the in-sync replicas below their minimum may still lead.
    fn collect_eligible(&mut self) {
        if !self.setting.eligible_leaders.is_there() {
            return;
        }
        if self.isr.len() as i64 >= i64::from(self.setting.min_isr) {
            self.eligible.clear();
            return;
        }
        let mut candidates = self.eligible.clone();
        for replica in &self.partition.isr {
            if !candidates.contains(replica) {
                candidates.push(*replica);
            }
        }
        let table = HashTable::copy_of_collection(self.eligible.len());
        table.sort(&mut candidates, |replica| *replica);
        self.eligible = candidates
            .into_iter()
            .filter(|replica| !self.isr.contains(replica))
            .filter(|replica| self.unclean_shutdown != Some(*replica))
            .collect();
    }

    fn may_lead(&self, replica: i32) -> bool {
        let is_in_sync = self.isr.contains(&replica)
            || (self.isr.is_empty() && self.eligible.contains(&replica));
        is_in_sync && (self.setting.may_lead)(replica)
    }

    fn last_known_leader(&self) -> Option<i32> {
        let known = self.partition.last_known_elr.as_deref().unwrap_or_default();
        let is_asked = self.setting.eligible_leaders.is_there()
            && self.eligible.is_empty()
            && self.isr.is_empty();
        match known {
            [leader] if is_asked => match self.setting.rules.last_known_leader {
                LastKnownLeader::EvenIfFenced => Some(*leader),
                LastKnownLeader::WhenAlive => {
                    Some(*leader).filter(|leader| (self.setting.may_lead)(*leader))
                }
            },
            _ => None,
        }
    }

    fn find_leader(&self) -> Elected {
        let current = self.partition.leader;
        let preferred = self.replicas.first().copied().unwrap_or(NO_LEADER);
        if self.election == Election::Preferred && self.may_lead(preferred) {
            return clean(preferred);
        }
        if self.may_lead(current) {
            return clean(current);
        }
        let online = self
            .replicas
            .iter()
            .find(|replica| self.may_lead(**replica));
        if let Some(leader) = online {
            return clean(*leader);
        }
        if let Some(leader) = self.last_known_leader() {
            return unclean(leader);
        }
        if self.election == Election::Unclean {
            let alive = self.replicas.iter();
            let mut alive = alive.filter(|replica| (self.setting.may_lead)(**replica));
            if let Some(leader) = alive.next() {
                return unclean(*leader);
            }
        }
        clean(NO_LEADER)
    }

    fn elect(&mut self, record: &mut PartitionChangeRecord) {
        let elected = self.find_leader();
        if elected.leader == self.partition.leader {
            return;
        }
        if self.eligible.contains(&elected.leader) {
            self.isr = vec![elected.leader];
            self.eligible.retain(|replica| *replica != elected.leader);
        }
        record.leader = elected.leader;
        if elected.is_unclean {
            record.isr = Some(vec![elected.leader]);
            if self.partition.leader_recovery_state != RECOVERING
                && self.setting.leader_recovery.is_there()
            {
                record.leader_recovery_state = RECOVERING;
            }
        }
    }

    fn write_eligible(&mut self, record: &mut PartitionChangeRecord) {
        let is_clean = record.isr.is_none();
        if !is_clean || !self.setting.eligible_leaders.is_there() {
            self.eligible.clear();
        }
        if self.eligible != eligible_of(self.partition) {
            record.eligible_leader_replicas = Some(self.eligible.clone());
        }
    }

    fn bump_for_isr_shrink(&self, record: &mut PartitionChangeRecord) {
        let Some(isr) = &record.isr else {
            return;
        };
        let shrinks = self
            .partition
            .isr
            .iter()
            .any(|replica| !isr.contains(replica));
        if self.setting.bump_on_isr_shrink.is_there()
            && record.leader == NO_LEADER_CHANGE
            && shrinks
        {
            record.leader = self.partition.leader;
        }
    }

    fn write_last_known_leader(&self, record: &mut PartitionChangeRecord) {
        if !self.setting.eligible_leaders.is_there() {
            return;
        }
        let known = self.partition.last_known_elr.as_deref().unwrap_or_default();
        let current = self.partition.leader;
        let (is_noted, is_forgotten) = match self.setting.rules.last_known_leader_note {
            LastKnownLeaderNote::WithInSyncReplicas => {
                let empties = record.isr.as_ref().is_some_and(Vec::is_empty);
                let has_leader =
                    record.leader >= 0 || (current != NO_LEADER && record.leader != NO_LEADER);
                (empties && known != [current], has_leader)
            }
            LastKnownLeaderNote::WithLeader => (
                record.leader == NO_LEADER && known.is_empty(),
                record.leader >= 0,
            ),
        };
        if is_noted {
            record.last_known_elr = Some(vec![current]);
        } else if is_forgotten && !known.is_empty() {
            record.last_known_elr = Some(Vec::new());
        }
    }

    fn write_assignment(&self, record: &mut PartitionChangeRecord) {
        if !self.replicas.is_empty() {
            if self.setting.directories.is_there() {
                let directory_of = |replica: &i32| {
                    let known = self.directories.iter().find(|(of, _)| of == replica);
                    known.map_or_else(
                        || (self.setting.default_directory)(*replica),
                        |(_, directory)| *directory,
                    )
                };
                let directories: Vec<Uuid> = self.replicas.iter().map(directory_of).collect();
                if directories != self.partition.directories {
                    record.directories = Some(directories);
                }
            }
            if self.replicas != self.partition.replicas {
                record.replicas = Some(self.replicas.clone());
            }
        }
        if self.removing != self.partition.removing_replicas {
            record.removing_replicas = Some(self.removing.clone());
        }
        if self.adding != self.partition.adding_replicas {
            record.adding_replicas = Some(self.adding.clone());
        }
    }
}

fn is_no_change(record: &PartitionChangeRecord) -> bool {
    record.isr.is_none()
        && record.eligible_leader_replicas.is_none()
        && record.last_known_elr.is_none()
        && record.leader == NO_LEADER_CHANGE
        && record.replicas.is_none()
        && record.removing_replicas.is_none()
        && record.adding_replicas.is_none()
        && record.leader_recovery_state == NO_RECOVERY_STATE_CHANGE
        && record.directories.is_none()
}
