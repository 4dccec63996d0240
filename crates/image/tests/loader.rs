//! The metadata loader, rule by rule and release by release.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod support;

use determinism::Time;
use image::{
    Alignment, FaultPolicy, Loader, LoaderConfig, LoadingFault, Manifest, Part, Publication,
    feature_record,
};
use listener::{Event, ListenerId};
use records::OffsetAndEpoch;
use records::metadata::{NoOpRecord, VersionedRecord};
use releases::Release;
use support::{Offsets, abort, batch, begin, commit, control_batch, end, snapshot};

struct Fixture {
    loader: Loader,
    raft: Offsets,
    now: Time,
}

impl Fixture {
    fn new(release: Release, fault_policy: FaultPolicy) -> Self {
        let config = LoaderConfig {
            listener: ListenerId(0),
            fault_policy,
        };
        let mut loader = Loader::new(config, &release.rules());
        loader.install_publishers(Time::ZERO);
        Fixture {
            loader,
            raft: Offsets::default(),
            now: Time::ZERO,
        }
    }

    fn controller(release: Release) -> Self {
        Self::new(release, FaultPolicy::EndsProcess)
    }

    /// Runs the event and everything that is due soon after.
    fn tell(&mut self, event: Event) -> Result<Vec<Publication>, LoadingFault> {
        self.loader.handle_event(self.now, event);
        let until = self.now + Time::from_millis(250);
        while let Some(at) = self.loader.next_event_at().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.loader.poll_event(self.now, &mut self.raft)?;
        }
        Ok(std::iter::from_fn(|| self.loader.poll_publication()).collect())
    }
}

fn version(level: i16) -> VersionedRecord {
    feature_record("metadata.version", level)
}

fn feature(level: i16) -> VersionedRecord {
    feature_record("transaction.version", level)
}

fn no_op() -> VersionedRecord {
    VersionedRecord::new(0, NoOpRecord::default())
}

#[test]
fn nothing_is_published_before_the_high_watermark_is_reached() {
    let mut fixture = Fixture::controller(Release::V4_4_0);
    assert_eq!(
        fixture.tell(commit(vec![batch(0, &[version(33)])])),
        Ok(vec![])
    );
    fixture.raft.high_watermark = Some(3);
    assert_eq!(fixture.tell(commit(vec![batch(1, &[no_op()])])), Ok(vec![]));
    let published = fixture.tell(commit(vec![batch(2, &[no_op()])])).unwrap();
    assert_eq!(published.len(), 1, "the full image, as subscribers are new");
    assert_eq!(published[0].manifest, Manifest::Snapshot);
    assert_eq!(published[0].provenance.last_contained_offset, 2);
    let published = fixture.tell(commit(vec![batch(3, &[feature(1)])])).unwrap();
    assert_eq!(published.len(), 1);
    assert!(published[0].delta.has(Part::Features));
    assert!(matches!(
        published[0].manifest,
        Manifest::LogDelta { batches: 1, .. }
    ));
    assert_eq!(fixture.raft.closed, [1, 2, 3, 4]);
}

#[test]
fn a_control_batch_alone_counts_as_a_record_on_3_9_only() {
    for (release, published) in [
        (Release::V3_9_2, 1),
        (Release::V4_0_2, 0),
        (Release::V4_4_0, 0),
    ] {
        let mut fixture = Fixture::controller(release);
        fixture.raft.high_watermark = Some(1);
        // The flush resets the loader to an image, which counts as a record on 3.9: the subscribers, who look again
        // every 100 ms, get an empty image.
        let found = fixture.tell(commit(vec![control_batch(0)])).unwrap();
        assert_eq!(found.len(), published, "{release}");
        assert_eq!(fixture.loader.is_catching_up(), published == 0, "{release}");
    }
}

#[test]
fn a_transaction_is_published_as_a_whole() {
    let mut fixture = Fixture::controller(Release::V4_4_0);
    fixture.raft.high_watermark = Some(1);
    fixture
        .tell(commit(vec![batch(0, &[version(33)])]))
        .unwrap();
    assert_eq!(
        fixture
            .tell(commit(vec![batch(1, &[begin(), feature(1)])]))
            .unwrap()
            .len(),
        0
    );
    assert_eq!(
        fixture
            .tell(commit(vec![batch(3, &[feature(2)])]))
            .unwrap()
            .len(),
        0
    );
    let published = fixture.tell(commit(vec![batch(4, &[end()])])).unwrap();
    assert_eq!(published.len(), 1);
    assert_eq!(
        published[0].image.features().level("transaction.version"),
        2
    );
    assert!(matches!(
        published[0].manifest,
        Manifest::LogDelta { batches: 3, .. }
    ));
}

