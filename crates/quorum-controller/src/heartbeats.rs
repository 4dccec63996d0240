//! What the active controller knows of brokers beyond their registrations: when they were heard of, how far they have
//! read, whether they shut down (`4.4:…/controller/BrokerHeartbeatManager.java`, `BrokerHeartbeatTracker.java`). It is lost
//! with the leadership.

use std::collections::{BTreeMap, BTreeSet};

use determinism::Time;
use records::NodeId;
use releases::ReplicationRules;
use releases::replication::{KeyHash, SessionTracking, SessionsAtActivation};

use crate::sessions::{BrokerIdAndEpoch, HeartbeatTimes, UnfencedList};

/// The broker is not shutting down.
const NO_SHUTDOWN: i64 = -1;

/// How the controller sees a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BrokerState {
    Fenced,
    Unfenced,
    ControlledShutdown,
    ShutdownNow,
}

impl BrokerState {
    pub(crate) fn is_fenced(self) -> bool {
        matches!(self, BrokerState::Fenced | BrokerState::ShutdownNow)
    }
}

/// What a broker tells of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    pub(crate) wants_fence: bool,
    pub(crate) wants_shutdown: bool,
    /// Whether it has read its own registration.
    pub(crate) is_caught_up: bool,
}

#[derive(Clone, Debug)]
struct Broker {
    fenced: bool,
    metadata_offset: i64,
    /// The offset that all active brokers have to reach before it may go.
    shutdown_offset: i64,
}

impl Broker {
    fn is_shutting_down(&self) -> bool {
        self.shutdown_offset >= 0
    }

    fn state(&self) -> BrokerState {
        if self.is_shutting_down() {
            BrokerState::ControlledShutdown
        } else if self.fenced {
            BrokerState::Fenced
        } else {
            BrokerState::Unfenced
        }
    }
}

#[derive(Clone, Debug)]
enum Sessions {
    Unfenced(UnfencedList),
    Heartbeats(HeartbeatTimes),
}

/// The brokers as the active controller sees them.
#[derive(Clone, Debug)]
pub(crate) struct Heartbeats {
    brokers: BTreeMap<NodeId, Broker>,
    /// Unfenced brokers that do not shut down, by how far they have read.
    active: BTreeSet<(i64, NodeId)>,
    sessions: Sessions,
    sessions_at_activation: SessionsAtActivation,
}

impl Heartbeats {
    pub(crate) fn new(rules: &ReplicationRules, session_timeout: Time) -> Self {
        let sessions = match rules.session_tracking {
            SessionTracking::UnfencedBrokers => {
                Sessions::Unfenced(UnfencedList::new(session_timeout))
            }
            SessionTracking::HeartbeatTimes => {
                let hash: fn(BrokerIdAndEpoch) -> i32 = match rules.session_hash {
                    KeyHash::ObjectsHash => BrokerIdAndEpoch::objects_hash,
                    KeyHash::RecordHash => BrokerIdAndEpoch::record_hash,
                };
                Sessions::Heartbeats(HeartbeatTimes::new(session_timeout, hash))
            }
        };
        Heartbeats {
            brokers: BTreeMap::new(),
            active: BTreeSet::new(),
            sessions,
            sessions_at_activation: rules.sessions_at_activation,
        }
    }

    /// A broker is registered already when its controller becomes active.
    pub(crate) fn begin(&mut self, now: Time, broker: BrokerIdAndEpoch, fenced: bool) {
        self.register(now, broker.id, fenced);
        let has_session = match self.sessions_at_activation {
            SessionsAtActivation::AllBrokers => true,
            SessionsAtActivation::UnfencedBrokers => !fenced,
        };
        if has_session {
            self.note(now, broker);
        }
    }

    /// A heartbeat comes in.
    pub(crate) fn note(&mut self, now: Time, broker: BrokerIdAndEpoch) {
        if let Sessions::Heartbeats(times) = &mut self.sessions {
            times.note(now, broker);
        }
    }

    pub(crate) fn has_valid_session(&self, now: Time, broker: BrokerIdAndEpoch) -> bool {
        match &self.sessions {
            Sessions::Unfenced(list) => list.has_valid_session(now, broker.id),
            Sessions::Heartbeats(times) => times.has_valid_session(now, broker),
        }
    }

    /// A registration is replayed, or changed.
    pub(crate) fn register(&mut self, now: Time, id: NodeId, fenced: bool) {
        let known = self.brokers.get(&id);
        // Kafka keeps the offset only when the fencing changes.
        let metadata_offset = known
            .filter(|broker| broker.fenced != fenced)
            .map_or(-1, |broker| broker.metadata_offset);
        self.brokers.entry(id).or_insert(Broker {
            fenced,
            metadata_offset: -1,
            shutdown_offset: NO_SHUTDOWN,
        });
        self.touch(now, id, fenced, metadata_offset);
    }

    pub(crate) fn touch(&mut self, now: Time, id: NodeId, fenced: bool, metadata_offset: i64) {
        let Some(broker) = self.brokers.get_mut(&id) else {
            return;
        };
        self.active.remove(&(broker.metadata_offset, id));
        broker.fenced = fenced;
        broker.metadata_offset = metadata_offset;
        if fenced {
            broker.shutdown_offset = NO_SHUTDOWN;
        } else if !broker.is_shutting_down() {
            self.active.insert((metadata_offset, id));
        }
        if let Sessions::Unfenced(list) = &mut self.sessions {
            list.remove(id);
            if !fenced {
                list.push(now, id);
            }
        }
    }

