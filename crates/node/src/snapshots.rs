use config::MetadataLogSettings;
use determinism::Time;
use disk::{Disk, DiskError};
use image::{Dialect, Publication, SnapshotDecision, SnapshotGenerator, SnapshotTriggers};
use raft::{CreateSnapshotError, Replica};
use raft_log::checkpoint::SnapshotWriterError;
use releases::Rules;

/// Records that are handed to the writer at a time (`4.4:metadata/…/image/publisher/SnapshotEmitter.java`).
const RECORDS_PER_APPEND: usize = 1024;

/// The thread of a process that writes its metadata out as checkpoints.
#[derive(Clone, Debug)]
pub(crate) struct Snapshots {
    generator: SnapshotGenerator,
    dialect: Dialect,
    /// What is to be written, and since when.
    waiting: Option<(Time, Box<Publication>)>,
    written: u64,
    /// Why checkpoints were not written. The process goes on.
    faults: Vec<String>,
}

/// Why a checkpoint is not written.
#[derive(Debug, thiserror::Error)]
enum SnapshotFault {
    #[error(transparent)]
    Create(#[from] CreateSnapshotError),
    #[error(transparent)]
    Write(#[from] SnapshotWriterError),
    #[error(transparent)]
    Image(#[from] image::UnknownMetadataVersion),
}

impl Snapshots {
    pub(crate) fn new(now: Time, settings: &MetadataLogSettings, rules: &Rules) -> Self {
        let interval = u64::try_from(settings.max_snapshot_interval_ms)
            .ok()
            .filter(|ms| *ms > 0);
        let triggers = SnapshotTriggers {
            max_bytes_between_snapshots: settings.max_record_bytes_between_snapshots.unsigned_abs(),
            max_interval: interval.map(Time::from_millis),
        };
        Snapshots {
            generator: SnapshotGenerator::new(now, triggers, &rules.loader),
            dialect: Dialect::of(rules),
            waiting: None,
            written: 0,
            faults: Vec::new(),
        }
    }

    /// The metadata loader published an image.
    pub(crate) fn image_published(&mut self, now: Time, publication: &Publication) {
        match self.generator.on_publication(now, publication) {
            SnapshotDecision::Schedule(_) => {
                self.waiting = Some((now, Box::new(publication.clone())));
            }
            SnapshotDecision::NotDue
            | SnapshotDecision::StillWriting(_)
            | SnapshotDecision::Disabled(_)
            | SnapshotDecision::NotBatchAligned(_) => {}
        }
    }

    /// When [`Self::run`] has something to do.
    pub(crate) fn next_at(&self) -> Option<Time> {
        self.waiting.as_ref().map(|(since, _)| *since)
    }

    /// Writes the checkpoint that waits. Only a crash of the disk is an error: anything else that goes wrong is noted, and
    /// the process goes on, as in Kafka.
    pub(crate) fn run(
        &mut self,
        now: Time,
        replica: &mut Replica,
        disk: &mut dyn Disk,
    ) -> Result<(), DiskError> {
        let Some((_, publication)) = self.waiting.take() else {
            return Ok(());
        };
        self.generator.writing_started(now);
        let outcome = self.write(now, &publication, replica, disk);
        self.generator.writing_ended();
        match outcome {
            Ok(()) => Ok(()),
            Err(
                SnapshotFault::Create(CreateSnapshotError::Disk(DiskError::Crash))
                | SnapshotFault::Write(SnapshotWriterError::Disk(DiskError::Crash)),
            ) => Err(DiskError::Crash),
            Err(fault) => {
                self.faults.push(fault.to_string());
                Ok(())
            }
        }
    }

    fn write(
        &mut self,
        now: Time,
        publication: &Publication,
        replica: &mut Replica,
        disk: &mut dyn Disk,
    ) -> Result<(), SnapshotFault> {
        let provenance = &publication.provenance;
        let id = provenance.snapshot_id();
        let log_time_ms = provenance.last_contained_log_time_ms;
        let Some(mut writer) = replica.create_snapshot(now, disk, id, log_time_ms)? else {
            return Ok(());
        };
        let version = publication.image.features().metadata_version();
        let version = version.unwrap_or(self.dialect.features.minimum_supported);
        let records = publication.image.snapshot_records(version, &self.dialect)?;
        let now_ms = replica.config().clock.millis(now);
        for some in records.chunks(RECORDS_PER_APPEND) {
            writer.append(disk, some, now_ms)?;
        }
        replica.freeze_snapshot(now, disk, writer)?;
        self.written += 1;
        Ok(())
    }

    /// How many checkpoints this process wrote.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Why checkpoints were not written.
    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }
}
