use super::hash::bucket;

const DEFAULT_BUCKETS: usize = 16;
/// A bucket that would hold more entries than this makes the table grow, while it is small.
const LONGEST_BUCKET: usize = 8;
const LEAST_BUCKETS_WITH_TREES: usize = 64;

/// Entries in the order of a `ConcurrentHashMap` that one thread fills: bucket by bucket. A table never shrinks.
///
/// Not modelled, as in [`HashTable`](super::HashTable): buckets that have become trees.
///
/// Source: `java.util.concurrent.ConcurrentHashMap` of Java 17.
#[derive(Clone, Debug)]
pub struct ConcurrentTable<T> {
    buckets: Vec<Vec<(i32, T)>>,
    entries: usize,
}

impl<T> Default for ConcurrentTable<T> {
    fn default() -> Self {
        ConcurrentTable::new()
    }
}

impl<T> ConcurrentTable<T> {
    /// `new ConcurrentHashMap<>()`, and what a `java.util.Properties` keeps its entries in.
    pub fn new() -> Self {
        ConcurrentTable {
            buckets: empty(DEFAULT_BUCKETS),
            entries: 0,
        }
    }

    /// Puts an entry in that is not there yet.
    pub fn insert(&mut self, hash: i32, item: T) {
        let place = bucket(hash, self.buckets.len());
        self.buckets[place].push((hash, item));
        self.entries += 1;
        let buckets = self.buckets.len();
        if self.buckets[place].len() > LONGEST_BUCKET && buckets < LEAST_BUCKETS_WITH_TREES {
            // `tryPresize(2n)` makes room for 3n + 1.
            let wanted = (buckets * 3 + 1).next_power_of_two();
            while self.buckets.len() * 3 / 4 < wanted {
                self.double();
            }
        }
        while self.entries * 4 >= self.buckets.len() * 3 {
            self.double();
        }
    }

    /// Keeps the entries for which `keep` holds.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        for bucket in &mut self.buckets {
            bucket.retain(|(_, item)| keep(item));
        }
        self.entries = self.buckets.iter().map(Vec::len).sum();
    }

    /// The entries in the table's order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.buckets.iter().flatten().map(|(_, item)| item)
    }

    /// The entry for which `is_it` holds, to change it.
    pub fn find_mut(&mut self, is_it: impl Fn(&T) -> bool) -> Option<&mut T> {
        let mut entries = self.buckets.iter_mut().flatten().map(|(_, item)| item);
        entries.find(|item| is_it(item))
    }

    /// Moves every bucket to two. The last entries of a bucket that go to the same one move as they are; those before them
    /// are put in front one by one, which turns their order round.
    fn double(&mut self) {
        let half = self.buckets.len();
        let mut doubled = empty(half * 2);
        for entries in std::mem::take(&mut self.buckets) {
            let Some((last, _)) = entries.last() else {
                continue;
            };
            let last = bucket(*last, half * 2);
            let before = entries
                .iter()
                .rposition(|(hash, _)| bucket(*hash, half * 2) != last);
            let run = before.map_or(0, |index| index + 1);
            let mut entries = entries.into_iter();
            let front: Vec<(i32, T)> = entries.by_ref().take(run).collect();
            for (hash, item) in front.into_iter().rev() {
                doubled[bucket(hash, half * 2)].push((hash, item));
            }
            doubled[last].extend(entries);
        }
        self.buckets = doubled;
    }
}

fn empty<T>(buckets: usize) -> Vec<Vec<(i32, T)>> {
    std::iter::repeat_with(Vec::new).take(buckets).collect()
}
