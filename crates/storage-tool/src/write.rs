//! Carrying out a plan, one disk operation after the other as Kafka makes them.

use config::{java_date, meta_properties};
use disk::{Disk, DiskError, path};
use raft_log::checkpoint::{
    BOOTSTRAP_SNAPSHOT_ID, CheckpointWriter, KRaftRecords, RawSnapshotWriter,
};
use raft_log::file::Leftover;
use raft_log::{file, legacy};
use records::control::KRaftVersionRecord;
use releases::storage::BootstrapFile;

use crate::Draws;
use raft_log::log::METADATA_LOG_DIR_NAME;

use crate::plan::{FormatPlan, PlannedDirectory};

/// What the plan has made sure of.
const PLANNED: &str = "the plan holds records that can be encoded and fit into a batch";

impl FormatPlan {
    /// Formats the directories, one after the other; in each, `meta.properties` is written last.
    ///
    /// A process that ends on the way leaves earlier directories formatted, later ones untouched, and the one it was at
    /// perhaps with a bootstrap file but without `meta.properties`: it counts as unformatted, and formatting it again
    /// replaces what is there. A `.tmp` or `.part` file may stay behind; no reader takes it for the finished one.
    pub fn write(&self, disk: &mut impl Disk, draws: &mut impl Draws) -> Result<(), DiskError> {
        for directory in &self.directories {
            self.write_directory(directory, disk, draws)?;
        }
        Ok(())
    }

    fn write_directory(
        &self,
        directory: &PlannedDirectory,
        disk: &mut impl Disk,
        draws: &mut impl Draws,
    ) -> Result<(), DiskError> {
        let dir = &directory.path;
        disk.create_dir_all(&path::without_dots(dir))?;
        if self.writes_legacy_file() {
            let content =
                legacy::to_bytes(&self.bootstrap_records, || draws.now_ms()).expect(PLANNED);
            legacy::write(disk, dir, &content)?;
        }
        if self.writes_zero_checkpoint(directory) {
            self.write_zero_checkpoint(dir, disk, draws)?;
        }
        match self.bootstrap_file {
            BootstrapFile::ZeroCheckpointAndLegacyDeleted => {
                file::remove_if_exists(disk, &path::join(dir, legacy::FILE_NAME))?;
            }
            BootstrapFile::LegacyFile | BootstrapFile::ZeroCheckpoint => {}
        }
        let date = java_date(draws.now_ms());
        let meta = directory.meta.to_bytes(&date);
        let target = path::join(dir, meta_properties::FILE_NAME);
        file::replace(disk, &target, &meta, Leftover::Removed)
    }

    /// Before 4.4 it holds control records alone, since the others are in the legacy file.
    fn write_zero_checkpoint(
        &self,
        dir: &str,
        disk: &mut impl Disk,
        draws: &mut impl Draws,
    ) -> Result<(), DiskError> {
        let quorum = match self.kraft_version {
            0 => KRaftRecords::Absent,
            kraft_version => KRaftRecords::Present {
                version: KRaftVersionRecord {
                    kraft_version,
                    ..KRaftVersionRecord::default()
                },
                voters: self.voters.clone(),
            },
        };
        let covered_until = draws.now_ms();
        let partition = path::join(dir, METADATA_LOG_DIR_NAME);
        let mut file = RawSnapshotWriter::create(
            disk,
            &partition,
            BOOTSTRAP_SNAPSHOT_ID,
            draws.file_number(),
        )?;
        let mut writer =
            CheckpointWriter::new(BOOTSTRAP_SNAPSHOT_ID, covered_until, quorum, draws.now_ms())
                .expect(PLANNED);
        let mut batches = Vec::new();
        if !self.writes_legacy_file() {
            batches.extend(
                writer
                    .append(&self.bootstrap_records, draws.now_ms())
                    .expect(PLANNED),
            );
        }
        batches.extend(writer.finish(draws.now_ms()).expect(PLANNED));
        for batch in batches {
            file.append(disk, batch.bytes())?;
        }
        file.freeze(disk)?;
        Ok(())
    }
}
