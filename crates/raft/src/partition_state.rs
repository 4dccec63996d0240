use disk::Disk;
use raft_log::batch::Batch;
use raft_log::log::MetadataLog;
use records::control::{ControlRecord, VotersRecord};
use records::{NodeId, ReplicaKey};
use releases::raft::VotersAfterTruncation;

use crate::history::LogHistory;
use crate::{
    Address, Endpoints, ListenerName, RaftFault, SupportedVersionRange, VoterNode, VoterSet,
};

/// What the control records of the local checkpoint and log say: voter sets and kraft.version, committed or not.
///
/// It has always read to the end of the log: at start, after every append, after a truncation, and after a checkpoint
/// replaced the log.
///
/// Source: `4.4:raft/…/internals/KRaftControlRecordStateMachine.java`.
#[derive(Clone, Debug)]
pub(crate) struct PartitionState {
    static_voters: VoterSet,
    voters: LogHistory<VoterSet>,
    kraft_versions: LogHistory<i16>,
    next_offset: i64,
}

/// What becomes of data batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Data {
    Decoded,
    Trusted,
}

/// Before anything was read.
const STARTING_NEXT_OFFSET: i64 = -1;

/// The largest kraft.version there is.
const NEWEST_KRAFT_VERSION: i16 = 1;

impl PartitionState {
    pub(crate) fn new(static_voters: VoterSet) -> Self {
        PartitionState {
            static_voters,
            voters: LogHistory::default(),
            kraft_versions: LogHistory::default(),
            next_offset: STARTING_NEXT_OFFSET,
        }
    }

    /// Reads what it has not read of the checkpoint and the log.
    pub(crate) fn update_state(
        &mut self,
        log: &mut MetadataLog,
        disk: &mut dyn Disk,
    ) -> Result<(), RaftFault> {
        // What is read from the disk at start may be damaged; what is appended later was checked when it was made.
        let data = if self.next_offset == STARTING_NEXT_OFFSET {
            Data::Decoded
        } else {
            Data::Trusted
        };
        self.maybe_load_snapshot(log, disk)?;
        while log.end_offset() > self.next_offset {
            let batches = log.read(self.next_offset, u64::MAX)?;
            if batches.is_empty() {
                // An empty segment after a gap: Kafka reads there for ever.
                return Err(RaftFault::EndlessRead {
                    next_offset: self.next_offset,
                    end_offset: log.end_offset(),
                });
            }
            for batch in batches {
                self.handle_batch(&batch, None, data)?;
                self.next_offset = batch.next_offset();
            }
        }
        Ok(())
    }

    fn maybe_load_snapshot(
        &mut self,
        log: &mut MetadataLog,
        disk: &mut dyn Disk,
    ) -> Result<(), RaftFault> {
        let starting = self.next_offset == STARTING_NEXT_OFFSET;
        let behind = starting || self.next_offset < log.start_offset();
        let newest = if behind {
            log.latest_snapshot(disk)?
        } else {
            None
        };
        match newest {
            Some(checkpoint) => {
                self.kraft_versions.clear();
                self.voters.clear();
                // Its records take the place of everything before its end offset.
                let last_contained_offset = checkpoint.last_contained_log_offset();
                for batch in checkpoint.batches() {
                    let (_, batch) = batch?;
                    self.handle_batch(&batch, Some(last_contained_offset), Data::Decoded)?;
                }
                self.next_offset = last_contained_offset + 1;
            }
            None if starting => self.next_offset = 0,
            None => {}
        }
        Ok(())
    }

    fn handle_batch(
        &mut self,
        batch: &Batch,
        all_at: Option<i64>,
        data: Data,
    ) -> Result<(), RaftFault> {
        if !batch.is_control() {
            // Kafka's raft thread decodes data records too, and ends the process at one that it cannot read.
            if data == Data::Decoded {
                batch.data_records()?;
            }
            return Ok(());
        }
        for (delta, record) in (0..).zip(batch.control_records()?) {
            let offset = all_at.unwrap_or(batch.base_offset() + delta);
            let added = match record {
                ControlRecord::KRaftVoters(voters) => {
                    self.voters.add_at(offset, voter_set_of(&voters))
                }
                ControlRecord::KRaftVersion(record) => {
                    if !(0..=NEWEST_KRAFT_VERSION).contains(&record.kraft_version) {
                        return Err(RaftFault::illegal(format!(
                            "kraft.version {} at offset {offset} is not known",
                            record.kraft_version
                        )));
                    }
                    self.kraft_versions.add_at(offset, record.kraft_version)
                }
                _ => Ok(()),
            };
            added.map_err(|order| {
                RaftFault::illegal(format!(
                    "a control record at offset {} after one at offset {}",
                    order.offset, order.last_offset
                ))
            })?;
        }
        Ok(())
    }

