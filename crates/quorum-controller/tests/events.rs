//! The order of events: claim, renounce, commits, requests, periodic records, failures.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod support;

use determinism::Time;
use image::feature_record;
use listener::{AppendError, CommittedBatches, Event, LeaderAndEpoch};

use quorum_controller::{
    ControllerConfig, ControllerRegistration, ControllerRequest, ControllerResponse, Endpoint,
    EventKind, FatalFault, PeriodicTask, RequestError,
};
use raft_log::batch::BatchBuilder;
use records::feature::VersionRange;
use records::metadata::{
    AbortTransactionRecord, BeginTransactionRecord, EndTransactionRecord, MetadataRecord,
    RegisterBrokerRecord, VersionedRecord,
};
use records::{NodeId, OffsetAndEpoch, Uuid};
use releases::Release;
use support::{Bench, NODE, checkpoint, config};

fn version(level: i16) -> VersionedRecord {
    feature_record("metadata.version", level)
}

fn active(release: Release, level: i16) -> Bench {
    let mut bench = Bench::new(release, vec![version(level)]);
    bench.lead(1).unwrap();
    bench.commit_all().unwrap();
    bench
}

fn registration() -> ControllerRequest {
    ControllerRequest::RegisterController(ControllerRegistration {
        controller_id: NODE,
        incarnation_id: Uuid::from_bytes([3; 16]),
        zk_migration_ready: true,
        endpoints: vec![Endpoint {
            name: "CONTROLLER".to_owned(),
            host: "localhost".to_owned(),
            port: 9093,
            security_protocol: 0,
        }],
        features: vec![(
            "metadata.version".to_owned(),
            VersionRange { min: 7, max: 33 },
        )],
    })
}

#[test]
fn activation_runs_before_requests_that_wait_already() {
    let mut bench = Bench::new(Release::V4_4_0, vec![version(33)]);
    bench.raft.lead(1);
    bench.commit_all().unwrap();
    bench.tell(Event::LeaderChange(bench.raft.leader_and_epoch));
    let id = bench.ask(registration());
    let ran = bench.run().unwrap();
    assert_eq!(
        ran,
        [
            EventKind::HandleLeaderChange,
            EventKind::CompleteActivation,
            EventKind::Request(id)
        ]
    );
    assert_eq!(bench.raft.names().last(), Some(&"RegisterControllerRecord"));
}

#[test]
fn an_answer_waits_for_the_commit() {
    let mut bench = active(Release::V4_4_0, 33);
    let id = bench.ask(registration());
    bench.run().unwrap();
    assert_eq!(bench.controller.poll_reply(), None);
    bench.commit_all().unwrap();
    let reply = bench.controller.poll_reply().unwrap();
    assert_eq!(
        (reply.id, reply.outcome),
        (id, Ok(ControllerResponse::Done))
    );
    let (_, record) = bench.raft.records().pop().unwrap();
    let MetadataRecord::RegisterController(record) = record.record else {
        panic!("{record:?}")
    };
    assert!(!record.zk_migration_ready, "4.0 and later never are");
    assert_eq!(record.end_points[0].port, 9093);
    assert_eq!(record.features[0].max_supported_version, 33);
}

#[test]
fn a_registration_needs_a_metadata_version_that_knows_it() {
    let mut bench = active(Release::V4_4_0, 14);
    bench.ask(registration());
    bench.run().unwrap();
    let outcome = bench.controller.poll_reply().unwrap().outcome;
    assert!(
        matches!(outcome, Err(RequestError::UnsupportedVersion { .. })),
        "{outcome:?}"
    );
    assert!(bench.controller.is_active() && bench.controller.faults().is_empty());
    let mut bench = active(Release::V3_9_2, 21);
    bench.ask(registration());
    bench.run().unwrap();
    let (_, record) = bench.raft.records().pop().unwrap();
    let MetadataRecord::RegisterController(record) = record.record else {
        panic!("{record:?}")
    };
    assert!(record.zk_migration_ready, "3.9 passes it on");
}

