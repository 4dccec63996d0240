use super::hash::bucket;

/// Buckets of a table whose maker asked for no capacity.
const DEFAULT_BUCKETS: usize = 16;
/// A bucket that would hold more entries than this doubles the table, while it is small.
const LONGEST_BUCKET: usize = 8;
/// From this many buckets on, a long bucket becomes a tree instead.
const LEAST_BUCKETS_WITH_TREES: usize = 64;

/// The size of a `HashMap` or `HashSet`, which decides in what order it hands out its entries. A table never shrinks.
///
/// Not modelled: buckets of nine and more in tables of 64 buckets and more. Java turns them into trees, which are handed
/// out in another order; here they stay in the order of insertion.
///
/// Source: `java.util.HashMap` of Java 17 (Java 19 and later make copies with fewer buckets).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashTable {
    buckets: usize,
}

impl Default for HashTable {
    fn default() -> Self {
        HashTable::new()
    }
}

impl HashTable {
    /// `new HashMap<>()`, `new HashSet<>()`, and what `Collectors.toMap`, `toSet` and `groupingBy` collect into.
    pub fn new() -> Self {
        HashTable {
            buckets: DEFAULT_BUCKETS,
        }
    }

    /// `new HashMap<>(capacity)`.
    pub fn with_capacity(capacity: usize) -> Self {
        HashTable {
            buckets: capacity.next_power_of_two(),
        }
    }

    /// `new HashMap<>(map)` of a map with so many entries.
    pub fn copy_of_map(entries: usize) -> Self {
        match entries {
            0 => HashTable::new(),
            _ => HashTable::with_capacity(entries * 4 / 3 + 1),
        }
    }

    /// `new HashSet<>(collection)` of a collection with so many items.
    pub fn copy_of_collection(items: usize) -> Self {
        HashTable::with_capacity((items * 4 / 3 + 1).max(DEFAULT_BUCKETS))
    }

    /// The table once it has held so many entries at a time.
    #[must_use]
    pub fn holding(mut self, entries: usize) -> Self {
        while entries > self.buckets * 3 / 4 {
            self.buckets *= 2;
        }
        self
    }

    /// Sorts items, given in the order in which they were put in, as the table hands them out.
    pub fn sort<T>(self, items: &mut [T], hash: impl Fn(&T) -> i32) {
        let table = self.filled(items, &hash);
        items.sort_by_key(|item| bucket(hash(item), table.buckets));
    }

    /// The table with the items in it. It grows when it is three quarters full, and for a bucket that grows too long.
    fn filled<T>(self, items: &[T], hash: impl Fn(&T) -> i32) -> Self {
        if items.len() <= LONGEST_BUCKET {
            return self.holding(items.len());
        }
        let mut table = self;
        let mut counts = table.count(&[], &hash);
        for (index, item) in items.iter().enumerate() {
            let count = &mut counts[bucket(hash(item), table.buckets)];
            *count += 1;
            let mut grown = table;
            if *count > LONGEST_BUCKET && table.buckets < LEAST_BUCKETS_WITH_TREES {
                grown.buckets *= 2;
            }
            grown = grown.holding(index + 1);
            if grown != table {
                table = grown;
                counts = table.count(&items[..=index], &hash);
            }
        }
        table
    }

    /// How many of the items each bucket holds.
    fn count<T>(self, items: &[T], hash: impl Fn(&T) -> i32) -> Vec<usize> {
        let mut counts = vec![0; self.buckets];
        for item in items {
            counts[bucket(hash(item), self.buckets)] += 1;
        }
        counts
    }
}
