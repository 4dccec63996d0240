//! On which brokers the replicas of new partitions go: striped over racks and brokers
//! (`4.4:metadata/…/metadata/placement/StripedReplicaPlacer.java`).

use determinism::Draws;
use determinism::java::{HashTable, hash_string};

/// A broker that replicas may be placed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsableBroker {
    pub(crate) id: i32,
    pub(crate) rack: Option<String>,
    pub(crate) availability: Availability,
}

/// Whether a broker can lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Availability {
    Fenced,
    Unfenced,
}

/// Why replicas cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlacementError {
    #[error("the replication factor {0} is not positive")]
    NotPositive(i32),
    #[error("no broker is usable: all are fenced, or all their log directories are cordoned")]
    NoneUsable,
    #[error(
        "the replication factor {wanted} is higher than the number of usable brokers, {usable}"
    )]
    TooFew { wanted: i32, usable: usize },
}

/// Brokers of one kind in one rack, gone through from a place that moves on with every partition.
#[derive(Clone, Debug, Default)]
struct BrokerList {
    brokers: Vec<i32>,
    index: usize,
    offset: usize,
    epoch: usize,
}

impl BrokerList {
    fn initialize(&mut self, draws: &mut Draws) {
        if !self.brokers.is_empty() {
            self.brokers.sort_unstable();
            self.offset = draw(draws, self.brokers.len());
        }
    }

    fn next(&mut self, epoch: usize) -> Option<i32> {
        if self.brokers.is_empty() {
            return None;
        }
        if self.epoch != epoch {
            self.epoch = epoch;
            self.index = 0;
            self.offset = (self.offset + 1) % self.brokers.len();
        }
        if self.index >= self.brokers.len() {
            return None;
        }
        let place = (self.index + self.offset) % self.brokers.len();
        self.index += 1;
        Some(self.brokers[place])
    }
}

#[derive(Clone, Debug, Default)]
struct Rack {
    name: Option<String>,
    fenced: BrokerList,
    unfenced: BrokerList,
}

struct Racks {
    /// In the order in which a Java hash map holds them.
    in_map: Vec<Rack>,
    /// Which rack, in the order in which they take turns.
    turns: Vec<usize>,
    brokers: usize,
    unfenced: usize,
    epoch: usize,
    offset: usize,
}

impl Racks {
    fn new(brokers: impl IntoIterator<Item = UsableBroker>, draws: &mut Draws) -> Self {
        let mut racks: Vec<Rack> = Vec::new();
        let (mut count, mut unfenced) = (0, 0);
        for broker in brokers {
            let known = racks.iter().position(|rack| rack.name == broker.rack);
            let index = known.unwrap_or_else(|| {
                racks.push(Rack {
                    name: broker.rack.clone(),
                    ..Rack::default()
                });
                racks.len() - 1
            });
            count += 1;
            match broker.availability {
                Availability::Fenced => racks[index].fenced.brokers.push(broker.id),
                Availability::Unfenced => {
                    unfenced += 1;
                    racks[index].unfenced.brokers.push(broker.id);
                }
            }
        }
        HashTable::new().sort(&mut racks, |rack| {
            rack.name.as_deref().map_or(0, hash_string)
        });
        for rack in &mut racks {
            rack.fenced.initialize(draws);
            rack.unfenced.initialize(draws);
        }
        let mut turns: Vec<usize> = (0..racks.len()).collect();
        turns.sort_by(|one, other| racks[*one].name.cmp(&racks[*other].name));
        let offset = if turns.is_empty() {
            0
        } else {
            draw(draws, turns.len())
        };
        Racks {
            in_map: racks,
            turns,
            brokers: count,
            unfenced,
            epoch: 0,
            offset,
        }
    }

    /// The first replica goes to an unfenced broker, the others where their turn is.
    fn place(&mut self, replicas: usize, draws: &mut Draws) -> Vec<i32> {
        if self.epoch == self.unfenced && self.unfenced > 1 {
            self.shuffle(draws);
            self.epoch = 0;
        }
        let racks = self.turns.len();
        if self.offset == racks {
            self.offset = 0;
        }
        let mut placed = Vec::with_capacity(replicas);
        let mut first_rack = None;
        for turn in (0..racks).map(|step| (self.offset + step) % racks) {
            let rack = &mut self.in_map[self.turns[turn]];
            if let Some(broker) = rack.unfenced.next(self.epoch) {
                placed.push(broker);
                first_rack = Some(turn);
                break;
            }
        }
        let (mut turn, mut idle) = (self.offset, 0);
        while placed.len() < replicas && idle <= racks {
            let found = if first_rack == Some(turn) {
                // It has had its turn.
                first_rack = None;
                None
            } else {
                let epoch = self.epoch;
                let rack = &mut self.in_map[self.turns[turn]];
                let unfenced = rack.unfenced.next(epoch);
                unfenced.or_else(|| rack.fenced.next(epoch))
            };
            idle = if found.is_some() { 0 } else { idle + 1 };
            placed.extend(found);
            turn = (turn + 1) % racks;
        }
        self.epoch += 1;
        self.offset += 1;
        placed
    }

