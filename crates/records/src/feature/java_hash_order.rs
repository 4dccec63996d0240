//! The order in which a Java `HashMap` hands out its keys.
//!
//! Kafka writes feature levels in that order into registrations and snapshots, so it decides bytes.

/// Initial capacity of a `HashMap` or `HashSet` whose maker asked for none.
pub const JAVA_DEFAULT_CAPACITY: usize = 16;

/// Java's `String.hashCode`, over UTF-16 units.
pub fn java_string_hash(text: &str) -> i32 {
    let add = |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    text.encode_utf16().fold(0, add)
}

/// How many buckets a `HashMap` made for `initial_capacity` has once `entries` are in it: the next power of two, doubled
/// for as long as more than three quarters of the buckets are taken.
pub fn java_hash_buckets(initial_capacity: usize, entries: usize) -> usize {
    let mut buckets = initial_capacity.max(1).next_power_of_two();
    while entries > buckets * 3 / 4 {
        buckets *= 2;
    }
    buckets
}

/// How many buckets a `HashMap` has that was made as the copy of another map of so many `entries`.
pub fn java_hash_buckets_of_copy(entries: usize) -> usize {
    (entries * 4 / 3 + 1).next_power_of_two()
}

/// `names` in the order in which a Java hash map or set of so many `buckets` (a power of two) iterates over them.
///
/// Names of the same bucket stay in the order given, which must be that of their insertion. Java keeps it too, as long
/// as no bucket holds more than eight.
pub fn java_hash_order<'a>(
    names: impl IntoIterator<Item = &'a str>,
    buckets: usize,
) -> Vec<&'a str> {
    let mut ordered: Vec<&str> = names.into_iter().collect();
    ordered.sort_by_key(|name| bucket(name, buckets));
    ordered
}

/// The bucket that `name` falls into.
pub(super) fn bucket(name: &str, buckets: usize) -> usize {
    let hash = java_string_hash(name).cast_unsigned();
    (hash ^ (hash >> 16)) as usize & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL_FEATURES: [&str; 7] = [
        "metadata.version",
        "kraft.version",
        "transaction.version",
        "group.version",
        "eligible.leader.replicas.version",
        "share.version",
        "streams.version",
    ];

    #[test]
    fn hashes_as_java() {
        assert_eq!(java_string_hash(""), 0);
        assert_eq!(java_string_hash("kafka"), 101_807_910);
        assert_eq!(java_string_hash("metadata.version"), 1_098_778_905);
        // One character outside the basic plane is two UTF-16 units.
        assert_eq!(java_string_hash("\u{1F600}"), 0xd83d * 31 + 0xde00);
    }

    #[test]
    fn tables_grow_as_in_java() {
        let grown = |entries| java_hash_buckets(1, entries);
        assert_eq!(
            [0, 1, 2, 3, 4, 6, 7, 12, 13].map(grown),
            [1, 2, 4, 4, 8, 8, 16, 16, 32]
        );
        let by_default = |entries| java_hash_buckets(JAVA_DEFAULT_CAPACITY, entries);
        assert_eq!([0, 12, 13, 24, 25].map(by_default), [16, 16, 32, 32, 64]);
        assert_eq!(
            [0, 2, 5, 6, 12].map(java_hash_buckets_of_copy),
            [1, 4, 8, 16, 32]
        );
    }

    /// Registrations in the logs of 4.4.0 and 4.0.2, and the other features in their snapshots, as measured.
    #[test]
    fn features_iterate_as_measured() {
        assert_eq!(
            java_hash_order(ALL_FEATURES, java_hash_buckets(1, 7)),
            [
                "group.version",
                "kraft.version",
                "metadata.version",
                "share.version",
                "streams.version",
                "transaction.version",
                "eligible.leader.replicas.version",
            ]
        );
        assert_eq!(
            java_hash_order(ALL_FEATURES[..5].iter().copied(), java_hash_buckets(1, 5)),
            [
                "group.version",
                "transaction.version",
                "eligible.leader.replicas.version",
                "kraft.version",
                "metadata.version",
            ]
        );
        assert_eq!(
            java_hash_order(
                ALL_FEATURES[2..].iter().copied(),
                java_hash_buckets_of_copy(5)
            ),
            [
                "group.version",
                "streams.version",
                "transaction.version",
                "eligible.leader.replicas.version",
                "share.version",
            ]
        );
    }
}
