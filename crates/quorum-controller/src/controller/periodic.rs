//! Work that comes back by itself while the controller is active (`4.4:…/PeriodicTaskControlManager.java`; separate
//! deferred events in `3.9:…/QuorumController.java`).

use determinism::Time;
use determinism::java::{HashTable, hash_string};
use records::feature::{Capability, METADATA_VERSION};
use records::metadata::{MetadataRecord, NoOpRecord, VersionedRecord};
use releases::controller::PeriodicTasks;

use super::Controller;
use super::event::ControllerEvent;
use crate::heartbeats::Heartbeats;
use crate::periodic_task::{PeriodicTask, TaskSchedule};
use crate::result::{ControllerResult, More, WriteFailure};
use crate::{broker_control, election};

/// How soon a task comes back that has more to do.
const SOON: Time = Time::from_millis(10);
/// How soon one comes back that failed.
const AFTER_FAILURE: Time = Time::from_millis(300_000);

impl Controller {
    fn schedule(&mut self, task: PeriodicTask, deadline: Time) {
        self.queue
            .schedule(task, deadline, ControllerEvent::Task(task));
    }

    /// Called when the activation is complete.
    pub(super) fn start_periodic_tasks(&mut self, now: Time) {
        match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => {
                let mut tasks = PeriodicTask::ALL;
                HashTable::new().sort(&mut tasks, |task| hash_string(task.name()));
                for task in tasks {
                    if let Some(period) = task.period(&self.config) {
                        self.schedule(task, now + period);
                    }
                }
            }
            PeriodicTasks::DeferredEvents => {
                self.schedule_elections(now);
                self.schedule_no_op(now);
            }
        }
    }

    /// Called when the controller renounces.
    pub(super) fn cancel_periodic_tasks(&mut self) {
        for task in PeriodicTask::ALL {
            self.queue.cancel(task);
        }
        self.balance_schedule = TaskSchedule::Deferred;
        self.unclean_schedule = TaskSchedule::Deferred;
    }

    /// What a task wants to write. It comes back, however it ends.
    pub(super) fn run_task(
        &mut self,
        now: Time,
        task: PeriodicTask,
    ) -> Result<ControllerResult, WriteFailure> {
        let outcome = self.task_records(now, task);
        match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => {
                let delay = match &outcome {
                    Ok((_, More::Maybe)) => Some(SOON),
                    Ok((_, More::No)) => task.period(&self.config),
                    Err(_) => Some(AFTER_FAILURE),
                };
                if let Some(delay) = delay {
                    self.schedule(task, now + delay);
                }
                let failed = |failure| WriteFailure::TaskFailed {
                    task: task.name(),
                    text: format!("{failure:?}"),
                };
                let (records, _) = outcome.map_err(failed)?;
                Ok(ControllerResult::splittable(records))
            }
            PeriodicTasks::DeferredEvents => {
                let (records, more) = outcome?;
                let next = match more {
                    More::Maybe => TaskSchedule::Immediately,
                    More::No => TaskSchedule::Deferred,
                };
                match task {
                    PeriodicTask::WriteNoOpRecord => self.schedule_no_op(now),
                    PeriodicTask::MaybeFenceStaleBroker => self.reschedule_fencing(now),
                    PeriodicTask::ElectPreferred => self.balance_schedule = next,
                    PeriodicTask::ElectUnclean => self.unclean_schedule = next,
                    PeriodicTask::ExpireDelegationTokens
                    | PeriodicTask::GeneratePeriodicPerformanceMessage => {}
                }
                Ok(ControllerResult::splittable(records))
            }
        }
    }

    fn task_records(
        &mut self,
        now: Time,
        task: PeriodicTask,
    ) -> Result<(Vec<VersionedRecord>, More), WriteFailure> {
        match task {
            PeriodicTask::WriteNoOpRecord => {
                let record = VersionedRecord::new(0, NoOpRecord::default());
                Ok((vec![record], More::No))
            }
            PeriodicTask::MaybeFenceStaleBroker => {
                let (view, soft) = self.parts()?;
                broker_control::fence_one_stale_broker(view, soft.heartbeats, now)
            }
            PeriodicTask::ElectPreferred => election::balance_leaders(self.view()),
            PeriodicTask::ElectUnclean => election::elect_unclean_leaders(self.view()),
            PeriodicTask::ExpireDelegationTokens
            | PeriodicTask::GeneratePeriodicPerformanceMessage => Ok((Vec::new(), More::No)),
        }
    }

    fn schedule_no_op(&mut self, now: Time) {
        let task = PeriodicTask::WriteNoOpRecord;
        if let Some(interval) = self.config.max_idle_interval
            && !self.queue.is_scheduled(task)
            && self.version_has_no_op()
        {
            self.schedule(task, now + interval);
        }
    }

    /// 3.9 looks for ended sessions when the first may have ended, and thinks about that with every heartbeat.
    pub(super) fn reschedule_fencing(&mut self, now: Time) {
        match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => {}
            PeriodicTasks::DeferredEvents => {
                let task = PeriodicTask::MaybeFenceStaleBroker;
                let beats = self
                    .heartbeats
                    .as_ref()
                    .filter(|_| task.is_wanted(&self.config));
                let next = beats.and_then(Heartbeats::next_end);
                match next {
                    Some(deadline) => self.schedule(task, deadline.max(now)),
                    None => self.queue.cancel(task),
                }
            }
        }
    }

    /// 3.9 looks after every write whether elections are needed.
    pub(super) fn schedule_elections(&mut self, now: Time) {
        match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => {}
            PeriodicTasks::DeferredEvents => {
                let delay = |schedule, interval| match schedule {
                    TaskSchedule::Immediately => SOON,
                    TaskSchedule::Deferred | TaskSchedule::Scheduled => interval,
                };
                if let Some(interval) = PeriodicTask::ElectPreferred.period(&self.config)
                    && self.balance_schedule != TaskSchedule::Scheduled
                    && !self.offsets.state().imbalanced.is_empty()
                {
                    let delay = delay(self.balance_schedule, interval);
                    self.schedule(PeriodicTask::ElectPreferred, now + delay);
                    self.balance_schedule = TaskSchedule::Scheduled;
                }
                if let Some(interval) = PeriodicTask::ElectUnclean.period(&self.config)
                    && self.unclean_schedule != TaskSchedule::Scheduled
                    && self.offsets.state().in_sync.some_are_without_leader()
                {
                    let delay = delay(self.unclean_schedule, interval);
                    self.schedule(PeriodicTask::ElectUnclean, now + delay);
                    self.unclean_schedule = TaskSchedule::Scheduled;
                }
            }
        }
    }

    /// 3.9 starts and stops the `NoOpRecord`s as the metadata.version changes under the active controller.
    pub(super) fn after_own_record(&mut self, now: Time, record: &VersionedRecord) {
        match (self.rules.controller.periodic_tasks, &record.record) {
            (PeriodicTasks::DeferredEvents, MetadataRecord::FeatureLevel(feature))
                if feature.name == METADATA_VERSION =>
            {
                if self.version_has_no_op() {
                    self.schedule_no_op(now);
                } else {
                    self.queue.cancel(PeriodicTask::WriteNoOpRecord);
                }
            }
            _ => {}
        }
    }

    fn version_has_no_op(&self) -> bool {
        self.view().can(Capability::NoOpRecord)
    }
}
