//! Work that comes back by itself while the controller is active (`4.4:…/PeriodicTaskControlManager.java`; separate
//! deferred events in `3.9:…/QuorumController.java`).

use determinism::Time;
use determinism::java::{HashTable, hash_string};
use records::feature::{Capability, METADATA_VERSION};
use records::metadata::{MetadataRecord, NoOpRecord, VersionedRecord};
use releases::controller::PeriodicTasks;

use crate::broker_control::More;
use crate::config::BackgroundWork;
use crate::controller::{Controller, ControllerEvent};
use crate::heartbeats::Heartbeats;
use crate::result::ControllerResult;
use crate::write_path::WriteFailure;

/// A task that comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PeriodicTask {
    /// Writes a `NoOpRecord`.
    WriteNoOpRecord,
    /// Fences a broker whose session has ended.
    MaybeFenceStaleBroker,
    /// Moves leaders back to preferred replicas.
    ElectPreferred,
    /// Elects leaders for partitions that have none, where data may be lost.
    ElectUnclean,
    /// Removes delegation tokens that are over.
    ExpireDelegationTokens,
    /// Says in the log how long events took.
    GeneratePeriodicPerformanceMessage,
}

/// Whether 3.9 has a task under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// It has, or the task failed.
    Scheduled,
    /// It is not, and the next one may wait.
    Deferred,
    /// It is not, and there is more to do at once.
    Immediately,
}

/// How soon a task comes back that has more to do.
const SOON: Time = Time::from_millis(10);
/// How soon one comes back that failed.
const AFTER_FAILURE: Time = Time::from_millis(300_000);
/// `QuorumController`'s default for elections where data may be lost.
const UNCLEAN_ELECTION_INTERVAL: Time = Time::from_millis(300_000);
/// `delegation.token.expiry.check.interval.ms`
const TOKEN_EXPIRY_INTERVAL: Time = Time::from_millis(3_600_000);
/// `EventPerformanceMonitor`'s period.
const PERFORMANCE_INTERVAL: Time = Time::from_millis(60_000);

impl PeriodicTask {
    const ALL: [PeriodicTask; 6] = [
        PeriodicTask::WriteNoOpRecord,
        PeriodicTask::MaybeFenceStaleBroker,
        PeriodicTask::ElectPreferred,
        PeriodicTask::ElectUnclean,
        PeriodicTask::ExpireDelegationTokens,
        PeriodicTask::GeneratePeriodicPerformanceMessage,
    ];

    /// What Kafka calls it.
    pub fn name(self) -> &'static str {
        match self {
            PeriodicTask::WriteNoOpRecord => "writeNoOpRecord",
            PeriodicTask::MaybeFenceStaleBroker => "maybeFenceStaleBroker",
            PeriodicTask::ElectPreferred => "electPreferred",
            PeriodicTask::ElectUnclean => "electUnclean",
            PeriodicTask::ExpireDelegationTokens => "expireDelegationTokens",
            PeriodicTask::GeneratePeriodicPerformanceMessage => {
                "generatePeriodicPerformanceMessage"
            }
        }
    }
}

impl Controller {
    /// How often a task comes back; `None` for one that there is not.
    fn period(&self, task: PeriodicTask) -> Option<Time> {
        match task {
            _ if !self.is_wanted(task) => None,
            PeriodicTask::WriteNoOpRecord => self.config.max_idle_interval,
            PeriodicTask::MaybeFenceStaleBroker => {
                let eighth = Time::from_micros(self.config.session_timeout.as_micros() / 8);
                Some(eighth.max(Time::from_millis(1)))
            }
            PeriodicTask::ElectPreferred => self.config.leader_imbalance_check_interval,
            PeriodicTask::ElectUnclean => Some(UNCLEAN_ELECTION_INTERVAL),
            PeriodicTask::ExpireDelegationTokens => Some(TOKEN_EXPIRY_INTERVAL),
            PeriodicTask::GeneratePeriodicPerformanceMessage => Some(PERFORMANCE_INTERVAL),
        }
    }

    fn is_wanted(&self, task: PeriodicTask) -> bool {
        match self.config.background_work {
            BackgroundWork::Everything => true,
            BackgroundWork::NoOpRecords => task == PeriodicTask::WriteNoOpRecord,
        }
    }

