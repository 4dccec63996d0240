//! Carrying out a plan, one disk operation after the other as Kafka makes them.

use bytes::Bytes;
use disk::{Disk, DiskError};
use raft_log::{file, java_date, meta_properties};
use releases::storage::BootstrapFile;

use crate::Draws;
use crate::content::{legacy, zero_checkpoint};
use crate::plan::{FormatPlan, LEGACY_FILE, PlannedDirectory, ZERO_CHECKPOINT};

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
        if self.writes_legacy_file() {
            write_legacy(path, &legacy(&self.encoded, draws), disk)?;
        }
        if self.writes_zero_checkpoint(directory) {
            // Before 4.4 it holds control records alone.
            let records = (!self.writes_legacy_file()).then_some(&self.encoded);
            let voters = self.voters.as_ref();
            let batches = zero_checkpoint(self.kraft_version, voters, records, draws);
            write_zero_checkpoint(path, &batches, disk, draws)?;
        }
        match self.bootstrap_file {
            BootstrapFile::ZeroCheckpointAndLegacyDeleted => {
                file::remove_if_exists(disk, &format!("{path}/{LEGACY_FILE}"))?;
            }
            BootstrapFile::LegacyFile | BootstrapFile::ZeroCheckpoint => {}
        }
        let date = java_date(draws.now_ms());
        file::replace(
            disk,
            &format!("{path}/{}", meta_properties::FILE_NAME),
            &directory.meta.to_bytes(&date),
        )
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
    let path = format!("{directory}/{ZERO_CHECKPOINT}");
    let partition = disk::path::parent(&path);
    disk.create_dir_all(partition)?;
    let stem = path.strip_suffix(".checkpoint").unwrap_or(&path);
    let temporary = format!("{stem}-{}.checkpoint.part", draws.file_number());
    disk.create(&temporary)?;
    for batch in batches {
        disk.append(&temporary, batch)?;
    }
    disk.sync(&temporary)?;
    disk.set_read_only(&temporary)?;
    disk.rename(&temporary, &path)?;
    disk.sync_dir(partition)
}