#[test]
fn a_standby_sends_callers_to_the_active_controller() {
    let mut bench = Bench::new(Release::V4_4_0, vec![version(33)]);
    bench.follow(2).unwrap();
    bench.ask(registration());
    bench.run().unwrap();
    let outcome = bench.controller.poll_reply().unwrap().outcome;
    assert_eq!(
        outcome,
        Err(RequestError::NotController {
            active: Some(NodeId(2))
        })
    );
}

#[test]
fn renouncing_fails_what_waits_and_takes_the_stable_state_again() {
    let mut bench = active(Release::V4_4_0, 33);
    let committed = bench.controller.image().clone();
    bench.ask(registration());
    bench.run().unwrap();
    assert_ne!(*bench.controller.image(), committed);
    bench.follow(2).unwrap();
    assert_eq!(bench.raft.resigned, [1]);
    assert_eq!(*bench.controller.image(), committed);
    assert!(!bench.controller.is_active());
    let outcome = bench.controller.poll_reply().unwrap().outcome;
    assert_eq!(outcome, Err(RequestError::NotController { active: None }));
    assert_eq!(bench.controller.offsets().next_write_offset(), None);
}

#[test]
fn leading_on_in_a_new_epoch_only_moves_the_claim() {
    let mut bench = active(Release::V4_4_0, 33);
    bench.raft.leader_and_epoch = LeaderAndEpoch::new(Some(NODE), 2);
    bench.tell(Event::LeaderChange(bench.raft.leader_and_epoch));
    assert_eq!(bench.run().unwrap(), [EventKind::HandleLeaderChange]);
    assert_eq!(bench.controller.claim_epoch(), Some(2));
    assert_eq!(bench.controller.activations().len(), 1);
}

#[test]
fn control_batches_move_no_offset() {
    let mut bench = active(Release::V4_4_0, 33);
    let before = bench.controller.offsets().last_committed_offset();
    bench.raft.lead(1);
    bench.commit_all().unwrap();
    assert_eq!(bench.controller.offsets().last_committed_offset(), before);
    assert_eq!(
        bench.raft.closed.last(),
        Some(&(before + 2)),
        "but the reader is closed"
    );
    bench.follow(2).unwrap();
}

#[test]
fn the_stable_offset_stays_before_an_open_transaction() {
    let mut bench = Bench::new(Release::V4_4_0, vec![version(33)]);
    bench.raft.replicate(1, &[version(33)]);
    bench.raft.replicate(
        1,
        &[VersionedRecord::new(0, BeginTransactionRecord::default())],
    );
    bench
        .raft
        .replicate(1, &[feature_record("group.version", 1)]);
    bench.commit_all().unwrap();
    let offsets = bench.controller.offsets();
    assert_eq!(
        (
            offsets.last_committed_offset(),
            offsets.last_stable_offset()
        ),
        (2, 0)
    );
    assert_eq!(offsets.transaction_start_offset(), Some(1));
    bench.raft.replicate(
        1,
        &[VersionedRecord::new(0, EndTransactionRecord::default())],
    );
    bench.commit_all().unwrap();
    let offsets = bench.controller.offsets();
    assert_eq!(
        (
            offsets.last_stable_offset(),
            offsets.transaction_start_offset()
        ),
        (3, None)
    );
}

#[test]
fn a_controller_that_wrote_the_end_of_a_transaction_takes_its_committed_half_for_stable() {
    // OffsetControlManager looks at the transaction as replayed, not as committed (3.9 to 4.4): the end is replayed
    // before the first half commits. Losing leadership then leaves half a transaction in memory, and the abort that
    // the next leader writes finds no open transaction.
    let config = ControllerConfig {
        max_records_per_batch: 3,
        ..config()
    };
    let records = vec![version(33), feature_record("group.version", 1)];
    let mut bench = Bench::with(&Release::V4_4_0.rules(), config, records);
    bench.lead(1).unwrap();
    bench.commit(1).unwrap();
    assert_eq!(bench.controller.offsets().last_stable_offset(), 3);
    bench.follow(2).unwrap();
    assert_eq!(
        bench.controller.image().features().level("group.version"),
        1
    );
    bench.raft.truncate();
    bench.raft.replicate(
        2,
        &[VersionedRecord::new(0, AbortTransactionRecord::default())],
    );
    let fault = bench.commit_all().unwrap_err();
    assert!(
        matches!(fault, FatalFault::CommittedRecord { offset: 4, .. }),
        "{fault}"
    );
}

