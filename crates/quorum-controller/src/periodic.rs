//! Work that comes back by itself while the controller is active (`4.4:…/PeriodicTaskControlManager.java`; separate
//! deferred events in `3.9:…/QuorumController.java`).

use determinism::Time;
use records::feature::{Capability, METADATA_VERSION};
use records::metadata::{MetadataRecord, VersionedRecord};
use releases::controller::PeriodicTasks;

use crate::controller::{Controller, ControllerEvent, PeriodicTask};

impl Controller {
    /// After activation: the first `NoOpRecord` comes one interval later.
    pub(crate) fn start_periodic_tasks(&mut self, now: Time) {
        self.reschedule_no_op(now);
    }

    /// At renunciation.
    pub(crate) fn cancel_periodic_tasks(&mut self) {
        self.queue.cancel(PeriodicTask::WriteNoOpRecord);
    }

    pub(crate) fn reschedule_no_op(&mut self, now: Time) {
        let Some(interval) = self.config.max_idle_interval else {
            return;
        };
        let due = match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => true,
            PeriodicTasks::DeferredEvents => {
                !self.queue.is_scheduled(PeriodicTask::WriteNoOpRecord) && self.version_has_no_op()
            }
        };
        if due {
            self.queue.schedule(
                PeriodicTask::WriteNoOpRecord,
                now + interval,
                ControllerEvent::WriteNoOpRecord,
            );
        }
    }

    /// 3.9 starts and stops the `NoOpRecord`s as the metadata.version changes under the active controller.
    pub(crate) fn after_own_record(&mut self, now: Time, record: &VersionedRecord) {
        match (self.rules.controller.periodic_tasks, &record.record) {
            (PeriodicTasks::DeferredEvents, MetadataRecord::FeatureLevel(feature))
                if feature.name == METADATA_VERSION =>
            {
                if self.version_has_no_op() {
                    self.reschedule_no_op(now);
                } else {
                    self.queue.cancel(PeriodicTask::WriteNoOpRecord);
                }
            }
            _ => {}
        }
    }

    fn version_has_no_op(&self) -> bool {
        self.metadata_version().is_some_and(|version| {
            self.rules
                .features
                .supports(version, Capability::NoOpRecord)
        })
    }
}
