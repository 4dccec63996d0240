//! A persistent table that hands out its entries in the order of Kafka's timeline tables, in which it looks at partitions
//! and writes their changes (`4.4:server-common/…/timeline/BaseHashTable.java`, `SnapshottableHashTable.java`).

use std::cmp::Reverse;

use imbl::OrdMap;

/// `Object.hashCode()` of a key.
pub(crate) type Hash<K> = fn(&K) -> i32;

/// A table of keys alone, `TimelineHashSet`.
pub(crate) type TimelineSet<K> = TimelineTable<K, ()>;

/// Slots are chosen by the highest bits of the hash times this (Fibonacci hashing).
const FIBONACCI: i64 = -7_046_029_254_386_353_131;
/// A table never has more than 2^30 slots.
const MOST_SLOT_BITS: u32 = 30;

/// Entries by slot; those of a slot the newest first. A table begins with two slots, doubles them when it has four
/// entries for three slots, and never takes them back.
///
/// Kafka reverts a table by taking out and putting in again, here an earlier table is taken: after a revert, slots and the
/// order within them may be others than in Kafka.
#[derive(Clone, Debug)]
pub(crate) struct TimelineTable<K: Ord, V> {
    hash: Hash<K>,
    entries: OrdMap<(u64, K), (u64, V)>,
    slot_bits: u32,
    next_age: u64,
}

impl<K: Ord + Clone, V: Clone> TimelineTable<K, V> {
    pub(crate) fn new(hash: Hash<K>) -> Self {
        TimelineTable {
            hash,
            entries: OrdMap::new(),
            slot_bits: 1,
            next_age: 0,
        }
    }

    fn place(&self, key: K) -> (u64, K) {
        let spread = i64::from((self.hash)(&key)).wrapping_mul(FIBONACCI);
        (spread.cast_unsigned(), key)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let (_, value) = self.entries.get(&self.place(key.clone()))?;
        Some(value)
    }

    /// Puts a value in, or in place of the key's.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let slots = 1_usize << self.slot_bits;
        if (self.entries.len() + 1) * 3 > slots * 4 && self.slot_bits < MOST_SLOT_BITS {
            self.slot_bits += 1;
        }
        let place = self.place(key);
        let age = self
            .entries
            .get(&place)
            .map_or(self.next_age, |(age, _)| *age);
        self.next_age += 1;
        self.entries.insert(place, (age, value));
    }

    pub(crate) fn contains(&self, key: &K) -> bool {
        self.entries.contains_key(&self.place(key.clone()))
    }

    pub(crate) fn remove(&mut self, key: &K) {
        let place = self.place(key.clone());
        self.entries.remove(&place);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The values, in no order that counts.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|(_, value)| value)
    }

    /// The entries in Kafka's order.
    pub(crate) fn in_order(&self) -> Vec<(&K, &V)> {
        let shift = 64 - self.slot_bits;
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by_key(|((spread, _), (age, _))| (spread >> shift, Reverse(*age)));
        all.into_iter()
            .map(|((_, key), (_, value))| (key, value))
            .collect()
    }
}

impl<K: Ord + Clone> TimelineSet<K> {
    /// Puts a key in that may be there. Unlike a map, a set does not grow for a key that is.
    pub(crate) fn add(&mut self, key: K) {
        if !self.contains(&key) {
            self.insert(key, ());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The table as Kafka has it: an array of slots, each with its entries in the order in which they came.
    struct Naive {
        slots: Vec<Vec<(i32, u8)>>,
    }

    impl Naive {
        fn slot(&self, key: i32) -> usize {
            let spread = i64::from(key).wrapping_mul(FIBONACCI).cast_unsigned();
            (spread >> (64 - self.slots.len().trailing_zeros())) as usize
        }

        fn insert(&mut self, key: i32, value: u8) {
            let size: usize = self.slots.iter().map(Vec::len).sum();
            if (size + 1) * 3 > self.slots.len() * 4 {
                let entries = std::mem::take(&mut self.slots);
                self.slots = vec![Vec::new(); entries.len() * 2];
                for (key, value) in entries.into_iter().flatten() {
                    let slot = self.slot(key);
                    self.slots[slot].push((key, value));
                }
            }
            let slot = self.slot(key);
            match self.slots[slot].iter_mut().find(|(of, _)| *of == key) {
                Some(entry) => entry.1 = value,
                None => self.slots[slot].push((key, value)),
            }
        }

        fn remove(&mut self, key: i32) {
            let slot = self.slot(key);
            self.slots[slot].retain(|(of, _)| *of != key);
        }
    }

    #[test]
    fn a_set_grows_for_new_keys_only() {
        let mut set = TimelineSet::new(|number: &i32| *number);
        let mut map = TimelineTable::new(|number: &i32| *number);
        for key in [1, 2, 1] {
            set.add(key);
            map.insert(key, ());
        }
        assert_eq!((set.slot_bits, map.slot_bits), (1, 2));
    }

    proptest! {
        #[test]
        fn orders_as_a_table_of_slots(steps in proptest::collection::vec((0..40_i32, 0..4_u8), 0..120)) {
            let mut table = TimelineTable::new(|number: &i32| *number);
            let mut naive = Naive { slots: vec![Vec::new(); 2] };
            for (key, what) in steps {
                if what == 0 {
                    table.remove(&key);
                    naive.remove(key);
                } else {
                    table.insert(key, what);
                    naive.insert(key, what);
                }
                let found: Vec<_> = table.in_order().into_iter().map(|(k, v)| (*k, *v)).collect();
                let wanted: Vec<_> =
                    naive.slots.iter().flat_map(|slot| slot.iter().rev().copied()).collect();
                prop_assert_eq!(found, wanted);
            }
        }
    }
}
