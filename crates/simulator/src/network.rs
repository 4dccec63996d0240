use std::collections::BTreeMap;

use determinism::Time;
use records::NodeId;

/// A direction between two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Direction {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
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

/// Which messages of a kind get lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropRule {
    /// The next `count` of the kind.
    Next {
        /// Message kind, by its name in a scenario: `fetch-response`.
        kind: String,
        /// How many are still to be lost.
        count: u64,
    },
    /// The message of the kind with this number on this link, counted from 1 over the link's life.
    Number {
        /// Message kind.
        kind: String,
        /// Its number.
        number: u64,
    },
}

/// One directed link.
#[derive(Clone, Debug)]
pub struct Link {
    delay: Time,
    state: LinkState,
    drops: Vec<DropRule>,
    /// Messages sent so far by kind; counted only once someone asked for a number.
    sent: BTreeMap<&'static str, u64>,
    /// Arrival of the last one: a connection keeps its order.
    last_arrival: Time,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives at this time.
    Arrives(Time),
    /// It is lost.
    Lost,
}

/// The network: a delay and a state for every directed link.
#[derive(Clone, Debug)]
pub struct Network {
    default_delay: Time,
    links: BTreeMap<Direction, Link>,
}

impl Network {
    /// Every link open, with the same fixed delay.
    pub fn new(default_delay: Time) -> Self {
        Network {
            default_delay,
            links: BTreeMap::new(),
        }
    }

    fn link(&mut self, direction: Direction) -> &mut Link {
        let delay = self.default_delay;
        self.links.entry(direction).or_insert_with(|| Link {
            delay,
            state: LinkState::Open,
            drops: Vec::new(),
            sent: BTreeMap::new(),
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

    /// Opens every link, and forgets what was still to be dropped; delays stay.
    pub fn heal(&mut self) {
        for link in self.links.values_mut() {
            link.state = LinkState::Open;
            link.drops.clear();
        }
    }

    /// Sets the delay of one direction.
    pub fn set_delay(&mut self, direction: Direction, delay: Time) {
        self.link(direction).delay = delay;
    }

    /// Loses messages by rule.
    pub fn drop_messages(&mut self, direction: Direction, rule: DropRule) {
        self.link(direction).drops.push(rule);
    }

    /// A message of `kind` is sent now: when does it arrive?
    pub fn send(&mut self, now: Time, direction: Direction, kind: &'static str) -> Fate {
        let link = self.link(direction);
        let number = link.sent.entry(kind).or_insert(0);
        *number += 1;
        if link.state == LinkState::Cut
            || (!link.drops.is_empty() && dropped(&mut link.drops, kind, *number))
        {
            return Fate::Lost;
        }
        let arrival = (now + link.delay).max(link.last_arrival + Time::from_micros(1));
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

fn dropped(rules: &mut Vec<DropRule>, sent_kind: &str, sent_number: u64) -> bool {
    let mut lost = false;
    rules.retain_mut(|rule| match rule {
        DropRule::Next { kind, count } if kind == sent_kind && !lost => {
            lost = true;
            *count = count.saturating_sub(1);
            *count > 0
        }
        DropRule::Number { kind, number } if kind == sent_kind => {
            lost |= *number == sent_number;
            *number > sent_number
        }
        _ => true,
    });
    lost
}

#[cfg(test)]
mod tests {
    use super::{Direction, DropRule, Fate, LinkState, Network};
    use determinism::Time;
    use records::NodeId;

    const ONE_TO_TWO: Direction = Direction {
        from: NodeId(1),
        to: NodeId(2),
    };

    #[test]
    fn a_link_keeps_order_when_its_delay_shrinks() {
        let mut network = Network::new(Time::from_millis(5));
        let first = network.send(Time::ZERO, ONE_TO_TWO, "fetch-request");
        network.set_delay(ONE_TO_TWO, Time::from_millis(1));
        let second = network.send(Time::ZERO, ONE_TO_TWO, "fetch-request");
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
        assert_eq!(network.send(Time::ZERO, ONE_TO_TWO, "a"), Fate::Lost);
        assert_ne!(network.send(Time::ZERO, back, "a"), Fate::Lost);
        network.heal();
        network.drop_messages(
            ONE_TO_TWO,
            DropRule::Next {
                kind: "a".into(),
                count: 2,
            },
        );
        network.drop_messages(
            ONE_TO_TWO,
            DropRule::Number {
                kind: "b".into(),
                number: 2,
            },
        );
        let lost: Vec<bool> = ["a", "b", "a", "a", "b", "b"]
            .iter()
            .map(|k| network.send(Time::ZERO, ONE_TO_TWO, k) == Fate::Lost)
            .collect();
        assert_eq!(lost, [true, false, true, false, true, false]);
    }
}
