use std::fmt;

use determinism::Time;
use records::NodeId;

use crate::{Event, LeaderAndEpoch};

/// Checks the stream of events of one listener against the listener's contract. Always on; it remembers the first
/// violation and never panics.
///
/// | id | sentence |
/// |---|---|
/// | CB-1 | at most one bootstrap or snapshot load per jump, then gap-free commits; "you lead epoch e" only after the position has passed e's start offset |
/// | CB-2 | no snapshot or bootstrap load while active |
/// | CB-3 | raft leader of epoch e on node n implies, in bounded time, controller active at e on n, or raft resigned e on n |
///
/// The dispatcher tells it of CB-1 and CB-2 by itself. CB-3 spans both sides of the seam, so the owner of both reports
/// them with [`Contract::observe_sides`].
#[derive(Clone, Debug)]
pub struct Contract {
    local: NodeId,
    /// One after the last offset the listener was handed; `None` before the first event with a position.
    position: Option<i64>,
    /// A load was the last event with a position: another one must jump forward.
    loaded_last: bool,
    leading: Option<i32>,
    inactive_since: Option<(i32, Time)>,
    violation: Option<BrokenContract>,
}

impl Contract {
    /// How long a raft leader may go without an active controller before CB-3 is broken.
    pub const ACTIVATION_BOUND: Time = Time::from_secs(60);

    /// A contract of a listener on replica `local`.
    pub fn new(local: NodeId) -> Self {
        Contract {
            local,
            position: None,
            loaded_last: false,
            leading: None,
            inactive_since: None,
            violation: None,
        }
    }

    /// The dispatcher queued an announcement. `acknowledged` is where the listener stood at that moment.
    pub(crate) fn announced(
        &mut self,
        leader: LeaderAndEpoch,
        epoch_start_offset: Option<i64>,
        acknowledged: i64,
    ) {
        if !leader.is_leader(self.local) {
            return;
        }
        match epoch_start_offset {
            Some(start) if acknowledged > start => {}
            start => self.broken(BrokenContract::LedBeforeCaughtUp {
                epoch: leader.epoch,
                epoch_start_offset: start,
                position: acknowledged,
            }),
        }
    }

    /// The listener takes an event.
    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::LoadSnapshot(reader) | Event::LoadBootstrap(reader) => {
                let end = reader.snapshot_id.offset;
                if let Some(epoch) = self.leading {
                    self.broken(BrokenContract::LoadWhileActive {
                        epoch,
                        end_offset: end,
                    });
                }
                let behind = self.position.is_some_and(|position| end < position);
                if behind || self.loaded_last && self.position == Some(end) {
                    self.broken(BrokenContract::LoadWithoutJump {
                        position: self.position.unwrap_or(-1),
                        end_offset: end,
                    });
                }
                self.position = Some(end);
                self.loaded_last = true;
            }
            Event::Commit(committed) => {
                let expected = self.position.unwrap_or(0);
                if committed.base_offset != expected {
                    self.broken(BrokenContract::Gap {
                        expected,
                        base_offset: committed.base_offset,
                    });
                }
                let mut at = committed.base_offset;
                for batch in &committed.batches {
                    let starts_late = batch.base_offset() > at;
                    if starts_late || batch.last_offset() < at {
                        self.broken(BrokenContract::Gap {
                            expected: at,
                            base_offset: batch.base_offset(),
                        });
                    }
                    at = batch.last_offset() + 1;
                }
                self.position = Some(at);
                self.loaded_last = false;
            }
            Event::LeaderChange(leader) => {
                self.leading = leader.is_leader(self.local).then_some(leader.epoch);
            }
            Event::BeginShutdown => self.leading = None,
        }
    }

    /// Both sides as their owner sees them: the epoch that raft leads (not resigned), and the epoch in which the
    /// controller is active.
    pub fn observe_sides(&mut self, now: Time, raft_leads: Option<i32>, active_in: Option<i32>) {
        let Some(epoch) = raft_leads.filter(|epoch| active_in != Some(*epoch)) else {
            self.inactive_since = None;
            return;
        };
        match self.inactive_since {
            Some((of, since)) if of == epoch => {
                if now.since(since) > Self::ACTIVATION_BOUND {
                    self.broken(BrokenContract::LeaderWithoutController { epoch });
                }
            }
            _ => self.inactive_since = Some((epoch, now)),
        }
    }

    fn broken(&mut self, violation: BrokenContract) {
        self.violation.get_or_insert(violation);
    }

    /// The first violation, once.
    pub fn take_violation(&mut self) -> Option<BrokenContract> {
        self.violation.take()
    }
}

/// How the calls of a listener broke what `RaftClient.Listener` promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenContract {
    /// CB-1: committed batches do not continue where the listener stood.
    Gap {
        /// Where it stood.
        expected: i64,
        /// Where the batches begin.
        base_offset: i64,
    },
    /// CB-1: a checkpoint that does not move the listener forward.
    LoadWithoutJump {
        /// Where it stood.
        position: i64,
        /// End offset of the checkpoint.
        end_offset: i64,
    },
    /// CB-1: told to lead before everything up to the start of the epoch was acknowledged.
    LedBeforeCaughtUp {
        epoch: i32,
        /// Its start offset, where raft knew it.
        epoch_start_offset: Option<i64>,
        /// Where the listener stood.
        position: i64,
    },
    /// CB-2: a checkpoint for a listener that leads.
    LoadWhileActive {
        /// The epoch it leads.
        epoch: i32,
        /// End offset of the checkpoint.
        end_offset: i64,
    },
    /// CB-3: raft leads and the controller is not active.
    LeaderWithoutController { epoch: i32 },
}

impl BrokenContract {
    /// The invariant's id.
    pub fn id(self) -> &'static str {
        match self {
            BrokenContract::Gap { .. }
            | BrokenContract::LoadWithoutJump { .. }
            | BrokenContract::LedBeforeCaughtUp { .. } => "CB-1",
            BrokenContract::LoadWhileActive { .. } => "CB-2",
            BrokenContract::LeaderWithoutController { .. } => "CB-3",
        }
    }
}

impl fmt::Display for BrokenContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.id())?;
        match self {
            BrokenContract::Gap {
                expected,
                base_offset,
            } => {
                write!(
                    f,
                    "committed batches begin at {base_offset}, the listener stood at {expected}"
                )
            }
            BrokenContract::LoadWithoutJump {
                position,
                end_offset,
            } => {
                write!(
                    f,
                    "a checkpoint up to {end_offset} for a listener that stood at {position}"
                )
            }
            BrokenContract::LedBeforeCaughtUp {
                epoch,
                epoch_start_offset,
                position,
            } => write!(
                f,
                "leadership of epoch {epoch}, which starts at {}, announced at position {position}",
                epoch_start_offset.map_or_else(|| "an unknown offset".into(), |o| o.to_string()),
            ),
            BrokenContract::LoadWhileActive { epoch, end_offset } => {
                write!(
                    f,
                    "a checkpoint up to {end_offset} for the active listener of epoch {epoch}"
                )
            }
            BrokenContract::LeaderWithoutController { epoch } => {
                write!(
                    f,
                    "raft leads epoch {epoch}, the controller is not active and raft did not resign"
                )
            }
        }
    }
}

impl std::error::Error for BrokenContract {}