    /// The log was truncated to `end_offset`, or to nothing, in front of a checkpoint: then that is 0.
    pub(crate) fn truncate_new_entries(&mut self, end_offset: i64, rule: VotersAfterTruncation) {
        self.voters.truncate_new_entries(end_offset);
        self.kraft_versions.truncate_new_entries(end_offset);
        match rule {
            VotersAfterTruncation::ReadFromTheCut => {
                self.next_offset = self.next_offset.min(end_offset);
            }
            VotersAfterTruncation::ReadFromTheOldEnd => {}
        }
    }

    /// A checkpoint up to `start_offset` exists: what was replaced before it is not needed any more.
    pub(crate) fn truncate_old_entries(&mut self, start_offset: i64) {
        self.voters.truncate_old_entries(start_offset);
        self.kraft_versions.truncate_old_entries(start_offset);
    }

    /// The newest voter set, committed or not; the static one while there is none.
    pub(crate) fn last_voter_set(&self) -> &VoterSet {
        self.voters
            .last()
            .map_or(&self.static_voters, |(_, voters)| voters)
    }

    /// The newest voter set of the log and its offset.
    pub(crate) fn last_voter_set_entry(&self) -> Option<(i64, &VoterSet)> {
        self.voters.last()
    }

    /// The newest kraft.version, committed or not.
    pub(crate) fn last_kraft_version(&self) -> i16 {
        self.kraft_versions
            .last()
            .map_or(0, |(_, version)| *version)
    }

    /// The voter set in force at an offset, where the log says one.
    pub(crate) fn voter_set_at(&self, offset: i64) -> Option<&VoterSet> {
        self.voters.value_at_or_before(offset)
    }

    /// The kraft.version in force at an offset.
    pub(crate) fn kraft_version_at(&self, offset: i64) -> i16 {
        self.kraft_versions
            .value_at_or_before(offset)
            .copied()
            .unwrap_or(0)
    }
}

/// kraft.version 1 and above: voters are in the log and can be changed.
pub(crate) fn is_reconfig_supported(kraft_version: i16) -> bool {
    kraft_version >= 1
}

/// The voters of a record.
pub(crate) fn voter_set_of(record: &VotersRecord) -> VoterSet {
    VoterSet::from_record(record.voters.iter().map(|voter| VoterNode {
        voter_key: ReplicaKey::new(NodeId(voter.voter_id), voter.voter_directory_id),
        listeners: Endpoints::new(voter.endpoints.iter().map(|endpoint| {
            let address = Address::new(&endpoint.host, endpoint.port);
            (ListenerName::normalised(&endpoint.name), address)
        })),
        supported_kraft_version: SupportedVersionRange {
            min: voter.kraft_version_feature.min_supported_version,
            max: voter.kraft_version_feature.max_supported_version,
        },
    }))
}

#[cfg(test)]
mod tests {
    use disk::MemDisk;
    use proptest::prelude::*;
    use raft_log::batch::BatchBuilder;
    use raft_log::log::LogConfig;
    use records::Uuid;
    use records::metadata::{NoOpRecord, VersionedRecord};

    use super::*;
    use crate::control_batch;

    /// Voters by their ids; a bit each.
    fn voters(bits: u8) -> VoterSet {
        let ids = (0..8).filter(|id| bits & (1 << id) != 0);
        VoterSet::from_record(ids.map(|id| VoterNode {
            voter_key: ReplicaKey::new(NodeId(id), Uuid::from_bytes([id as u8 + 1; 16])),
            listeners: Endpoints::empty(),
            supported_kraft_version: SupportedVersionRange { min: 0, max: 1 },
        }))
    }

    struct Fixture {
        disk: MemDisk,
        log: MetadataLog,
        state: PartitionState,
        rule: VotersAfterTruncation,
    }

    impl Fixture {
        fn new(rule: VotersAfterTruncation) -> Self {
            let mut disk = MemDisk::new();
            let log = MetadataLog::open(&mut disk, "/metadata", LogConfig::default(), 0);
            let mut log = log.expect("an empty disk holds an empty log");
            let mut state = PartitionState::new(voters(0b111));
            let read = state.update_state(&mut log, &mut disk);
            read.expect("an empty log can be read");
            Fixture {
                disk,
                log,
                state,
                rule,
            }
        }

