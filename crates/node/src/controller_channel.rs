use determinism::Time;
use records::NodeId;

/// After a controller refused or was not reached, the connection to it opens again this much later.
const RECONNECT_BACKOFF: Time = Time::from_millis(50);
/// With no controller known, the leader is asked for again this much later.
const NO_CONTROLLER_BACKOFF: Time = Time::from_millis(100);
/// A request that was made this long ago is given up when its turn comes.
const RETRY_TIMEOUT: Time = Time::from_millis(5_000);

/// What became of a request, as the network tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChannelAnswer {
    /// The other side is not the active controller.
    NotController,
    /// No connection, or none any more.
    Disconnected,
    /// Anything else that the active controller said.
    Final,
}

/// What the channel wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing before the time of [`ControllerChannel::next_at`].
    Wait,
    /// Send the request to this node.
    Send(NodeId),
    /// The request is given up: its maker is told that it timed out.
    TimedOut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    None,
    Waiting { created: Time, not_before: Time },
    InFlight { created: Time, sent: Time },
}

/// Sends one request at a time to the active controller.
///
/// Source: `4.4:server/…/NodeToControllerRequestThread.java`. The request goes to the leader that raft knows; who
/// answers "not controller", or does not answer, is forgotten, and the leader looked up again.
#[derive(Clone, Debug)]
pub(crate) struct ControllerChannel {
    request: Request,
    controller: Option<NodeId>,
}

impl ControllerChannel {
    pub(crate) fn new() -> Self {
        ControllerChannel {
            request: Request::None,
            controller: None,
        }
    }

    /// Puts the request in line; the channel carries one at a time.
    pub(crate) fn enqueue(&mut self, now: Time) {
        self.request = Request::Waiting {
            created: now,
            not_before: now,
        };
    }

    /// When [`Self::step`] has something to do.
    pub(crate) fn next_at(&self) -> Option<Time> {
        match self.request {
            Request::None => None,
            Request::Waiting { not_before, .. } => Some(not_before),
            Request::InFlight { sent, .. } => Some(sent + RETRY_TIMEOUT),
        }
    }

    /// Does what is due; `leader` is who leads as far as raft knows.
    pub(crate) fn step(&mut self, now: Time, leader: Option<NodeId>) -> Step {
        match self.request {
            Request::Waiting {
                created,
                not_before,
            } if not_before <= now => {
                if now.since(created) >= RETRY_TIMEOUT {
                    self.request = Request::None;
                    return Step::TimedOut;
                }
                self.controller = self.controller.or(leader);
                if let Some(to) = self.controller {
                    self.request = Request::InFlight { created, sent: now };
                    return Step::Send(to);
                }
                self.request = Request::Waiting {
                    created,
                    not_before: now + NO_CONTROLLER_BACKOFF,
                };
                Step::Wait
            }
            Request::InFlight { sent, .. } if sent + RETRY_TIMEOUT <= now => {
                self.answered(now, ChannelAnswer::Disconnected);
                Step::Wait
            }
            _ => Step::Wait,
        }
    }

    /// An answer arrived; whether it ends the request.
    pub(crate) fn answered(&mut self, now: Time, answer: ChannelAnswer) -> bool {
        let Request::InFlight { created, .. } = self.request else {
            return false;
        };
        match answer {
            ChannelAnswer::NotController | ChannelAnswer::Disconnected => {
                self.controller = None;
                self.request = Request::Waiting {
                    created,
                    not_before: now + RECONNECT_BACKOFF,
                };
                false
            }
            ChannelAnswer::Final => {
                self.request = Request::None;
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChannelAnswer, ControllerChannel, Step};
    use determinism::Time;
    use records::NodeId;

    fn ms(millis: u64) -> Time {
        Time::from_millis(millis)
    }

    #[test]
    fn looks_for_the_leader_and_asks_again_elsewhere() {
        let mut channel = ControllerChannel::new();
        assert_eq!(channel.next_at(), None);
        channel.enqueue(ms(0));
        assert_eq!(channel.step(ms(0), None), Step::Wait);
        assert_eq!(channel.next_at(), Some(ms(100)));
        assert_eq!(
            channel.step(ms(100), Some(NodeId(2))),
            Step::Send(NodeId(2))
        );
        assert!(!channel.answered(ms(101), ChannelAnswer::NotController));
        assert_eq!(
            channel.step(ms(151), Some(NodeId(3))),
            Step::Send(NodeId(3))
        );
        assert!(channel.answered(ms(152), ChannelAnswer::Final));
        assert_eq!(channel.next_at(), None);
    }

    #[test]
    fn gives_up_after_the_retry_timeout() {
        let mut channel = ControllerChannel::new();
        channel.enqueue(ms(0));
        assert_eq!(channel.step(ms(0), Some(NodeId(1))), Step::Send(NodeId(1)));
        assert_eq!(channel.step(ms(5_000), None), Step::Wait);
        assert_eq!(channel.step(ms(5_050), None), Step::TimedOut);
    }
}
