use determinism::Time;
use disk::Disk;
use image::{Loader, LoadingFault};
use raft::Replica;

use crate::Ended;
use crate::registrar::Registrar;
use crate::snapshots::Snapshots;

/// The metadata loader, and who subscribes to what it publishes.
#[derive(Clone, Debug)]
pub(crate) struct Metadata {
    pub(crate) loader: Loader,
    pub(crate) registrar: Registrar,
    pub(crate) snapshots: Snapshots,
}

impl Metadata {
    /// Runs one event of the loader; its publications go to the subscribers.
    pub(crate) fn load(&mut self, now: Time, replica: &mut Replica) -> Result<(), LoadingFault> {
        self.loader.poll_event(now, replica)?;
        while let Some(publication) = self.loader.poll_publication() {
            self.snapshots.image_published(now, &publication);
            self.registrar.image_published(now, &publication);
        }
        Ok(())
    }

    /// Writes the checkpoint that waits.
    pub(crate) fn write_snapshot(
        &mut self,
        now: Time,
        replica: &mut Replica,
        disk: &mut dyn Disk,
    ) -> Result<(), Ended> {
        let written = self.snapshots.run(now, replica, disk);
        written.map_err(|_| Ended::CrashedAtDisk)
    }
}
