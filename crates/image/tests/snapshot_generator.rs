//! When a snapshot is due.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use determinism::Time;
use image::{
    Alignment, Delta, Manifest, MetadataImage, Provenance, Publication, SnapshotDecision,
    SnapshotGenerator, SnapshotReason, SnapshotTriggers,
};
use releases::Release;

fn generator(release: Release) -> SnapshotGenerator {
    let triggers = SnapshotTriggers {
        max_bytes_between_snapshots: 100,
        max_interval: Some(Time::from_secs(60)),
    };
    SnapshotGenerator::new(Time::ZERO, triggers, &release.rules().loader)
}

fn publication(bytes: u64, alignment: Alignment) -> Publication {
    Publication {
        image: MetadataImage::empty(),
        provenance: Provenance {
            alignment,
            ..Provenance::EMPTY
        },
        delta: Delta::default(),
        manifest: Manifest::LogDelta { batches: 1, bytes },
    }
}

fn aligned(bytes: u64) -> Publication {
    publication(bytes, Alignment::BatchAligned)
}

const BYTES: SnapshotDecision = SnapshotDecision::Schedule(SnapshotReason::Bytes);

#[test]
fn bytes_count_from_the_last_snapshot_on() {
    let mut generator = generator(Release::V4_4_0);
    assert_eq!(
        generator.on_publication(Time::ZERO, &aligned(99)),
        SnapshotDecision::NotDue
    );
    assert_eq!(generator.on_publication(Time::ZERO, &aligned(1)), BYTES);
    let waiting = generator.on_publication(Time::ZERO, &aligned(100));
    assert_eq!(
        waiting,
        SnapshotDecision::StillWriting(SnapshotReason::Bytes)
    );
    generator.writing_started(Time::ZERO);
    generator.writing_ended();
    assert_eq!(
        generator.on_publication(Time::ZERO, &aligned(99)),
        SnapshotDecision::NotDue
    );
}

#[test]
fn the_interval_counts_only_when_something_is_published() {
    let mut generator = generator(Release::V4_4_0);
    let due = SnapshotDecision::Schedule(SnapshotReason::Interval);
    assert_eq!(
        generator.on_publication(Time::from_secs(59), &aligned(1)),
        SnapshotDecision::NotDue
    );
    assert_eq!(
        generator.on_publication(Time::from_secs(90), &aligned(1)),
        due
    );
    generator.writing_started(Time::from_secs(91));
    generator.writing_ended();
    assert_eq!(
        generator.on_publication(Time::from_secs(150), &aligned(1)),
        SnapshotDecision::NotDue
    );
    assert_eq!(
        generator.on_publication(Time::from_secs(151), &aligned(1)),
        due
    );
}

#[test]
fn counters_start_again_when_scheduled_on_3_9_and_when_started_later() {
    for (release, decision) in [
        (Release::V3_9_2, SnapshotDecision::NotDue),
        (
            Release::V4_0_2,
            SnapshotDecision::StillWriting(SnapshotReason::Bytes),
        ),
    ] {
        let mut generator = generator(release);
        assert_eq!(generator.on_publication(Time::ZERO, &aligned(100)), BYTES);
        assert_eq!(
            generator.on_publication(Time::ZERO, &aligned(1)),
            decision,
            "{release}"
        );
    }
}

#[test]
fn an_image_inside_a_batch_gets_none_from_4_0_on() {
    let inside = publication(100, Alignment::WithinBatch);
    assert_eq!(
        generator(Release::V3_9_2).on_publication(Time::ZERO, &inside),
        BYTES
    );
    let refused = SnapshotDecision::NotBatchAligned(SnapshotReason::Bytes);
    assert_eq!(
        generator(Release::V4_4_0).on_publication(Time::ZERO, &inside),
        refused
    );
}

#[test]
fn a_loaded_snapshot_starts_the_counters_again() {
    let mut generator = generator(Release::V4_4_0);
    generator.on_publication(Time::ZERO, &aligned(99));
    let snapshot = Publication {
        manifest: Manifest::Snapshot,
        ..aligned(0)
    };
    assert_eq!(
        generator.on_publication(Time::ZERO, &snapshot),
        SnapshotDecision::NotDue
    );
    assert_eq!(
        generator.on_publication(Time::ZERO, &aligned(99)),
        SnapshotDecision::NotDue
    );
}

#[test]
fn a_fault_or_the_shutdown_switches_it_off() {
    let mut generator = generator(Release::V4_4_0);
    generator.disable();
    let decision = generator.on_publication(Time::ZERO, &aligned(100));
    assert_eq!(decision, SnapshotDecision::Disabled(SnapshotReason::Bytes));
}
