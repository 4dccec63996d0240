//! The loader itself (`4.4:metadata/…/image/loader/MetadataLoader.java`).

use std::collections::VecDeque;

use determinism::Time;
use listener::{CommittedBatches, Event, LeaderAndEpoch, ListenerId, RaftClient, SnapshotReader};
use releases::loader::{MissingMetadataVersion, ZeroCheckpointLoad};
use releases::{LoaderRules, Rules};

use super::batch_loader::BatchLoader;
use super::fault::{FaultPolicy, LoadingFault};
use super::publication::{Manifest, Publication};
use crate::parts::topics::TopicImage;
use crate::{Alignment, Delta, Dialect, MetadataImage, Provenance};
use crate::{SnapshotRecords, metadata_records};

/// What is wrong with a checkpoint without batches.
const NO_HEADER: &str = "it holds no batch, and so no header";
/// How long a new subscriber waits before the loader looks again whether it has caught up.
const NEW_PUBLISHER_RETRY: Time = Time::from_millis(100);

/// What a process tells its loader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoaderConfig {
    /// The listener that the loader is registered as.
    pub listener: ListenerId,
    /// What a fault means.
    pub fault_policy: FaultPolicy,
}

/// Whether subscribers have had their first image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subscribers {
    /// There are none.
    Absent,
    /// They wait; the loader looks again at this time.
    Waiting(Time),
    /// They get every image.
    Informed,
}

/// The metadata loader of one process, a controller's or a broker's.
///
/// * `handle_event` takes in what the listener is told; `install_publishers` lets the process subscribe.
/// * `poll_event` runs the next step of the loader's own thread; `next_event_at` says when it wants to.
/// * `poll_publication` hands out what subscribers are told.
#[derive(Clone, Debug)]
pub struct Loader {
    config: LoaderConfig,
    rules: LoaderRules,
    dialect: Dialect,
    queue: VecDeque<(Time, Event)>,
    batches: BatchLoader,
    image: MetadataImage,
    provenance: Provenance,
    leader_and_epoch: LeaderAndEpoch,
    catching_up: bool,
    subscribers: Subscribers,
    publications: VecDeque<Publication>,
    faults: Vec<LoadingFault>,
    closed: bool,
}

impl Loader {
    /// A loader that has read nothing.
    pub fn new(config: LoaderConfig, rules: &Rules) -> Self {
        Loader {
            config,
            rules: rules.loader.clone(),
            dialect: Dialect::of(rules),
            queue: VecDeque::new(),
            batches: BatchLoader::new(rules.loader.record_seen),
            image: MetadataImage::empty(),
            provenance: Provenance::EMPTY,
            leader_and_epoch: LeaderAndEpoch::UNKNOWN,
            catching_up: true,
            subscribers: Subscribers::Absent,
            publications: VecDeque::new(),
            faults: Vec::new(),
            closed: false,
        }
    }

    /// Queues what the listener was told.
    pub fn handle_event(&mut self, now: Time, event: Event) {
        if !self.closed {
            self.queue.push_back((now, event));
        }
    }

    /// Subscribes the process: it gets a full image once the loader has caught up, and every image after that.
    pub fn install_publishers(&mut self, now: Time) {
        if self.subscribers == Subscribers::Absent {
            self.subscribers = Subscribers::Waiting(now);
        }
    }

    /// The newest image, published or not.
    pub fn image(&self) -> &MetadataImage {
        &self.image
    }

    /// Up to where the newest image reaches.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The leader as the loader was told.
    pub fn leader_and_epoch(&self) -> LeaderAndEpoch {
        self.leader_and_epoch
    }

    /// Whether nothing is published yet because the log before it is not read.
    pub fn is_catching_up(&self) -> bool {
        self.catching_up
    }

    /// Faults that did not end the process.
    pub fn faults(&self) -> &[LoadingFault] {
        &self.faults
    }

    /// When `poll_event` has something to do.
    pub fn next_event_at(&self) -> Option<Time> {
        let queued = self.queue.front().map(|(at, _)| *at);
        let waiting = match self.subscribers {
            Subscribers::Waiting(at) if !self.closed => Some(at),
            _ => None,
        };
        queued.into_iter().chain(waiting).min()
    }

