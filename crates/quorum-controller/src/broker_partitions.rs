//! Which partitions a broker is in sync with, or may lead though it is not
//! (`4.4:…/controller/BrokersToIsrs.java`, `BrokersToElrs.java`).

use std::sync::Arc;

use imbl::OrdMap;
use records::Uuid;

use crate::timeline_table::TimelineTable;

/// Stands for no leader among broker ids (`LeaderConstants.NO_LEADER`).
pub(crate) const NO_LEADER: i32 = -1;

/// One partition of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TopicPartition {
    pub(crate) topic: Uuid,
    pub(crate) partition: i32,
}

/// What the broker is to a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Leader,
    Other,
}

type Partitions = Arc<[(i32, Part)]>;

/// The partitions of each broker, by topic. Within a topic they stand in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct BrokerPartitions {
    by_broker: OrdMap<i32, TimelineTable<Uuid, Partitions>>,
}

/// The replicas of one partition that an index holds it under, and which of them leads.
#[derive(Clone, Copy)]
pub(crate) struct Holders<'a> {
    pub(crate) replicas: &'a [i32],
    pub(crate) leader: Leader,
}

/// Who leads, as far as an index wants to know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leader {
    /// This broker; [`NO_LEADER`] for none, under which the partition is then held, too.
    Is(i32),
    /// The index does not care.
    Irrelevant,
}

impl Holders<'_> {
    pub(crate) const NONE: Holders<'static> = Holders {
        replicas: &[],
        leader: Leader::Irrelevant,
    };

    /// Ascending, as Kafka compares them.
    fn sorted(self) -> Vec<(i32, Part)> {
        let mut replicas = self.replicas.to_vec();
        if self.leader == Leader::Is(NO_LEADER) {
            replicas.push(NO_LEADER);
        }
        replicas.sort_unstable();
        let part = |replica| {
            if self.leader == Leader::Is(replica) {
                Part::Leader
            } else {
                Part::Other
            }
        };
        replicas
            .into_iter()
            .map(|replica| (replica, part(replica)))
            .collect()
    }
}

impl BrokerPartitions {
    /// A partition that was held under `before` is held under `after`.
    pub(crate) fn update(&mut self, at: TopicPartition, before: Holders<'_>, after: Holders<'_>) {
        let (before, after) = (before.sorted(), after.sorted());
        let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
        loop {
            match (old.peek(), new.peek()) {
                (None, None) => break,
                (Some((gone, _)), Some((come, _))) if gone < come => {
                    self.remove(*gone, at);
                    old.next();
                }
                (Some((gone, _)), None) => {
                    self.remove(*gone, at);
                    old.next();
                }
                (Some((gone, was)), Some((come, is))) if gone == come => {
                    if was != is {
                        self.change(*come, at, *is);
                    }
                    old.next();
                    new.next();
                }
                (_, Some((come, part))) => {
                    self.add(*come, at, *part);
                    new.next();
                }
            }
        }
    }

    fn add(&mut self, broker: i32, at: TopicPartition, part: Part) {
        let mut topics = self.topics_of(broker);
        let held = topics.get(&at.topic).map_or(&[][..], |held| held);
        let held: Partitions = held.iter().copied().chain([(at.partition, part)]).collect();
        topics.insert(at.topic, held);
        self.by_broker.insert(broker, topics);
    }

    fn change(&mut self, broker: i32, at: TopicPartition, part: Part) {
        let mut topics = self.topics_of(broker);
        if let Some(held) = topics.get(&at.topic) {
            let changed = held.iter().map(|(partition, old)| {
                let is_it = *partition == at.partition;
                (*partition, if is_it { part } else { *old })
            });
            let held: Partitions = changed.collect();
            topics.insert(at.topic, held);
            self.by_broker.insert(broker, topics);
        }
    }

    fn remove(&mut self, broker: i32, at: TopicPartition) {
        let mut topics = self.topics_of(broker);
        let Some(held) = topics.get(&at.topic) else {
            return;
        };
        let held: Partitions = held
            .iter()
            .filter(|(partition, _)| *partition != at.partition)
            .copied()
            .collect();
        if !held.is_empty() {
            topics.insert(at.topic, held);
            self.by_broker.insert(broker, topics);
            return;
        }
        topics.remove(&at.topic);
        if topics.is_empty() {
            self.by_broker.remove(&broker);
        } else {
            self.by_broker.insert(broker, topics);
        }
    }