#[test]
fn an_aborted_transaction_leaves_nothing_behind() {
    let mut fixture = Fixture::controller(Release::V4_4_0);
    fixture.raft.high_watermark = Some(1);
    fixture
        .tell(commit(vec![batch(0, &[version(33)])]))
        .unwrap();
    fixture
        .tell(commit(vec![batch(1, &[begin(), feature(1)])]))
        .unwrap();
    let published = fixture.tell(commit(vec![batch(3, &[abort()])])).unwrap();
    assert_eq!(published.len(), 1);
    assert!(published[0].delta.is_empty());
    assert_eq!(
        published[0].image.features().level("transaction.version"),
        0
    );
    assert_eq!(published[0].provenance.last_contained_offset, 3);
}

#[test]
fn records_behind_an_abort_in_one_callback_publish_the_aborted_ones_too() {
    // Kafka's batch loader drops the accumulated delta only when it flushes right after the abort.
    let mut fixture = Fixture::controller(Release::V4_4_0);
    fixture.raft.high_watermark = Some(1);
    fixture
        .tell(commit(vec![batch(0, &[version(33)])]))
        .unwrap();
    let batches = vec![
        batch(1, &[begin(), feature(1)]),
        batch(3, &[abort()]),
        batch(4, &[no_op()]),
    ];
    let published = fixture.tell(commit(batches)).unwrap();
    assert_eq!(
        published
            .last()
            .unwrap()
            .image
            .features()
            .level("transaction.version"),
        1
    );
}

#[test]
fn a_transaction_that_begins_inside_a_batch_publishes_what_is_before_it() {
    let mut fixture = Fixture::controller(Release::V4_4_0);
    fixture.raft.high_watermark = Some(1);
    fixture
        .tell(commit(vec![batch(0, &[version(33)])]))
        .unwrap();
    let published = fixture
        .tell(commit(vec![batch(1, &[feature(1), begin(), feature(2)])]))
        .unwrap();
    assert_eq!(published.len(), 1);
    assert_eq!(
        published[0].image.features().level("transaction.version"),
        1
    );
    assert_eq!(published[0].provenance.last_contained_offset, 1);
    assert_eq!(published[0].provenance.alignment, Alignment::WithinBatch);
    let batches = vec![batch(4, &[end()]), batch(5, &[begin(), feature(1), end()])];
    let published = fixture.tell(commit(batches)).unwrap();
    let aligned: Vec<_> = published
        .iter()
        .map(|p| (p.provenance.last_contained_offset, p.provenance.alignment))
        .collect();
    assert_eq!(
        aligned,
        [(4, Alignment::BatchAligned), (7, Alignment::BatchAligned)]
    );
}

#[test]
fn impossible_transaction_records_end_a_controller() {
    for records in [vec![begin(), begin()], vec![end()], vec![abort()]] {
        let mut fixture = Fixture::controller(Release::V4_4_0);
        let fault = fixture.tell(commit(vec![batch(0, &records)])).unwrap_err();
        assert!(matches!(fault, LoadingFault::LogRecord { .. }), "{fault}");
        assert_eq!(
            fixture.loader.next_event_at(),
            None,
            "nothing runs after a fault"
        );
    }
}

#[test]
fn a_broker_logs_a_fault_and_goes_on() {
    let mut fixture = Fixture::new(Release::V4_4_0, FaultPolicy::Logged);
    fixture.raft.high_watermark = Some(3);
    let published = fixture
        .tell(commit(vec![batch(0, &[version(33), end(), feature(1)])]))
        .unwrap();
    assert_eq!(
        published
            .last()
            .unwrap()
            .image
            .features()
            .level("transaction.version"),
        1
    );
    assert_eq!(fixture.loader.faults().len(), 1);
}

