//! The life of a metadata log, crashed at every disk operation, by the end of the process and by the end of the machine:
//! it opens again, holds what was flushed, and nothing that was never appended.

use raft_log::batch::{Batch, BatchBuilder};
use raft_log::checkpoint::{KRaftRecords, SnapshotWriter};
use raft_log::log::{LogConfig, MetadataLog, MissingSnapshot};
use raft_log::quorum_state::QuorumStateFile;
use records::metadata::{NoOpRecord, VersionedRecord};
use records::{NodeId, OffsetAndEpoch};
use simulator::SimDisk;

const DIR: &str = "data/__cluster_metadata-0";
const QUORUM_STATE: &str = "data/__cluster_metadata-0/quorum-state";
const CONFIG: LogConfig = LogConfig {
    segment_bytes: 250,
    segment_ms: i64::MAX,
    retention_bytes: 0,
    retention_ms: -1,
    file_delete_delay_ms: 1_000,
    missing_snapshot: MissingSnapshot::Forgotten,
};

/// What the process knows to have done when it dies.
#[derive(Default)]
struct Done {
    /// Every batch that was handed to the log since it last was truncated, in order.
    appended: Vec<Batch>,
    /// Up to where a flush came back.
    flushed: i64,
    /// Checkpoints that are frozen.
    frozen: Vec<OffsetAndEpoch>,
    /// The last epoch that was made durable, and the one that was being.
    epochs: (i32, i32),
}

type Crash = Box<dyn std::error::Error>;

fn append(
    log: &mut MetadataLog,
    disk: &mut SimDisk,
    done: &mut Done,
    epoch: i32,
) -> Result<(), Crash> {
    let mut builder = BatchBuilder::data(log.end_offset(), epoch, 0);
    builder.append_data(&VersionedRecord::new(0, NoOpRecord::default()))?;
    let batch = builder.finish();
    done.appended.push(batch.clone());
    log.append_as_leader(disk, &[batch], epoch, 0)?;
    Ok(())
}

fn flush(log: &mut MetadataLog, disk: &mut SimDisk, done: &mut Done) -> Result<(), Crash> {
    log.flush(disk)?;
    done.flushed = log.end_offset();
    log.update_high_watermark(done.flushed);
    Ok(())
}

fn vote(disk: &mut SimDisk, done: &mut Done, epoch: i32) -> Result<(), Crash> {
    done.epochs.1 = epoch;
    QuorumStateFile::v0(epoch, Some(NodeId(1)), None, vec![NodeId(1)]).write(disk, QUORUM_STATE)?;
    done.epochs.0 = epoch;
    Ok(())
}

fn snapshot(
    log: &mut MetadataLog,
    disk: &mut SimDisk,
    done: &mut Done,
    epoch: i32,
) -> Result<(), Crash> {
    let id = OffsetAndEpoch {
        offset: log.high_watermark(),
        epoch,
    };
    let raw = log
        .create_new_snapshot(disk, id, 9)?
        .ok_or("it is a new one")?;
    let mut writer = SnapshotWriter::new(raw, 0, KRaftRecords::Absent, 0)?;
    writer.append(disk, &[VersionedRecord::new(0, NoOpRecord::default())], 0)?;
    writer.freeze(disk, 0)?;
    log.on_snapshot_frozen(id);
    done.frozen.push(id);
    Ok(())
}

/// Two terms, a truncation, segments that roll, checkpoints, cleaning, a clean stop.
fn live(disk: &mut SimDisk, done: &mut Done, config: LogConfig) -> Result<(), Crash> {
    let mut log = MetadataLog::open(disk, DIR, config, 0)?;
    vote(disk, done, 1)?;
    log.initialize_leader_epoch(disk, 1)?;
    for _ in 0..4 {
        append(&mut log, disk, done, 1)?;
    }
    flush(&mut log, disk, done)?;
    append(&mut log, disk, done, 1)?;
    // Another leader did not see the last record.
    vote(disk, done, 3)?;
    log.truncate_to(disk, 4, 0)?;
    done.appended.truncate(4);
    for _ in 0..5 {
        append(&mut log, disk, done, 3)?;
    }
    flush(&mut log, disk, done)?;
    snapshot(&mut log, disk, done, 3)?;
    for _ in 0..4 {
        append(&mut log, disk, done, 3)?;
    }
    flush(&mut log, disk, done)?;
    snapshot(&mut log, disk, done, 3)?;
    log.maybe_clean(disk, 0)?;
    log.run_deletions(disk, 1_000)?;
    append(&mut log, disk, done, 3)?;
    flush(&mut log, disk, done)?;
    log.close(disk)?;
    Ok(())
}