    /// A topic is gone; the broker's table stays, though it may be empty.
    pub(crate) fn remove_topic(&mut self, broker: i32, topic: Uuid) {
        if let Some(topics) = self.by_broker.get_mut(&broker) {
            topics.remove(&topic);
        }
    }

    fn topics_of(&self, broker: i32) -> TimelineTable<Uuid, Partitions> {
        let found = self.by_broker.get(&broker).cloned();
        found.unwrap_or_else(|| TimelineTable::new(Uuid::hash_code))
    }

    /// The partitions of a broker, in Kafka's order.
    pub(crate) fn of(&self, broker: i32) -> Vec<TopicPartition> {
        let Some(topics) = self.by_broker.get(&broker) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (topic, held) in topics.in_order() {
            all.extend(held.iter().map(|(partition, _)| TopicPartition {
                topic: *topic,
                partition: *partition,
            }));
        }
        all
    }

    /// The partitions that have no leader, in Kafka's order.
    pub(crate) fn without_leader(&self) -> Vec<TopicPartition> {
        self.of(NO_LEADER)
    }

    /// Whether there is one.
    pub(crate) fn some_are_without_leader(&self) -> bool {
        self.leads(NO_LEADER)
    }

    /// Whether a broker leads a partition.
    pub(crate) fn leads(&self, broker: i32) -> bool {
        let topics = self.by_broker.get(&broker);
        topics.is_some_and(|topics| {
            let mut held = topics.values().flat_map(|held| held.iter());
            held.any(|(_, part)| *part == Part::Leader)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn topic(number: u8) -> Uuid {
        Uuid::from_bytes([number; 16])
    }

    fn at(topic_number: u8, partition: i32) -> TopicPartition {
        TopicPartition {
            topic: topic(topic_number),
            partition,
        }
    }

    #[test]
    fn a_partition_without_a_leader_is_held_under_none() {
        let mut index = BrokerPartitions::default();
        let led = Holders {
            replicas: &[12, 11],
            leader: Leader::Is(12),
        };
        let lost = Holders {
            replicas: &[11],
            leader: Leader::Is(NO_LEADER),
        };
        index.update(at(1, 0), Holders::NONE, led);
        assert!(index.leads(12) && !index.leads(11) && !index.some_are_without_leader());
        index.update(at(1, 0), led, lost);
        assert!(!index.leads(12) && index.of(12).is_empty());
        assert_eq!(index.without_leader(), [at(1, 0)]);
        assert_eq!(index.of(11), [at(1, 0)]);
    }

    type Model = BTreeMap<(u8, i32), (Vec<i32>, i32)>;

    fn check(index: &BrokerPartitions, model: &Model) {
        for broker in -1..4 {
            let mut wanted: Vec<TopicPartition> = model
                .iter()
                .filter(|(_, (isr, leader))| {
                    isr.contains(&broker) || (broker == *leader && broker == NO_LEADER)
                })
                .map(|((number, partition), _)| at(*number, *partition))
                .collect();
            let mut found = index.of(broker);
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted);
            let leads = model.values().any(|(_, leader)| *leader == broker);
            assert_eq!(index.leads(broker), leads);
        }
    }

    proptest! {
        /// Against a plain list of partitions that is searched.
        #[test]
        fn finds_what_a_search_finds(
            steps in proptest::collection::vec((0..3_u8, 0..3_i32, proptest::sample::subsequence(vec![0, 1, 2, 3], 0..4), 0..5_usize), 0..60)
        ) {
            let mut index = BrokerPartitions::default();
            let mut model = Model::new();
            for (number, partition, isr, choice) in steps {
                let leader = isr.get(choice).copied().unwrap_or(NO_LEADER);
                let before = model.insert((number, partition), (isr.clone(), leader));
                let old = before.as_ref().map_or(Holders::NONE, |(isr, leader)| Holders {
                    replicas: isr,
                    leader: Leader::Is(*leader),
                });
                let new = Holders { replicas: &isr, leader: Leader::Is(leader) };
                index.update(at(number, partition), old, new);
                check(&index, &model);
            }
        }
    }
}
