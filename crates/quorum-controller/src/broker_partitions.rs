//! Which partitions a broker is in sync with, or may lead though it is not
//! (`4.4:…/controller/BrokersToIsrs.java`, `BrokersToElrs.java`).

use std::sync::Arc;

use records::Uuid;

use crate::timeline_table::TimelineTable;
use crate::timeline_tables::TimelineTables;

/// Stands for no leader among broker ids (`LeaderConstants.NO_LEADER`).
pub(crate) const NO_LEADER: i32 = -1;

/// A partition, named by the id of its topic and its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TopicPartition {
    pub(crate) topic: Uuid,
    pub(crate) partition: i32,
}

/// Set in the number of a partition that the broker leads (`BrokersToIsrs.LEADER_FLAG`).
const LEADER_FLAG: i32 = i32::MIN;

/// Numbers of partitions, with [`LEADER_FLAG`].
type Partitions = Arc<[i32]>;

/// The partitions of each broker, by topic. Within a topic they stand in the order in which they came.
///
/// Nothing checks that a record names a replica once. Where it does not, partitions are lost or made up, as in Kafka.
#[derive(Clone, Debug, Default)]
pub(crate) struct BrokerPartitions {
    by_broker: TimelineTables<i32, Uuid, Partitions>,
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

/// An index does not hold what is to be taken out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotHeld {
    pub(crate) broker: i32,
    pub(crate) at: TopicPartition,
}

impl Holders<'_> {
    pub(crate) const NONE: Holders<'static> = Holders {
        replicas: &[],
        leader: Leader::Irrelevant,
    };

    /// Ascending, as Kafka compares them.
    fn sorted(self) -> Vec<i32> {
        let mut replicas = self.replicas.to_vec();
        if self.leader == Leader::Is(NO_LEADER) {
            replicas.push(NO_LEADER);
        }
        replicas.sort_unstable();
        replicas
    }

    /// The partition's number as this replica holds it.
    fn number(self, partition: i32, replica: i32) -> i32 {
        if self.leader == Leader::Is(replica) {
            partition | LEADER_FLAG
        } else {
            partition
        }
    }
}

impl BrokerPartitions {
    /// A partition that was held under `before` is held under `after`.
    pub(crate) fn update(
        &mut self,
        at: TopicPartition,
        before: Holders<'_>,
        after: Holders<'_>,
    ) -> Result<(), NotHeld> {
        let (old, new) = (before.sorted(), after.sorted());
        let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
        let number = |holders: Holders<'_>, replica| holders.number(at.partition, replica);
        loop {
            match (old.peek().copied(), new.peek().copied()) {
                (None, None) => return Ok(()),
                (Some(gone), come) if come.is_none_or(|come| gone < come) => {
                    self.remove(gone, at, number(before, gone))?;
                    old.next();
                }
                (Some(stays), Some(come)) if stays == come => {
                    let (was, is) = (number(before, stays), number(after, stays));
                    if was != is {
                        self.change(stays, at, was, is)?;
                    }
                    old.next();
                    new.next();
                }
                (_, Some(come)) => {
                    self.add(come, at, number(after, come));
                    new.next();
                }
                (Some(_), None) => unreachable!("what goes while nothing comes is removed above"),
            }
        }
    }

    /// What `earlier` held, once all changes since then are undone.
    pub(crate) fn reverted_to(&self, earlier: &Self) -> Self {
        BrokerPartitions {
            by_broker: self.by_broker.reverted_to(&earlier.by_broker),
        }
    }

    /// No state before `earliest` will be taken again.
    pub(crate) fn forget(&mut self, earliest: &Self) {
        self.by_broker.forget(&earliest.by_broker);
    }

    fn add(&mut self, broker: i32, at: TopicPartition, number: i32) {
        let new = || TimelineTable::new(Uuid::hash_code);
        let topics = self.by_broker.get_or_insert(broker, new);
        let held = topics.get(&at.topic).map_or(&[][..], |held| held);
        let held: Partitions = held.iter().copied().chain([number]).collect();
        topics.insert(at.topic, held);
    }

    fn change(
        &mut self,
        broker: i32,
        at: TopicPartition,
        was: i32,
        is: i32,
    ) -> Result<(), NotHeld> {
        let missing = NotHeld { broker, at };
        let topics = self.by_broker.get_mut(&broker).ok_or(missing)?;
        let held = topics.get(&at.topic).ok_or(missing)?;
        let changed = held
            .iter()
            .map(|held| if *held == was { is } else { *held });
        let held: Partitions = changed.collect();
        topics.insert(at.topic, held);
        Ok(())
    }

    fn remove(&mut self, broker: i32, at: TopicPartition, number: i32) -> Result<(), NotHeld> {
        let missing = NotHeld { broker, at };
        let topics = self.by_broker.get_mut(&broker).ok_or(missing)?;
        let held = topics.get(&at.topic).ok_or(missing)?;
        let length = held.len();
        let mut left: Vec<i32> = held.iter().copied().filter(|of| *of != number).collect();
        if left.len() == length {
            return Err(missing);
        }
        if length > 1 {
            // Kafka fills an array that is shorter by one: of a number that stands there twice, partition 0 is left.
            left.resize(length - 1, 0);
            topics.insert(at.topic, left.into());
            return Ok(());
        }
        topics.remove(&at.topic);
        if topics.is_empty() {
            self.by_broker.remove(&broker);
        }
        Ok(())
    }

    /// A topic is gone; the broker's table stays, though it may be empty.
    pub(crate) fn remove_topic(&mut self, broker: i32, topic: Uuid) {
        if let Some(topics) = self.by_broker.get_mut(&broker) {
            topics.remove(&topic);
        }
    }

    /// The partitions of a broker, in Kafka's order.
    pub(crate) fn of(&self, broker: i32) -> Vec<TopicPartition> {
        let Some(topics) = self.by_broker.get(&broker) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (topic, held) in topics.in_order() {
            all.extend(held.iter().map(|number| TopicPartition {
                topic: *topic,
                partition: number & !LEADER_FLAG,
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
            held.any(|number| number & LEADER_FLAG != 0)
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
        index.update(at(1, 0), Holders::NONE, led).unwrap();
        assert!(index.leads(12) && !index.leads(11) && !index.some_are_without_leader());
        index.update(at(1, 0), led, lost).unwrap();
        assert!(!index.leads(12) && index.of(12).is_empty());
        assert_eq!(index.without_leader(), [at(1, 0)]);
        assert_eq!(index.of(11), [at(1, 0)]);
    }

    /// `newPartitions` in `BrokersToIsrs.remove` (4.4) is as long as all but one of the numbers.
    #[test]
    fn a_replica_named_twice_leaves_partition_0_behind() {
        let twice = Holders {
            replicas: &[11, 11],
            leader: Leader::Irrelevant,
        };
        let mut index = BrokerPartitions::default();
        index.update(at(1, 5), Holders::NONE, twice).unwrap();
        assert_eq!(index.of(11), [at(1, 5), at(1, 5)]);
        let missing = NotHeld {
            broker: 11,
            at: at(1, 5),
        };
        assert_eq!(
            index.update(at(1, 5), twice, Holders::NONE),
            Err(missing),
            "the second time, partition 0 stands there"
        );
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
                index.update(at(number, partition), old, new).unwrap();
                check(&index, &model);
            }
        }
    }
}