    fn schedule(&mut self, task: PeriodicTask, deadline: Time) {
        self.queue
            .schedule(task, deadline, ControllerEvent::Task(task));
    }

    /// After activation.
    pub(crate) fn start_periodic_tasks(&mut self, now: Time) {
        match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => {
                let mut tasks = PeriodicTask::ALL;
                HashTable::new().sort(&mut tasks, |task| hash_string(task.name()));
                for task in tasks {
                    if let Some(period) = self.period(task) {
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

    /// At renunciation.
    pub(crate) fn cancel_periodic_tasks(&mut self) {
        for task in PeriodicTask::ALL {
            self.queue.cancel(task);
        }
        self.balance_schedule = Schedule::Deferred;
        self.unclean_schedule = Schedule::Deferred;
    }

    /// What a task wants to write. It comes back, however it ends.
    pub(crate) fn run_task(
        &mut self,
        now: Time,
        task: PeriodicTask,
    ) -> Result<ControllerResult, WriteFailure> {
        let outcome = self.task_records(now, task);
        match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => {
                let delay = match &outcome {
                    Ok((_, More::Maybe)) => Some(SOON),
                    Ok((_, More::No)) => self.period(task),
                    Err(_) => Some(AFTER_FAILURE),
                };
                if let Some(delay) = delay {
                    self.schedule(task, now + delay);
                }
                let failed = |failure| WriteFailure::TaskFailed {
                    task,
                    text: format!("{failure:?}"),
                };
                let (records, _) = outcome.map_err(failed)?;
                Ok(ControllerResult::splittable(records))
            }
            PeriodicTasks::DeferredEvents => {
                let (records, more) = outcome?;
                let next = match more {
                    More::Maybe => Schedule::Immediately,
                    More::No => Schedule::Deferred,
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
            PeriodicTask::MaybeFenceStaleBroker => self.fence_one_stale_broker(now),
            PeriodicTask::ElectPreferred => self.balance_leaders(),
            PeriodicTask::ElectUnclean => self.elect_unclean_leaders(),
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
    pub(crate) fn reschedule_fencing(&mut self, now: Time) {
        match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => {}
            PeriodicTasks::DeferredEvents => {
                let task = PeriodicTask::MaybeFenceStaleBroker;
                let beats = self.heartbeats.as_ref().filter(|_| self.is_wanted(task));
                let next = beats.and_then(Heartbeats::next_end);
                match next {
                    Some(deadline) => self.schedule(task, deadline.max(now)),
                    None => self.queue.cancel(task),
                }
            }
        }
    }

    /// 3.9 looks after every write whether elections are needed.
    pub(crate) fn schedule_elections(&mut self, now: Time) {
        match self.rules.controller.periodic_tasks {
            PeriodicTasks::TaskManager => {}
            PeriodicTasks::DeferredEvents => {
                let delay = |schedule, interval| match schedule {
                    Schedule::Immediately => SOON,
                    Schedule::Deferred | Schedule::Scheduled => interval,
                };
                if let Some(interval) = self.period(PeriodicTask::ElectPreferred)
                    && self.balance_schedule != Schedule::Scheduled
                    && !self.state().imbalanced.is_empty()
                {
                    let delay = delay(self.balance_schedule, interval);
                    self.schedule(PeriodicTask::ElectPreferred, now + delay);
                    self.balance_schedule = Schedule::Scheduled;
                }
                if let Some(interval) = self.period(PeriodicTask::ElectUnclean)
                    && self.unclean_schedule != Schedule::Scheduled
                    && self.state().in_sync.some_are_without_leader()
                {
                    let delay = delay(self.unclean_schedule, interval);
                    self.schedule(PeriodicTask::ElectUnclean, now + delay);
                    self.unclean_schedule = Schedule::Scheduled;
                }
            }
        }
    }

    /// 3.9 starts and stops the `NoOpRecord`s as the metadata.version changes under the active controller.
    pub(crate) fn after_own_record(&mut self, now: Time, record: &VersionedRecord) {
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
        self.can(Capability::NoOpRecord)
    }
}
