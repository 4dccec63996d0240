use determinism::{Rng, Time};
use records::{NodeId, Uuid};

use crate::controller_channel::{Answer, ControllerChannel, Step};

const BACKOFF_MS: u64 = 100;
const BACKOFF_MAX_MS: u64 = 120_000;
/// Percent by which a backoff varies up and down.
const BACKOFF_JITTER: u64 = 2;

/// What the published image says that concerns registration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// Whether the metadata.version in force lets controllers register.
    pub support: Support,
    /// The incarnation under which this node is registered.
    pub incarnation: Option<Uuid>,
}

/// Whether controllers can register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Support {
    /// No metadata.version is known yet.
    #[default]
    Unknown,
    /// It is too old: below 3.7-IV0.
    TooOld,
    /// They can.
    Supported,
}

/// What the active controller answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationAnswer {
    /// Written and committed.
    Registered,
    /// The node asked is not the active controller.
    NotController,
    /// Any other error.
    Failed,
}

/// How far a controller's registration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationState {
    /// The log holds this incarnation's registration.
    Registered,
    /// It waits for a metadata.version that knows registrations.
    NotPossible,
    /// It is being sent, or will be.
    Pending,
}

/// Brings the registration of this process into the log, again and again until it is seen there (KIP-919).
///
/// Source: `4.4:server/…/ControllerRegistrationManager.java`.
#[derive(Clone, Debug)]
pub struct RegistrationManager {
    incarnation: Uuid,
    published: Published,
    channel: ControllerChannel,
    rpc: Rpc,
    failures: u32,
    retry_at: Option<Time>,
    rng: Rng,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rpc {
    Idle,
    Pending,
}

impl RegistrationManager {
    /// A manager for the process with this incarnation id; `rng` varies its backoffs.
    pub fn new(incarnation: Uuid, rng: Rng) -> Self {
        RegistrationManager {
            incarnation,
            published: Published::default(),
            channel: ControllerChannel::new(),
            rpc: Rpc::Idle,
            failures: 0,
            retry_at: None,
            rng,
        }
    }

    /// The process's incarnation id.
    pub fn incarnation(&self) -> Uuid {
        self.incarnation
    }

    /// How far the registration is.
    pub fn state(&self) -> RegistrationState {
        if self.published.incarnation == Some(self.incarnation) {
            RegistrationState::Registered
        } else if self.published.support == Support::Supported {
            RegistrationState::Pending
        } else {
            RegistrationState::NotPossible
        }
    }

    /// The metadata loader published an image.
    pub fn image_published(&mut self, now: Time, published: Published) {
        if self.published != published {
            self.published = published;
            self.maybe_send(now);
        }
    }

    /// When [`Self::poll`] has something to do.
    pub fn next_at(&self) -> Option<Time> {
        self.channel
            .next_at()
            .into_iter()
            .chain(self.retry_at)
            .min()
    }

    /// Does what is due, and says to whom the registration is to be sent now.
    pub fn poll(&mut self, now: Time, leader: Option<NodeId>) -> Option<NodeId> {
        if self.retry_at.is_some_and(|at| at <= now) {
            self.retry_at = None;
            self.maybe_send(now);
        }
        match self.channel.step(now, leader) {
            Step::Wait => None,
            Step::Send(to) => Some(to),
            Step::TimedOut => {
                self.rpc = Rpc::Idle;
                self.schedule_retry(now);
                None
            }
        }
    }

    /// The answer to the last registration sent.
    pub fn answered(&mut self, now: Time, answer: RegistrationAnswer) {
        let meaning = match answer {
            RegistrationAnswer::NotController => Answer::NotController,
            RegistrationAnswer::Registered | RegistrationAnswer::Failed => Answer::Final,
        };
        if self.channel.answered(now, meaning) {
            self.rpc = Rpc::Idle;
            match answer {
                RegistrationAnswer::Registered => self.failures = 0,
                _ => self.schedule_retry(now),
            }
        }
    }

    /// The connection to where the registration went is gone.
    pub fn disconnected(&mut self, now: Time) {
        self.channel.answered(now, Answer::Disconnected);
    }

    fn maybe_send(&mut self, now: Time) {
        if self.state() == RegistrationState::Pending && self.rpc == Rpc::Idle {
            self.channel.enqueue(now);
            self.rpc = Rpc::Pending;
        }
    }

    fn schedule_retry(&mut self, now: Time) {
        let doubled = BACKOFF_MS
            .saturating_mul(1 << self.failures.min(30))
            .min(BACKOFF_MAX_MS);
        let spread = self
            .rng
            .range(100 - BACKOFF_JITTER, 100 + BACKOFF_JITTER + 1);
        self.failures = self.failures.saturating_add(1);
        self.retry_at = Some(now + Time::from_micros(doubled * spread * 10));
    }
}

#[cfg(test)]
mod tests {
    use super::{Published, RegistrationAnswer, RegistrationManager, RegistrationState, Support};
    use determinism::{Rng, Time};
    use records::{NodeId, Uuid};

    fn ms(millis: u64) -> Time {
        Time::from_millis(millis)
    }
    const ME: Uuid = Uuid::from_bytes([7; 16]);

    fn supported(incarnation: Option<Uuid>) -> Published {
        Published {
            support: Support::Supported,
            incarnation,
        }
    }

    #[test]
    fn nothing_is_sent_before_the_metadata_version_allows_it() {
        let mut manager = RegistrationManager::new(ME, Rng::from_seed(1));
        manager.image_published(
            ms(1),
            Published {
                support: Support::TooOld,
                incarnation: None,
            },
        );
        assert_eq!(
            (manager.next_at(), manager.state()),
            (None, RegistrationState::NotPossible)
        );
        manager.image_published(ms(2), supported(None));
        assert_eq!(manager.poll(ms(2), Some(NodeId(1))), Some(NodeId(1)));
        assert_eq!(manager.state(), RegistrationState::Pending);
        manager.answered(ms(3), RegistrationAnswer::Registered);
        manager.image_published(ms(4), supported(Some(ME)));
        assert_eq!(
            (manager.next_at(), manager.state()),
            (None, RegistrationState::Registered)
        );
    }

    #[test]
    fn another_incarnation_in_the_log_is_replaced_and_failures_back_off() {
        let mut manager = RegistrationManager::new(ME, Rng::from_seed(1));
        manager.image_published(ms(0), supported(Some(Uuid::from_bytes([8; 16]))));
        assert_eq!(manager.poll(ms(0), Some(NodeId(2))), Some(NodeId(2)));
        manager.answered(ms(1), RegistrationAnswer::Failed);
        let first = manager.next_at().unwrap();
        assert!((ms(99)..=ms(103)).contains(&first), "{first}");
        assert_eq!(manager.poll(first, Some(NodeId(2))), Some(NodeId(2)));
        manager.answered(first, RegistrationAnswer::Failed);
        let second = manager.next_at().unwrap().since(first);
        assert!((ms(196)..=ms(204)).contains(&second), "{second}");
    }
}
