//! BOOT-2: the memory of a controller is what replaying the committed log gives, plus its own uncommitted suffix.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod support;

use image::{Delta, Dialect, MetadataImage, feature_record};
use proptest::prelude::*;
use quorum_controller::{ControllerRegistration, ControllerRequest};
use raft_log::batch::Batch;
use records::metadata::{MetadataRecord, VersionedRecord};
use records::{NodeId, Uuid};
use releases::{Release, Rules};
use support::{Bench, NODE, records_of};

#[derive(Clone, Copy, Debug)]
enum Step {
    /// A request of the active controller.
    Write(u8),
    /// The next batch commits.
    Commit,
    CommitAll,
    /// Another controller takes over; what was not committed is cut off.
    LoseLeadership,
    /// This one leads again.
    Lead,
    /// Another leader's record is committed.
    Replicate(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..4u8).prop_map(Step::Write),
        3 => Just(Step::Commit),
        1 => Just(Step::CommitAll),
        1 => Just(Step::LoseLeadership),
        2 => Just(Step::Lead),
        2 => (0..4u8).prop_map(Step::Replicate),
    ];
    proptest::collection::vec(step, 1..40)
}

/// What a naive reader makes of batches: transactions are buffered, aborted ones forgotten.
fn naive(rules: &Rules, batches: &[Batch]) -> MetadataImage {
    let dialect = Dialect::of(rules);
    let mut image = MetadataImage::empty();
    let mut before_transaction = None;
    for batch in batches.iter().filter(|batch| !batch.is_control()) {
        for (_, record) in records_of(batch) {
            match &record.record {
                MetadataRecord::BeginTransaction(_) => before_transaction = Some(image.clone()),
                MetadataRecord::EndTransaction(_) => before_transaction = None,
                MetadataRecord::AbortTransaction(_) => image = before_transaction.take().unwrap(),
                _ => image
                    .apply(&record, &dialect, &mut Delta::default())
                    .unwrap(),
            }
        }
    }
    image
}

fn registration(n: u8) -> ControllerRequest {
    ControllerRequest::RegisterController(ControllerRegistration {
        controller_id: NodeId(i32::from(n)),
        incarnation_id: Uuid::from_bytes([n + 1; 16]),
        zk_migration_ready: false,
        endpoints: Vec::new(),
        features: Vec::new(),
    })
}

fn record(n: u8) -> VersionedRecord {
    feature_record("group.version", i16::from(n % 2))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

    #[test]
    fn memory_is_the_log(steps in steps()) {
        for (release, level) in [(Release::V4_2_1, 25), (Release::V4_4_0, 33)] {
            let rules = release.rules();
            let mut bench = Bench::new(release, vec![feature_record("metadata.version", level)]);
            let mut epoch = 0;
            let mut committed = 0;
            for step in &steps {
                match *step {
                    Step::Write(n) => {
                        bench.ask(registration(n));
                        bench.run().unwrap();
                    }
                    Step::Commit => {
                        bench.commit(1).unwrap();
                        committed = bench.raft.log.len().min(committed + 1);
                    }
                    Step::CommitAll => {
                        bench.commit_all().unwrap();
                        committed = bench.raft.log.len();
                    }
                    Step::LoseLeadership if bench.controller.is_active() => {
                        epoch += 1;
                        bench.raft.truncate();
                        bench.follow(epoch).unwrap();
                    }
                    Step::Lead if !bench.controller.is_active() => {
                        epoch += 1;
                        bench.lead(epoch).unwrap();
                        committed = bench.raft.log.iter().rposition(Batch::is_control).unwrap() + 1;
                    }
                    Step::Replicate(n) if !bench.controller.is_active() => {
                        bench.raft.replicate(epoch, &[record(n)]);
                        bench.commit_all().unwrap();
                        committed = bench.raft.log.len();
                    }
                    Step::LoseLeadership | Step::Lead | Step::Replicate(_) => {}
                }
                let known = if bench.controller.is_active() { bench.raft.log.len() } else { committed };
                let expected = naive(&rules, &bench.raft.log[..known]);
                prop_assert_eq!(bench.controller.image(), &expected, "{} after {:?}", release, step);
                prop_assert_eq!(bench.controller.image().hash(), expected.hash());
                prop_assert!(bench.controller.faults().is_empty());
                prop_assert_eq!(bench.controller.is_active(), bench.raft.leader_and_epoch.is_leader(NODE));
            }
        }
    }
}