        fn append(&mut self, epoch: i32, batch: Batch) {
            let appended = self
                .log
                .append_as_leader(&mut self.disk, &[batch], epoch, 0);
            appended.expect("the batch follows the log");
            let read = self.state.update_state(&mut self.log, &mut self.disk);
            read.expect("the batch can be read");
        }

        fn append_voters(&mut self, epoch: i32, bits: u8) {
            let mut builder = BatchBuilder::control(self.log.end_offset(), epoch, 0);
            control_batch::append(&mut builder, &control_batch::voters(&voters(bits)));
            self.append(epoch, builder.finish());
        }

        fn append_records(&mut self, epoch: i32, count: usize) {
            let mut builder = BatchBuilder::data(self.log.end_offset(), epoch, 0);
            for _ in 0..count {
                let record = VersionedRecord::new(0, NoOpRecord::default());
                builder.append_data(&record).expect("a record");
            }
            self.append(epoch, builder.finish());
        }

        fn truncate_to(&mut self, offset: i64) {
            let cut = self.log.truncate_to(&mut self.disk, offset, 0);
            cut.expect("nothing is committed");
            self.state.truncate_new_entries(offset, self.rule);
        }
    }

    /// Kafka goes round for ever there (`maybeLoadLog` in `4.4:raft/…/internals/KRaftControlRecordStateMachine.java`).
    #[test]
    fn a_gap_before_an_empty_segment_is_named() {
        let mut fixture = Fixture::new(VotersAfterTruncation::ReadFromTheCut);
        fixture.append_records(1, 3);
        let mut disk = fixture.disk;
        let name = "/metadata/00000000000000000100.log";
        disk.create(name).expect("there is no such file");
        let opened = MetadataLog::open(&mut disk, "/metadata", LogConfig::default(), 0);
        let mut log = opened.expect("both segments can be read");
        let read = PartitionState::new(voters(0b111)).update_state(&mut log, &mut disk);
        let (next_offset, end_offset) = (3, 100);
        assert_eq!(
            read,
            Err(RaftFault::EndlessRead {
                next_offset,
                end_offset
            })
        );
    }

    proptest! {
        /// Against a list of what stands at each offset of the log, read from its beginning every time. Any voters may follow any
        /// (KAFKA-17973): a replica takes what the log says.
        #[test]
        fn equals_a_reading_of_the_whole_log(
            steps in proptest::collection::vec((0..6_u8, 1..=255_u8, 0..30_i64), 1..40),
        ) {
            let mut fixture = Fixture::new(VotersAfterTruncation::ReadFromTheCut);
            let mut list: Vec<Option<u8>> = Vec::new();
            let mut starts: Vec<usize> = Vec::new();
            for (epoch, (kind, bits, offset)) in (1..).zip(steps) {
                match kind {
                    0..=2 => {
                        starts.push(list.len());
                        fixture.append_voters(epoch, bits);
                        list.push(Some(bits));
                    }
                    3 => {
                        starts.push(list.len());
                        let count = usize::from(bits % 4) + 1;
                        fixture.append_records(epoch, count);
                        list.resize(list.len() + count, None);
                    }
                    _ => {
                        // A log is cut between batches.
                        let end = starts.iter().copied().find(|start| *start as i64 >= offset);
                        let end = end.unwrap_or(list.len());
                        starts.retain(|start| *start < end);
                        list.truncate(end);
                        fixture.truncate_to(end as i64);
                    }
                }
                let expected = list.iter().flatten().last().map_or(0b111, |bits| *bits);
                prop_assert_eq!(fixture.state.last_voter_set(), &voters(expected));
                for at in 0..list.len() {
                    let expected = list[..=at].iter().flatten().last().map(|bits| voters(*bits));
                    prop_assert_eq!(fixture.state.voter_set_at(at as i64), expected.as_ref());
                }
            }
        }
    }

    #[test]
    fn what_is_appended_where_the_log_was_cut_is_missed_by_kafka() {
        for (rule, known) in [
            (VotersAfterTruncation::ReadFromTheOldEnd, 0b111),
            (VotersAfterTruncation::ReadFromTheCut, 0b011),
        ] {
            let mut fixture = Fixture::new(rule);
            fixture.append_records(1, 5);
            fixture.truncate_to(0);
            fixture.append_voters(2, 0b011);
            assert_eq!(fixture.state.last_voter_set(), &voters(known), "{rule:?}");
            fixture.append_records(2, 9);
            assert_eq!(fixture.state.last_voter_set(), &voters(known), "{rule:?}");
        }
    }
}