/// What is left opens, and is a whole prefix that holds at least what was flushed.
fn check(disk: &mut SimDisk, done: &Done, what: &str) {
    let log = MetadataLog::open(disk, DIR, CONFIG, 0)
        .unwrap_or_else(|error| panic!("{what}: the log does not open: {error}"));
    // A truncation that the machine forgot leaves the old end, which raft truncates again.
    let known = done
        .appended
        .iter()
        .rfind(|batch| batch.last_offset() < log.end_offset());
    let forgotten_end = log
        .batches()
        .last()
        .is_some_and(|batch| batch.leader_epoch() == 1)
        && log.end_offset() == 5;
    let same = log
        .batches()
        .all(|batch| done.appended.contains(batch) || (forgotten_end && batch.base_offset() == 4));
    assert!(same, "{what}: the log holds what was never appended");
    assert!(
        log.end_offset() >= done.flushed,
        "{what}: what was flushed is lost"
    );
    assert!(
        known.is_some() || log.end_offset() == 0 || log.batches().next().is_none(),
        "{what}"
    );
    let mut next = log
        .batches()
        .next()
        .map_or(log.end_offset(), Batch::base_offset);
    for batch in log.batches() {
        assert_eq!(batch.base_offset(), next, "{what}: a gap in the log");
        next = batch.next_offset();
    }
    assert_eq!(next, log.end_offset(), "{what}");
    if let Some(latest) = done.frozen.last() {
        assert!(
            log.snapshot_ids().any(|id| id == *latest),
            "{what}: a frozen checkpoint is lost"
        );
    }
    let state = QuorumStateFile::read(disk, QUORUM_STATE)
        .unwrap_or_else(|error| panic!("{what}: quorum-state does not read: {error}"));
    let epoch = state.map_or(0, |state| state.leader_epoch);
    assert!(
        epoch >= done.epochs.0 && epoch <= done.epochs.1,
        "{what}: epoch {epoch}"
    );
}

#[test]
fn a_log_crashed_at_every_operation_opens_again() {
    let mut whole = SimDisk::new();
    let mut done = Done::default();
    live(&mut whole, &mut done, CONFIG).expect("nothing fails without a crash");
    let operations = whole.operations();
    check(&mut whole, &done, "at the end");
    assert!(operations > 80, "{operations} operations");
    for number in 0..operations {
        for end in ["the process", "the machine"] {
            let what = format!("{end} ended at operation {number}");
            let mut disk = SimDisk::new();
            disk.crash_at_operation(number);
            let mut done = Done::default();
            assert!(live(&mut disk, &mut done, CONFIG).is_err(), "{what}");
            disk.recover();
            if end == "the machine" {
                disk.power_loss();
            }
            check(&mut disk, &done, &what);
        }
    }
}

#[test]
fn recovery_crashed_at_every_operation_is_recovered_from() {
    let scene = || {
        let mut disk = SimDisk::new();
        let mut done = Done::default();
        let config = LogConfig {
            retention_bytes: -1,
            ..CONFIG
        };
        live(&mut disk, &mut done, config).expect("nothing fails without a crash");
        // A wrong byte in a segment that others follow, an unfinished checkpoint, a stale epoch file.
        let is_segment = |(name, _): &(String, u64)| name.ends_with("log");
        let segments: Vec<_> = disk.files_in(DIR).into_iter().filter(is_segment).collect();
        let path = format!("{DIR}/{}", segments[segments.len() - 2].0);
        let mut bytes = disk.look(&path).expect("the segment is there").to_vec();
        bytes[70] ^= 1;
        disk.put(&path, bytes.into());
        disk.put(
            &format!("{DIR}/00000000000000000009-0000000003-5.checkpoint.part"),
            "x".into(),
        );
        disk.put(&format!("{DIR}/leader-epoch-checkpoint"), "".into());
        disk.settle();
        disk
    };
    let mut whole = scene();
    let before = whole.operations();
    let recovered = MetadataLog::open(&mut whole, DIR, CONFIG, 0).expect("it recovers");
    assert!(!recovered.recovery().is_empty());
    for number in before..whole.operations() {
        let mut disk = scene();
        disk.crash_at_operation(number);
        assert!(MetadataLog::open(&mut disk, DIR, CONFIG, 0).is_err());
        disk.recover();
        disk.power_loss();
        let again = MetadataLog::open(&mut disk, DIR, CONFIG, 0).expect("it recovers again");
        assert_eq!(
            again.end(),
            recovered.end(),
            "crashed at operation {number}"
        );
        assert_eq!(
            again.epochs(),
            recovered.epochs(),
            "crashed at operation {number}"
        );
    }
}