    /// The next thing that subscribers are told.
    pub fn poll_publication(&mut self) -> Option<Publication> {
        self.publications.pop_front()
    }

    /// Runs one event. An error ends the process.
    pub fn poll_event(
        &mut self,
        now: Time,
        raft: &mut impl RaftClient,
    ) -> Result<(), LoadingFault> {
        let outcome = match self.subscribers {
            // A due deferred event runs before the line (server-common/…/queue/KafkaEventQueue.java).
            Subscribers::Waiting(at) if at <= now && !self.closed => {
                self.initialize_publishers(now, raft)
            }
            _ => match self.queue.pop_front() {
                Some((_, event)) => self.run(now, event, raft),
                None => Ok(()),
            },
        };
        outcome.or_else(|fault| self.fault(fault))
    }

    fn fault(&mut self, fault: LoadingFault) -> Result<(), LoadingFault> {
        match self.config.fault_policy {
            FaultPolicy::EndsProcess => {
                self.closed = true;
                self.queue.clear();
                Err(fault)
            }
            FaultPolicy::Logged => {
                self.faults.push(fault);
                Ok(())
            }
        }
    }

    fn run(
        &mut self,
        now: Time,
        event: Event,
        raft: &mut impl RaftClient,
    ) -> Result<(), LoadingFault> {
        match event {
            Event::Commit(commit) => {
                let outcome = self.load_commit(now, &commit, raft);
                raft.close_reader(self.config.listener, commit.next_offset());
                outcome
            }
            Event::LoadSnapshot(reader) => self.load_snapshot(now, &reader, raft),
            // 4.3:metadata/…/image/loader/MetadataLoader.java closes it unread.
            Event::LoadBootstrap(_) => Ok(()),
            Event::LeaderChange(leader_and_epoch) => {
                self.leader_and_epoch = leader_and_epoch;
                Ok(())
            }
            Event::BeginShutdown => {
                self.closed = true;
                Ok(())
            }
        }
    }

    fn load_commit(
        &mut self,
        now: Time,
        commit: &CommittedBatches,
        raft: &impl RaftClient,
    ) -> Result<(), LoadingFault> {
        let policy = self.config.fault_policy;
        let mut logged = Vec::new();
        let mut on_fault = |fault| match policy {
            FaultPolicy::EndsProcess => Err(fault),
            FaultPolicy::Logged => {
                logged.push(fault);
                Ok(())
            }
        };
        let mut batches = self.batches.clone();
        let dialect = self.dialect;
        let mut outcome = Ok(());
        for batch in &commit.batches {
            outcome = match metadata_records(batch) {
                Ok(records) => batches.load_batch(
                    batch,
                    &records,
                    &dialect,
                    &mut on_fault,
                    &mut |loader, p| self.maybe_publish(now, loader.has_seen_record(), p, raft),
                ),
                Err(error) => {
                    let image_offset = self.provenance.last_contained_offset;
                    Err(LoadingFault::UnreadableBatch {
                        image_offset,
                        reason: error.to_string(),
                    })
                }
            };
            if outcome.is_err() {
                break;
            }
        }
        if outcome.is_ok() {
            outcome = batches.maybe_flush(&mut |loader, p| {
                self.maybe_publish(now, loader.has_seen_record(), p, raft)
            });
        }
        self.batches = batches;
        self.faults.extend(logged);
        outcome
    }

