use std::collections::BTreeMap;

use determinism::{Rng, Time};
use records::NodeId;

/// A direction between two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Direction {
    pub from: NodeId,
    pub to: NodeId,
}

/// Whether a link carries anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkState {
    /// Messages arrive after the delay.
    #[default]
    Open,
    /// Messages vanish, and nobody is told: a sender waits for its timeout.
    Cut,
}

/// Which messages get lost: of those that it concerns the first `after` pass, and the next `count` do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropRule {
    /// On which link; `None` is every link, counted together.
    pub direction: Option<Direction>,
    /// Message kind, by its name in a scenario: `fetch-response`; `None` is every kind.
    pub kind: Option<&'static str>,
    /// How many more pass.
    pub after: u64,
    /// How many are lost then; `u64::MAX` is all of them.
    pub count: u64,
}

impl DropRule {
    /// Whether this message is lost by it; counts it.
    fn takes(&mut self, direction: Direction, kinds: &[&str]) -> bool {
        let concerns = self.direction.is_none_or(|of| of == direction)
            && self.kind.is_none_or(|of| kinds.contains(&of));
        if !concerns || self.count == 0 {
            return false;
        }
        if self.after > 0 {
            self.after -= 1;
            return false;
        }
        self.count = self.count.saturating_sub(u64::from(self.count != u64::MAX));
        true
    }
}

/// One directed link.
#[derive(Clone, Debug)]
pub struct Link {
    delay: Time,
    state: LinkState,
    /// Arrival of the last one: a connection keeps its order.
    last_arrival: Time,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives at this time.
    Arrives(Time),
    Lost,
}

/// The network: a delay and a state for every directed link.
#[derive(Clone, Debug)]
pub struct Network {
    default_delay: Time,
    links: BTreeMap<Direction, Link>,
    drops: Vec<DropRule>,
    /// What is drawn on top of each message's delay, and up to how much.
    spread: Option<(Rng, Time)>,
}

impl Network {
    /// Every link open, with the same fixed delay.
    pub fn new(default_delay: Time) -> Self {
        Network {
            default_delay,
            links: BTreeMap::new(),
            drops: Vec::new(),
            spread: None,
        }
    }

    /// From now on every message takes up to `most` longer, as drawn from `rng`.
    pub fn spread_delays(&mut self, rng: Rng, most: Time) {
        self.spread = Some((rng, most));
    }

    /// The delay of a link for which no other is set.
    pub fn default_delay(&self) -> Time {
        self.default_delay
    }

    fn link(&mut self, direction: Direction) -> &mut Link {
        let delay = self.default_delay;
        self.links.entry(direction).or_insert_with(|| Link {
            delay,
            state: LinkState::Open,
            last_arrival: Time::ZERO,
        })
    }

    /// Opens or cuts one direction.
    pub fn set_state(&mut self, direction: Direction, state: LinkState) {
        self.link(direction).state = state;
    }

    /// Whether a direction carries messages.
    pub fn state(&self, direction: Direction) -> LinkState {
        self.links
            .get(&direction)
            .map_or(LinkState::Open, |link| link.state)
    }

    /// Opens every link, gives it the usual delay, and forgets what was still to be dropped.
    pub fn heal(&mut self) {
        for link in self.links.values_mut() {
            link.state = LinkState::Open;
            link.delay = self.default_delay;
        }
        self.drops.clear();
    }

    /// Sets the delay of one direction.
    pub fn set_delay(&mut self, direction: Direction, delay: Time) {
        self.link(direction).delay = delay;
    }

    /// Loses messages by rule.
    pub fn drop_messages(&mut self, rule: DropRule) {
        self.drops.push(rule);
    }

    /// A message is sent now, which is of all these kinds: when does it arrive?
    pub fn send(&mut self, now: Time, direction: Direction, kinds: &[&'static str]) -> Fate {
        let spread = match &mut self.spread {
            Some((rng, most)) => Time::from_micros(rng.below(most.as_micros() + 1)),
            None => Time::ZERO,
        };
        // Every rule counts every message, also one that another rule takes.
        let mut dropped = false;
        for rule in &mut self.drops {
            dropped |= rule.takes(direction, kinds);
        }
        self.drops.retain(|rule| rule.count > 0);
        let link = self.link(direction);
        if dropped || link.state == LinkState::Cut {
            return Fate::Lost;
        }
        let arrival = (now + link.delay + spread).max(link.last_arrival + Time::from_micros(1));
        link.last_arrival = arrival;
        Fate::Arrives(arrival)
    }

    /// How long a message of this direction takes.
    pub fn delay(&self, direction: Direction) -> Time {
        self.links
            .get(&direction)
            .map_or(self.default_delay, |link| link.delay)
    }
}

#[cfg(test)]
mod tests {
    use super::{Direction, DropRule, Fate, LinkState, Network};
    use determinism::{Rng, Time};
    use records::NodeId;

    const ONE_TO_TWO: Direction = Direction {
        from: NodeId(1),
        to: NodeId(2),
    };

    #[test]
    fn a_link_keeps_order_when_its_delay_shrinks() {
        let mut network = Network::new(Time::from_millis(5));
        let first = network.send(Time::ZERO, ONE_TO_TWO, &["fetch-request"]);
        network.set_delay(ONE_TO_TWO, Time::from_millis(1));
        let second = network.send(Time::ZERO, ONE_TO_TWO, &["fetch-request"]);
        assert_eq!(first, Fate::Arrives(Time::from_millis(5)));
        assert_eq!(second, Fate::Arrives(Time::from_micros(5_001)));
    }

    #[test]
    fn cuts_are_one_way_and_drops_count() {
        let mut network = Network::new(Time::from_millis(1));
        let back = Direction {
            from: NodeId(2),
            to: NodeId(1),
        };
        network.set_state(ONE_TO_TWO, LinkState::Cut);
        assert_eq!(network.send(Time::ZERO, ONE_TO_TWO, &["a"]), Fate::Lost);
        assert_ne!(network.send(Time::ZERO, back, &["a"]), Fate::Lost);
        network.heal();
        let rule = |direction, kind, after, count| DropRule {
            direction,
            kind,
            after,
            count,
        };
        network.drop_messages(rule(Some(ONE_TO_TWO), Some("a"), 0, 2));
        network.drop_messages(rule(None, Some("b"), 1, 1));
        let lost: Vec<bool> = ["a", "b", "a", "a", "b", "b"]
            .iter()
            .map(|k| network.send(Time::ZERO, ONE_TO_TWO, &[k]) == Fate::Lost)
            .collect();
        assert_eq!(lost, [true, false, true, false, true, false]);
        network.drop_messages(rule(None, None, 0, u64::MAX));
        assert_eq!(network.send(Time::ZERO, back, &["c"]), Fate::Lost);
        assert_eq!(network.send(Time::ZERO, ONE_TO_TWO, &["a"]), Fate::Lost);
        network.heal();
        assert_ne!(network.send(Time::ZERO, back, &["c"]), Fate::Lost);
    }

    #[test]
    fn spread_delays_stay_within_their_bound() {
        let mut network = Network::new(Time::from_millis(1));
        network.spread_delays(Rng::from_seed(1), Time::from_millis(2));
        for second in 0..50 {
            let now = Time::from_secs(second);
            let Fate::Arrives(at) = network.send(now, ONE_TO_TWO, &["a"]) else {
                panic!("lost")
            };
            assert!(at >= now + Time::from_millis(1) && at <= now + Time::from_millis(3));
        }
    }
}
