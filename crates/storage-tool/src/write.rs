//! Carrying out a plan, one disk operation after the other as Kafka makes them.

use bytes::Bytes;
use disk::{Disk, DiskError};
use raft_log::{file, java_date, meta_properties};
use releases::storage::BootstrapFile;

use crate::Draws;
use crate::content::{legacy, zero_checkpoint};
use crate::plan::{DirectoryKind, FormatPlan, PlannedDirectory};

/// Name of the legacy file.
const LEGACY_FILE: &str = "bootstrap.checkpoint";
/// The directory of the metadata log within a metadata directory.
const METADATA_PARTITION: &str = "__cluster_metadata-0";
/// Name of the zero checkpoint without its suffix.
const ZERO: &str = "00000000000000000000-0000000000";

impl FormatPlan {
    /// Formats the directories, one after the other; in each, `meta.properties` is written last.
    ///
    /// A process that ends on the way leaves earlier directories formatted, later ones untouched, and the one it was at
    /// with a bootstrap file but without `meta.properties`: it counts as unformatted, and formatting it again replaces
    /// what is there. A `.tmp` or `.part` file may stay behind; no reader takes it for the finished one.
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
        let path = &directory.path;
        disk.create_dir_all(path)?;
        let is_metadata = directory.kind != DirectoryKind::Data;
        match self.bootstrap_file {
            BootstrapFile::LegacyFile => {
                write_legacy(path, &legacy(&self.encoded, draws), disk)?;
                if is_metadata && self.voters.is_some() {
                    let batches =
                        zero_checkpoint(self.kraft_version, self.voters.as_ref(), None, draws);
                    write_zero_checkpoint(path, &batches, disk, draws)?;
                }
            }
            BootstrapFile::ZeroCheckpoint => {
                self.write_full_zero_checkpoint(directory, disk, draws)?;
            }
            BootstrapFile::ZeroCheckpointAndLegacyDeleted => {
                self.write_full_zero_checkpoint(directory, disk, draws)?;
                file::remove_if_exists(disk, &format!("{path}/{LEGACY_FILE}"))?;
            }
        }
        let date = java_date(draws.now_ms());
        file::replace(
            disk,
            &format!("{path}/{}", meta_properties::FILE_NAME),
            &directory.meta.to_bytes(&date),
        )
    }

    fn write_full_zero_checkpoint(
        &self,
        directory: &PlannedDirectory,
        disk: &mut impl Disk,
        draws: &mut impl Draws,
    ) -> Result<(), DiskError> {
        if directory.kind == DirectoryKind::Data || !self.is_controller {
            return Ok(());
        }
        let batches = zero_checkpoint(
            self.kraft_version,
            self.voters.as_ref(),
            Some(&self.encoded),
            draws,
        );
        write_zero_checkpoint(&directory.path, &batches, disk, draws)
    }
}

/// `bootstrap.checkpoint` is renamed into place, but neither it nor its name is made durable.
fn write_legacy(directory: &str, batches: &[Bytes], disk: &mut impl Disk) -> Result<(), DiskError> {
    let path = format!("{directory}/{LEGACY_FILE}");
    let temporary = format!("{path}.tmp");
    file::remove_if_exists(disk, &temporary)?;
    disk.create(&temporary)?;
    for batch in batches {
        disk.append(&temporary, batch)?;
    }
    disk.rename(&temporary, &path)
}

fn write_zero_checkpoint(
    directory: &str,
    batches: &[Bytes],
    disk: &mut impl Disk,
    draws: &mut impl Draws,
) -> Result<(), DiskError> {
    let partition = format!("{directory}/{METADATA_PARTITION}");
    disk.create_dir_all(&partition)?;
    let temporary = format!("{partition}/{ZERO}-{}.checkpoint.part", draws.file_number());
    disk.create(&temporary)?;
    for batch in batches {
        disk.append(&temporary, batch)?;
    }
    disk.sync(&temporary)?;
    disk.set_read_only(&temporary)?;
    disk.rename(&temporary, &format!("{partition}/{ZERO}.checkpoint"))?;
    disk.sync_dir(&partition)
}