    pub(crate) fn fence(&mut self, id: NodeId) {
        if let Some(broker) = self.brokers.get_mut(&id) {
            broker.fenced = true;
            self.active.remove(&(broker.metadata_offset, id));
            if let Sessions::Unfenced(list) = &mut self.sessions {
                list.remove(id);
            }
        }
    }

    pub(crate) fn remove(&mut self, id: NodeId) {
        if let Some(broker) = self.brokers.remove(&id) {
            self.active.remove(&(broker.metadata_offset, id));
            if let Sessions::Unfenced(list) = &mut self.sessions {
                list.remove(id);
            }
        }
    }

    /// The broker shuts down: it may go once all others have read up to here.
    pub(crate) fn begin_controlled_shutdown(&mut self, id: NodeId, offset: i64) {
        if let Some(broker) = self.brokers.get_mut(&id) {
            self.active.remove(&(broker.metadata_offset, id));
            if broker.shutdown_offset < 0 {
                broker.shutdown_offset = offset;
            }
        }
    }

    /// Brokers that replicas may be placed on, and whether each is fenced.
    pub(crate) fn usable(&self) -> impl Iterator<Item = (NodeId, bool)> {
        let usable = self.brokers.iter();
        usable
            .filter(|(_, broker)| !broker.is_shutting_down())
            .map(|(id, broker)| (*id, broker.fenced))
    }

    /// How it was seen before its heartbeat, and is after it; `None` for a broker that is not registered.
    pub(crate) fn next_state(
        &self,
        id: NodeId,
        report: Report,
        leads: bool,
    ) -> Option<(BrokerState, BrokerState)> {
        let broker = self.brokers.get(&id)?;
        let current = broker.state();
        let next = match current {
            BrokerState::Fenced if report.wants_shutdown => BrokerState::ShutdownNow,
            BrokerState::Fenced if !report.wants_fence && report.is_caught_up => {
                BrokerState::Unfenced
            }
            BrokerState::Fenced => BrokerState::Fenced,
            BrokerState::Unfenced => match (report.wants_fence, report.wants_shutdown) {
                (false, true) if leads => BrokerState::ControlledShutdown,
                (_, true) => BrokerState::ShutdownNow,
                (true, false) => BrokerState::Fenced,
                (false, false) => BrokerState::Unfenced,
            },
            BrokerState::ControlledShutdown if leads => BrokerState::ControlledShutdown,
            BrokerState::ControlledShutdown => {
                let lowest = self.active.first().map_or(i64::MAX, |(offset, _)| *offset);
                if broker.shutdown_offset <= lowest {
                    BrokerState::ShutdownNow
                } else {
                    BrokerState::ControlledShutdown
                }
            }
            BrokerState::ShutdownNow => BrokerState::ShutdownNow,
        };
        Some((current, next))
    }

    /// When the first session ends, where that is scheduled for (3.9).
    pub(crate) fn next_end(&self) -> Option<Time> {
        match &self.sessions {
            Sessions::Unfenced(list) => list.next_end(),
            Sessions::Heartbeats(_) => None,
        }
    }

    /// A broker whose session has ended. `None` for its epoch if sessions are not kept by epoch.
    pub(crate) fn take_ended(&mut self, now: Time) -> Option<(NodeId, Option<i64>)> {
        match &mut self.sessions {
            Sessions::Unfenced(list) => list.first_ended(now).map(|id| (id, None)),
            Sessions::Heartbeats(times) => {
                let ended = times.take_ended(now)?;
                Some((ended.id, Some(ended.epoch)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use releases::Release;

    use super::*;

    const TIMEOUT: Time = Time::from_millis(9000);
    const A: BrokerIdAndEpoch = BrokerIdAndEpoch {
        id: NodeId(11),
        epoch: 5,
    };

    fn of(release: Release) -> Heartbeats {
        Heartbeats::new(&release.rules().replication, TIMEOUT)
    }

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    #[test]
    fn a_broker_goes_when_all_others_have_read_of_it() {
        let mut beats = of(Release::V4_4_0);
        for id in [11, 12] {
            beats.register(ms(0), NodeId(id), false);
            beats.touch(ms(0), NodeId(id), false, 7);
        }
        let wants_shutdown = Report {
            wants_fence: false,
            wants_shutdown: true,
            is_caught_up: true,
        };
        let next = |beats: &Heartbeats, leads| {
            let (_, next) = beats.next_state(A.id, wants_shutdown, leads).unwrap();
            next
        };
        assert_eq!(next(&beats, true), BrokerState::ControlledShutdown);
        assert_eq!(next(&beats, false), BrokerState::ShutdownNow);
        beats.begin_controlled_shutdown(A.id, 9);
        assert_eq!(next(&beats, false), BrokerState::ControlledShutdown);
        beats.touch(ms(1), NodeId(12), false, 9);
        assert_eq!(next(&beats, false), BrokerState::ShutdownNow);
    }

    #[test]
    fn whose_sessions_begin_with_an_activation() {
        let ended = |release| {
            let mut beats = of(release);
            beats.begin(ms(0), A, true);
            beats.take_ended(ms(10_000)).is_some()
        };
        assert!(!ended(Release::V3_9_2));
        assert!(ended(Release::V4_0_2));
        assert!(!ended(Release::V4_1_2));
    }
}