#[test]
fn renouncing_inside_an_open_transaction_undoes_its_replayed_part() {
    let mut bench = Bench::new(Release::V4_4_0, vec![version(33)]);
    bench.raft.replicate(1, &[version(33)]);
    bench.raft.replicate(
        1,
        &[VersionedRecord::new(0, BeginTransactionRecord::default())],
    );
    bench.commit_all().unwrap();
    let stable = bench.controller.image().clone();
    bench
        .raft
        .replicate(1, &[feature_record("group.version", 1)]);
    bench.commit_all().unwrap();
    assert_ne!(*bench.controller.image(), stable);
    // Active for a moment: the abort cannot be appended any more.
    bench.raft.lead(2);
    bench.commit_all().unwrap();
    bench.raft.refuse = Some(AppendError::NotLeader { epoch: 2 });
    bench.tell(Event::LeaderChange(bench.raft.leader_and_epoch));
    bench.run().unwrap();
    assert_eq!(*bench.controller.image(), stable);
    assert_eq!(
        bench.controller.offsets().transaction_start_offset(),
        Some(1),
        "not in the state"
    );
}

#[test]
fn a_snapshot_replaces_everything_and_its_exclusive_end_counts_as_committed() {
    let mut bench = Bench::new(Release::V4_4_0, vec![version(33)]);
    bench
        .raft
        .replicate(1, &[version(33), feature_record("group.version", 1)]);
    bench.commit_all().unwrap();
    let id = OffsetAndEpoch {
        offset: 9,
        epoch: 4,
    };
    bench.tell(Event::LoadSnapshot(checkpoint(id, &[version(30)])));
    bench.run().unwrap();
    let offsets = bench.controller.offsets();
    assert_eq!(
        (
            offsets.last_committed_offset(),
            offsets.last_committed_epoch()
        ),
        (9, 4)
    );
    assert_eq!(offsets.last_stable_offset(), 9);
    assert_eq!(
        bench.controller.image().features().level("group.version"),
        0
    );
    assert_eq!(
        bench.controller.metadata_version().map(|version| version.0),
        Some(30)
    );
}

#[test]
fn a_checkpoint_while_active_ends_the_process() {
    let mut bench = active(Release::V4_4_0, 33);
    let reader = checkpoint(
        OffsetAndEpoch {
            offset: 9,
            epoch: 4,
        },
        &[version(30)],
    );
    bench.tell(Event::LoadSnapshot(reader.clone()));
    assert!(matches!(
        bench.run(),
        Err(FatalFault::CheckpointWhileActive { epoch: 1, .. })
    ));
    let mut bench = active(Release::V4_4_0, 33);
    bench.tell(Event::LoadBootstrap(reader));
    assert!(matches!(
        bench.run(),
        Err(FatalFault::CheckpointWhileActive { epoch: 1, .. })
    ));
}

#[test]
fn what_a_standby_cannot_replay_ends_the_process() {
    let mut bench = Bench::new(Release::V4_2_1, vec![version(25)]);
    bench.raft.replicate(1, &[version(25), version(33)]);
    let fault = bench.commit_all().unwrap_err();
    assert!(
        matches!(
            fault,
            FatalFault::CommittedRecord {
                offset: 1,
                base_offset: 0,
                ..
            }
        ),
        "{fault}"
    );
    let mut bench = Bench::new(Release::V4_0_2, vec![version(25)]);
    let id = OffsetAndEpoch {
        offset: 3,
        epoch: 1,
    };
    bench.tell(Event::LoadSnapshot(checkpoint(
        id,
        &[version(25), version(33)],
    )));
    let fault = bench.run().unwrap_err();
    assert!(
        matches!(
            fault,
            FatalFault::SnapshotRecord {
                index: 2,
                count: 2,
                ..
            }
        ),
        "{fault}"
    );
}