#[test]
fn an_unknown_metadata_version_ends_a_controller() {
    for (release, level) in [
        (Release::V4_0_2, 4),
        (Release::V4_4_0, 6),
        (Release::V3_9_2, 33),
        (Release::V4_3_1, 33),
    ] {
        let mut fixture = Fixture::controller(release);
        let fault = fixture
            .tell(commit(vec![batch(0, &[version(level)])]))
            .unwrap_err();
        assert!(
            matches!(fault, LoadingFault::LogRecord { offset: 0, .. }),
            "{release}: {fault}"
        );
    }
    let mut fixture = Fixture::controller(Release::V3_9_2);
    assert_eq!(
        fixture.tell(commit(vec![batch(0, &[version(4)])])),
        Ok(vec![])
    );
}

#[test]
fn metadata_without_a_version_is_an_error_from_4_0_on() {
    for (release, ends) in [
        (Release::V3_9_2, false),
        (Release::V4_0_2, true),
        (Release::V4_4_0, true),
    ] {
        let mut fixture = Fixture::controller(release);
        fixture.raft.high_watermark = Some(1);
        let outcome = fixture.tell(commit(vec![batch(0, &[feature(1)])]));
        match outcome {
            Ok(published) => assert!(!ends && published.len() == 1, "{release}"),
            Err(fault) => {
                assert_eq!(fault, LoadingFault::NoMetadataVersion { image_offset: 0 });
                assert!(ends, "{release}");
            }
        }
    }
}

#[test]
fn the_zero_checkpoint_is_loaded_up_to_4_2_and_ignored_after() {
    let zero = snapshot(
        OffsetAndEpoch {
            offset: 0,
            epoch: 0,
        },
        &[version(25)],
    );
    let mut fixture = Fixture::controller(Release::V4_2_1);
    fixture.tell(Event::LoadSnapshot(zero.clone())).unwrap();
    assert!(
        fixture
            .loader
            .image()
            .features()
            .metadata_version()
            .is_some()
    );
    assert_eq!(fixture.loader.provenance().last_contained_offset, -1);
    assert_eq!(fixture.loader.provenance().last_contained_log_time_ms, 77);
    for (release, event) in [
        (Release::V4_3_1, Event::LoadBootstrap(zero.clone())),
        (Release::V4_4_0, Event::LoadBootstrap(zero.clone())),
        (Release::Kip1170, Event::LoadSnapshot(zero)),
    ] {
        let mut fixture = Fixture::controller(release);
        fixture.tell(event).unwrap();
        assert!(fixture.loader.image().is_empty(), "{release}");
    }
}

#[test]
fn a_snapshot_replaces_what_it_does_not_name_and_forgets_an_open_transaction() {
    let mut fixture = Fixture::controller(Release::V4_4_0);
    fixture.raft.high_watermark = Some(3);
    fixture
        .tell(commit(vec![batch(0, &[version(33), feature(1), begin()])]))
        .unwrap();
    fixture.raft.high_watermark = Some(10);
    let id = OffsetAndEpoch {
        offset: 10,
        epoch: 2,
    };
    let reader = snapshot(id, &[feature_record("group.version", 1)]);
    let published = fixture.tell(Event::LoadSnapshot(reader)).unwrap();
    let image = &published.last().unwrap().image;
    assert_eq!(image.features().level("transaction.version"), 0);
    assert_eq!(image.features().level("group.version"), 1);
    assert!(
        image.features().metadata_version().is_some(),
        "finishSnapshot leaves it alone"
    );
    assert_eq!(published.last().unwrap().provenance.snapshot_id(), id);
    // The transaction is forgotten: a new one may begin.
    fixture
        .tell(commit(vec![batch(10, &[begin(), feature(2), end()])]))
        .unwrap();
    assert_eq!(
        fixture
            .loader
            .image()
            .features()
            .level("transaction.version"),
        2
    );
}

#[test]
fn a_broken_snapshot_ends_a_controller() {
    let mut reader = snapshot(
        OffsetAndEpoch {
            offset: 4,
            epoch: 1,
        },
        &[version(33)],
    );
    let mut bytes = reader.bytes.to_vec();
    let at = bytes.len() - 80;
    bytes[at] ^= 1;
    reader.bytes = bytes.into();
    let fault = Fixture::controller(Release::V4_4_0)
        .tell(Event::LoadSnapshot(reader))
        .unwrap_err();
    assert!(
        matches!(
            fault,
            LoadingFault::UnreadableSnapshot {
                last_contained_offset: 3,
                ..
            }
        ),
        "{fault}"
    );
}