    fn shuffle(&mut self, draws: &mut Draws) {
        shuffle(&mut self.turns, draws);
        for rack in &mut self.in_map {
            shuffle(&mut rack.fenced.brokers, draws);
            shuffle(&mut rack.unfenced.brokers, draws);
        }
    }
}

fn draw(draws: &mut Draws, bound: usize) -> usize {
    draws.next_int(bound as i32) as usize
}

/// `Collections.shuffle`.
fn shuffle<T>(items: &mut [T], draws: &mut Draws) {
    for end in (2..=items.len()).rev() {
        items.swap(end - 1, draw(draws, end));
    }
}

/// The replicas of each partition, preferred leader first.
pub(crate) fn place(
    partitions: usize,
    replication_factor: i32,
    brokers: impl IntoIterator<Item = UsableBroker>,
    draws: &mut Draws,
) -> Result<Vec<Vec<i32>>, PlacementError> {
    let mut racks = Racks::new(brokers, draws);
    if replication_factor <= 0 {
        return Err(PlacementError::NotPositive(replication_factor));
    }
    if racks.unfenced == 0 {
        return Err(PlacementError::NoneUsable);
    }
    let replicas = replication_factor as usize;
    if replicas > racks.brokers {
        return Err(PlacementError::TooFew {
            wanted: replication_factor,
            usable: racks.brokers,
        });
    }
    Ok((0..partitions)
        .map(|_| racks.place(replicas, draws))
        .collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn broker(id: i32, rack: &str, availability: Availability) -> UsableBroker {
        UsableBroker {
            id,
            rack: Some(rack.to_owned()),
            availability,
        }
    }

    /// What Kafka 4.4.0 drew and placed in `brokers-and-topics`: three partitions on two brokers, then one on one.
    #[test]
    fn places_as_recorded() {
        let both = || [11, 12].map(|id| broker(id, "", Availability::Unfenced));
        let mut draws = Draws::like_java(3 * 1000 + 10 + 1);
        draws.keep_log();
        let placed = place(3, 2, both(), &mut draws).unwrap();
        assert_eq!(placed, [vec![12, 11], vec![11, 12], vec![11, 12]]);
        let placed = place(1, 1, both(), &mut draws).unwrap();
        assert_eq!(placed, [vec![12]]);
        let noted: Vec<_> = draws
            .take_log()
            .iter()
            .map(|d| (d.bound, d.value))
            .collect();
        assert_eq!(noted, [(2, 1), (1, 0), (2, 0), (2, 1), (1, 0)]);
    }

    proptest! {
        /// Every partition has as many different replicas as it should, the first of them unfenced.
        #[test]
        fn replicas_are_different_and_the_first_can_lead(
            brokers in proptest::collection::vec((0..3_u8, any::<bool>()), 1..12),
            factor in 1..5_i32,
            partitions in 1..20_usize,
            seed in any::<i64>(),
        ) {
            let all: Vec<_> = brokers.iter().enumerate().map(|(id, (rack, fenced))| {
                let availability = if *fenced { Availability::Fenced } else { Availability::Unfenced };
                broker(id as i32, &rack.to_string(), availability)
            }).collect();
            let unfenced: BTreeSet<i32> =
                all.iter().filter(|b| b.availability == Availability::Unfenced).map(|b| b.id).collect();
            let placed = place(partitions, factor, all.clone(), &mut Draws::like_java(seed));
            if unfenced.is_empty() {
                prop_assert_eq!(placed, Err(PlacementError::NoneUsable));
            } else if factor as usize > all.len() {
                prop_assert!(placed.is_err());
            } else {
                for replicas in placed.unwrap() {
                    let different: BTreeSet<i32> = replicas.iter().copied().collect();
                    prop_assert_eq!(different.len(), factor as usize);
                    prop_assert!(unfenced.contains(&replicas[0]));
                }
            }
        }
    }
}