#[test]
fn no_op_records_come_every_interval_from_one_after_the_activation() {
    for release in [Release::V3_9_2, Release::V4_4_0] {
        let interval = Time::from_millis(500);
        let config = ControllerConfig {
            max_idle_interval: Some(interval),
            ..config()
        };
        let mut bench = Bench::with(&release.rules(), config, vec![version(21)]);
        bench.lead(1).unwrap();
        let activation = bench.raft.names().len();
        for round in 1..4 {
            let due = Time::from_millis(500 * round);
            assert_eq!(bench.controller.next_event_at(), Some(due), "{release}");
            bench.now = due;
            assert_eq!(
                bench.run().unwrap(),
                [EventKind::Task(PeriodicTask::WriteNoOpRecord)]
            );
        }
        assert_eq!(bench.raft.names()[activation..], ["NoOpRecord"; 3]);
        bench.follow(2).unwrap();
        assert_eq!(
            bench.controller.next_event_at(),
            None,
            "a standby writes none"
        );
    }
}

#[test]
fn release_3_9_writes_no_op_records_only_where_the_version_has_them() {
    let config = || ControllerConfig {
        max_idle_interval: Some(Time::from_millis(500)),
        ..config()
    };
    for (level, due) in [(4, None), (5, Some(Time::from_millis(500)))] {
        let mut bench = Bench::with(&Release::V3_9_2.rules(), config(), vec![version(level)]);
        bench.lead(1).unwrap();
        assert_eq!(bench.controller.next_event_at(), due, "level {level}");
    }
}

#[test]
fn a_failed_append_is_a_fault_and_a_failover() {
    let mut bench = active(Release::V4_4_0, 33);
    bench.raft.refuse = Some(AppendError::TooManyBatches { waiting: 10 });
    bench.ask(registration());
    bench.run().unwrap();
    assert!(matches!(
        bench.controller.poll_reply().unwrap().outcome,
        Err(RequestError::Unknown(_))
    ));
    assert_eq!(bench.controller.faults().len(), 1);
    assert_eq!(
        (bench.raft.resigned.as_slice(), bench.controller.is_active()),
        ([1].as_slice(), false)
    );
    let mut bench = active(Release::V4_4_0, 33);
    bench.raft.refuse = Some(AppendError::NotLeader { epoch: 1 });
    bench.ask(registration());
    bench.run().unwrap();
    assert!(
        bench.controller.faults().is_empty(),
        "losing leadership is no fault"
    );
    assert!(!bench.controller.is_active());
}

#[test]
fn an_unreadable_batch_is_a_fault_and_an_active_controller_renounces() {
    let mut builder = BatchBuilder::data(9, 1, 0);
    builder.append_value(&[9, 9, 9]);
    let batches = vec![builder.finish()];
    let mut bench = active(Release::V4_4_0, 33);
    bench.tell(Event::Commit(CommittedBatches {
        base_offset: 9,
        batches,
        source: listener::CommitSource::Log,
    }));
    bench.run().unwrap();
    assert_eq!(bench.controller.faults().len(), 1);
    assert_eq!(bench.raft.closed.last(), Some(&10));
    assert_eq!(bench.raft.resigned, [1]);
}

#[test]
fn after_the_shutdown_began_callers_time_out() {
    let mut bench = active(Release::V4_4_0, 33);
    bench.tell(Event::BeginShutdown);
    bench.ask(registration());
    assert_eq!(
        bench.controller.poll_reply().unwrap().outcome,
        Err(RequestError::TimedOut)
    );
    bench.tell(Event::LeaderChange(LeaderAndEpoch::UNKNOWN));
    assert_eq!(bench.controller.next_event_at(), None);
}

#[test]
fn own_records_that_cannot_be_replayed_end_the_process() {
    let mut bench = Bench::new(
        Release::V4_4_0,
        vec![version(33), feature_record("group.version", 7)],
    );
    let fault = bench.lead(1).unwrap_err();
    assert!(
        matches!(
            fault,
            FatalFault::OwnRecord {
                record: "FeatureLevelRecord",
                ..
            }
        ),
        "{fault}"
    );
    // Records of every kind reach the state.
    let broker = RegisterBrokerRecord {
        broker_id: 5,
        ..Default::default()
    };
    let mut bench = Bench::new(
        Release::V4_4_0,
        vec![version(33), VersionedRecord::new(3, broker)],
    );
    bench.lead(1).unwrap();
    assert!(
        bench
            .controller
            .image()
            .cluster()
            .broker(NodeId(5))
            .is_some()
    );
}
