//! Which work comes back by itself while a controller is active, and how often
//! (`4.4:…/controller/PeriodicTaskControlManager.java`).

use determinism::Time;

use crate::config::{BackgroundWork, ControllerConfig};

/// A task that comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PeriodicTask {
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
pub(crate) enum TaskSchedule {
    /// It has, or the task failed.
    Scheduled,
    /// It is not, and the next one may wait.
    Deferred,
    /// It is not, and there is more to do at once.
    Immediately,
}

/// `QuorumController`'s default for elections where data may be lost.
const UNCLEAN_ELECTION_INTERVAL: Time = Time::from_millis(300_000);
/// `delegation.token.expiry.check.interval.ms`
const TOKEN_EXPIRY_INTERVAL: Time = Time::from_millis(3_600_000);
/// `EventPerformanceMonitor`'s period.
const PERFORMANCE_INTERVAL: Time = Time::from_millis(60_000);

impl PeriodicTask {
    pub(crate) const ALL: [PeriodicTask; 6] = [
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

    /// How often the task comes back; `None` for a task that there is not.
    pub(crate) fn period(self, config: &ControllerConfig) -> Option<Time> {
        match self {
            _ if !self.is_wanted(config) => None,
            PeriodicTask::WriteNoOpRecord => config.max_idle_interval,
            PeriodicTask::MaybeFenceStaleBroker => {
                let eighth = Time::from_micros(config.session_timeout.as_micros() / 8);
                Some(eighth.max(Time::from_millis(1)))
            }
            PeriodicTask::ElectPreferred => config.leader_imbalance_check_interval,
            PeriodicTask::ElectUnclean => Some(UNCLEAN_ELECTION_INTERVAL),
            PeriodicTask::ExpireDelegationTokens => Some(TOKEN_EXPIRY_INTERVAL),
            PeriodicTask::GeneratePeriodicPerformanceMessage => Some(PERFORMANCE_INTERVAL),
        }
    }

    pub(crate) fn is_wanted(self, config: &ControllerConfig) -> bool {
        match config.background_work {
            BackgroundWork::Everything => true,
            BackgroundWork::NoOpRecords => self == PeriodicTask::WriteNoOpRecord,
        }
    }
}