    fn load_snapshot(
        &mut self,
        now: Time,
        reader: &SnapshotReader,
        raft: &impl RaftClient,
    ) -> Result<(), LoadingFault> {
        let is_zero_checkpoint = reader.snapshot_id.offset == 0 && reader.snapshot_id.epoch == 0;
        if is_zero_checkpoint && self.rules.zero_checkpoint == ZeroCheckpointLoad::Ignored {
            return Ok(());
        }
        let last_contained_offset = reader.last_contained_log_offset();
        let mut image = self.image.before_snapshot();
        let mut delta = Delta::default();
        let mut index = 0;
        let mut batches = SnapshotRecords::of(reader);
        for batch in batches.by_ref() {
            let (_, records) = batch.map_err(|error| LoadingFault::UnreadableSnapshot {
                last_contained_offset,
                reason: error.to_string(),
            })?;
            for record in records {
                if let Err(reason) = image.apply(&record, &self.dialect, &mut delta) {
                    self.fault(LoadingFault::SnapshotRecord {
                        index,
                        last_contained_offset,
                        reason,
                    })?;
                }
                index += 1;
            }
        }
        let log_time_ms = batches.last_contained_log_time_ms().ok_or_else(|| {
            LoadingFault::UnreadableSnapshot {
                last_contained_offset,
                reason: NO_HEADER.to_owned(),
            }
        })?;
        // Everything that the snapshot does not name is deleted, and so touched.
        delta.brokers.extend(self.image.cluster().brokers.keys());
        delta
            .controllers
            .extend(self.image.cluster().controllers.keys());
        delta
            .topics
            .extend(self.image.topics().iter().map(TopicImage::id));
        let provenance = Provenance {
            last_contained_offset,
            last_contained_epoch: reader.snapshot_id.epoch,
            last_contained_log_time_ms: log_time_ms,
            alignment: Alignment::BatchAligned,
        };
        self.batches.reset_to(image.clone(), &provenance);
        let seen = self.batches.has_seen_record();
        let publication = Publication {
            image,
            provenance,
            delta,
            manifest: Manifest::Snapshot,
        };
        self.maybe_publish(now, seen, publication, raft)
    }

    fn maybe_publish(
        &mut self,
        now: Time,
        has_seen_record: bool,
        publication: Publication,
        raft: &impl RaftClient,
    ) -> Result<(), LoadingFault> {
        self.image = publication.image.clone();
        self.provenance = publication.provenance;
        if self.still_catching_up(
            has_seen_record,
            publication.provenance.last_contained_offset,
            raft,
        ) {
            return Ok(());
        }
        if self.subscribers == Subscribers::Informed {
            let last = publication.provenance;
            tracing::debug!(
                epoch = last.last_contained_epoch,
                offset = last.last_contained_offset,
                "publishes an image"
            );
            self.publications.push_back(publication);
        }
        self.require_metadata_version()?;
        if let Subscribers::Waiting(_) = self.subscribers {
            self.subscribers = Subscribers::Waiting(now);
        }
        Ok(())
    }

    /// 3.9 has 3.0-IV1 stand in for a missing metadata.version; later releases ask for it, and fail.
    fn require_metadata_version(&self) -> Result<(), LoadingFault> {
        match (
            self.rules.missing_metadata_version,
            self.image.features().metadata_version(),
        ) {
            (MissingMetadataVersion::Fault, None) => Err(LoadingFault::NoMetadataVersion {
                image_offset: self.provenance.last_contained_offset,
            }),
            _ => Ok(()),
        }
    }

    fn still_catching_up(
        &mut self,
        has_seen_record: bool,
        offset: i64,
        raft: &impl RaftClient,
    ) -> bool {
        if self.catching_up {
            let caught_up = raft
                .high_watermark()
                .is_some_and(|high_watermark| high_watermark - 1 <= offset);
            self.catching_up = !(caught_up && has_seen_record);
        }
        self.catching_up
    }

    fn initialize_publishers(
        &mut self,
        now: Time,
        raft: &impl RaftClient,
    ) -> Result<(), LoadingFault> {
        let offset = self.provenance.last_contained_offset;
        if self.still_catching_up(self.batches.has_seen_record(), offset, raft) {
            self.subscribers = Subscribers::Waiting(now + NEW_PUBLISHER_RETRY);
            return Ok(());
        }
        // Writing the image for them asks for the metadata.version, too.
        self.subscribers = Subscribers::Absent;
        self.require_metadata_version()?;
        self.subscribers = Subscribers::Informed;
        self.publications.push_back(Publication {
            image: self.image.clone(),
            provenance: self.provenance,
            delta: self.image.delta_from_nothing(),
            manifest: Manifest::Snapshot,
        });
        Ok(())
    }
}
