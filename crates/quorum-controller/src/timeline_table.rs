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
#[derive(Clone, Debug)]
pub(crate) struct TimelineTable<K: Ord, V> {
    hash: Hash<K>,
    entries: OrdMap<(u64, K), Entry<V>>,
    slot_bits: u32,
    next_age: u64,
    /// When values went, by when they came.
    went: OrdMap<u64, u64>,
}

#[derive(Clone, Debug)]
struct Entry<V> {
    /// When the key came, which decides where in its slot it stands.
    age: u64,
    /// When this value came.
    since: u64,
    value: V,
}

impl<K: Ord + Clone, V: Clone> TimelineTable<K, V> {
    pub(crate) fn new(hash: Hash<K>) -> Self {
        TimelineTable {
            hash,
            entries: OrdMap::new(),
            slot_bits: 1,
            next_age: 0,
            went: OrdMap::new(),
        }
    }

    fn place(&self, key: K) -> (u64, K) {
        let spread = i64::from((self.hash)(&key)).wrapping_mul(FIBONACCI);
        (spread.cast_unsigned(), key)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let entry = self.entries.get(&self.place(key.clone()))?;
        Some(&entry.value)
    }

    /// Puts a value in, or in place of the key's.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.insert_since(key, value, self.next_age);
    }

    fn insert_since(&mut self, key: K, value: V, since: u64) {
        let slots = 1_usize << self.slot_bits;
        if (self.entries.len() + 1) * 3 > slots * 4 && self.slot_bits < MOST_SLOT_BITS {
            self.slot_bits += 1;
        }
        let place = self.place(key);
        let known = self
            .entries
            .get(&place)
            .map(|entry| (entry.age, entry.since));
        if let Some((_, since)) = known {
            self.went.entry(since).or_insert(self.next_age);
        }
        let age = known.map_or(self.next_age, |(age, _)| age);
        self.next_age += 1;
        self.entries.insert(place, Entry { age, since, value });
    }

    pub(crate) fn contains(&self, key: &K) -> bool {
        self.entries.contains_key(&self.place(key.clone()))
    }

    pub(crate) fn remove(&mut self, key: &K) {
        let place = self.place(key.clone());
        if let Some(entry) = self.entries.remove(&place) {
            self.went.entry(entry.since).or_insert(self.next_age);
            self.next_age += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The values, in no order that counts.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|entry| &entry.value)
    }

    /// The entries in Kafka's order.
    pub(crate) fn in_order(&self) -> Vec<(&K, &V)> {
        let shift = 64 - self.slot_bits;
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by_key(|((spread, _), entry)| (spread >> shift, Reverse(entry.age)));
        all.into_iter()
            .map(|((_, key), entry)| (key, &entry.value))
            .collect()
    }

    /// Takes out what came after `earlier`, then puts in again what was there and went, in the order in which it went. The slots
    /// stay as many as they are, and what was put in again counts as the newest of its slot.
    pub(crate) fn reverted_to(&self, earlier: &Self) -> Self {
        let stayed = |place: &(u64, K), since: u64, of: &Self| {
            let there = of.entries.get(place);
            there.is_some_and(|entry| entry.since == since)
        };
        let here = self.entries.iter();
        let stays = here.filter(|(place, entry)| stayed(place, entry.since, earlier));
        let mut table = self.clone();
        table.entries = stays
            .map(|(place, entry)| (place.clone(), entry.clone()))
            .collect();
        let mut gone: Vec<_> = earlier.entries.iter().collect();
        gone.retain(|(place, entry)| !stayed(place, entry.since, self));
        gone.sort_by_key(|(_, entry)| self.went.get(&entry.since));
        for ((_, key), entry) in gone {
            table.insert_since(key.clone(), entry.value.clone(), entry.since);
        }
        table
    }

    /// Whether values went that an earlier state may hold.
    pub(crate) fn has_gone(&self) -> bool {
        !self.went.is_empty()
    }

    /// No state before `earliest` will be taken again.
    pub(crate) fn forget(&mut self, earliest: &Self) {
        if self.has_gone() {
            let went = self
                .went
                .iter()
                .filter(|(_, when)| **when >= earliest.next_age);
            self.went = went.map(|(since, when)| (*since, *when)).collect();
        }
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

    #[test]
    fn a_revert_keeps_the_slots_and_puts_back_what_went() {
        let mut table = TimelineTable::new(|number: &i32| *number);
        for key in [1, 2] {
            table.insert(key, 'a');
        }
        let earlier = table.clone();
        table.insert(1, 'b');
        for key in 3..20 {
            table.insert(key, 'c');
        }
        let reverted = table.reverted_to(&earlier);
        let entries = reverted.in_order();
        assert_eq!(entries.len(), 2);
        assert!(
            entries
                .iter()
                .all(|(key, value)| **key < 3 && **value == 'a')
        );
        assert_eq!((earlier.slot_bits, reverted.slot_bits), (1, 4));
        assert_eq!(
            reverted.reverted_to(&earlier).in_order(),
            reverted.in_order(),
            "what was put back is what was there"
        );
    }

    /// `SnapshottableHashTable.executeRevert` of the naive table; `gone` in the order in which it went.
    fn naive_revert(naive: &mut Naive, earlier: &[(i32, u8)], gone: &[(i32, u8)]) {
        let stayed: Vec<(i32, u8)> = naive.slots.iter().flatten().copied().collect();
        for (key, value) in &stayed {
            if !earlier.contains(&(*key, *value)) {
                naive.remove(*key);
            }
        }
        for (key, value) in gone {
            if !stayed.contains(&(*key, *value)) {
                naive.insert(*key, *value);
            }
        }
    }

    proptest! {
        #[test]
        fn reverts_as_a_table_of_slots(
            before in proptest::collection::vec(0..40_i32, 0..40),
            after in proptest::collection::vec((0..60_i32, any::<bool>()), 0..60),
        ) {
            let mut table = TimelineTable::new(|number: &i32| *number);
            let mut naive = Naive { slots: vec![Vec::new(); 2] };
            let mut earlier = Vec::new();
            for key in before {
                table.insert(key, 0);
                naive.insert(key, 0);
                if !earlier.contains(&(key, 0)) {
                    earlier.push((key, 0));
                }
            }
            let snapshot = table.clone();
            let mut gone = Vec::new();
            for ((key, stays), value) in after.into_iter().zip(1..) {
                if earlier.contains(&(key, 0)) && !gone.contains(&(key, 0)) {
                    gone.push((key, 0));
                }
                if stays {
                    table.insert(key, value);
                    naive.insert(key, value);
                } else {
                    table.remove(&key);
                    naive.remove(key);
                }
            }
            naive_revert(&mut naive, &earlier, &gone);
            let reverted = table.reverted_to(&snapshot);
            let found: Vec<_> = reverted.in_order().into_iter().map(|(k, v)| (*k, *v)).collect();
            let wanted: Vec<_> =
                naive.slots.iter().flat_map(|slot| slot.iter().rev().copied()).collect();
            prop_assert_eq!(found, wanted);
        }

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
