//! The order in which a Java hash table hands out its entries, where Kafka sends or writes in that order.

use records::ReplicaKey;

use crate::message::Node;

/// Buckets of a `HashMap` after it took `entries` entries, starting with `initial` buckets (a power of two).
pub(crate) fn buckets_after(initial: usize, entries: usize) -> usize {
    let mut buckets = initial.max(1);
    while entries > buckets * 3 / 4 {
        buckets *= 2;
    }
    buckets
}

/// Buckets of `new HashMap<>(capacity)`.
pub(crate) fn buckets_for_capacity(capacity: usize) -> usize {
    capacity.max(1).next_power_of_two()
}

/// Buckets of `new HashMap<>(other)` with that many entries.
pub(crate) fn buckets_of_copy(entries: usize) -> usize {
    if entries == 0 {
        16
    } else {
        buckets_for_capacity(entries * 4 / 3 + 1)
    }
}

/// The bucket of a hash code.
pub(crate) fn bucket(hash: i32, buckets: usize) -> usize {
    let hash = hash as u32;
    (hash ^ (hash >> 16)) as usize & (buckets - 1)
}

/// `String.hashCode()` of ASCII text.
pub(crate) fn string_hash(text: &str) -> i32 {
    text.bytes().fold(0, |hash: i32, byte| {
        hash.wrapping_mul(31).wrapping_add(i32::from(byte))
    })
}

/// `ReplicaKey.hashCode()`.
pub(crate) fn replica_key_hash(key: &ReplicaKey) -> i32 {
    let directory = key.directory_id.map_or(0, |id| {
        let folded = id.as_bytes().chunks_exact(4).fold(0_u32, |folded, word| {
            folded
                ^ word
                    .iter()
                    .fold(0_u32, |word, byte| word << 8 | u32::from(*byte))
        });
        folded as i32
    });
    31_i32
        .wrapping_mul(31_i32.wrapping_add(key.id.0))
        .wrapping_add(directory)
}

/// Sorts as a hash table of `buckets` buckets iterates; entries of one bucket stay in the order they were added.
pub(crate) fn sort_by_bucket<T>(items: &mut [T], buckets: usize, hash: impl Fn(&T) -> i32) {
    items.sort_by_key(|item| bucket(hash(item), buckets));
}

/// Sorts nodes as Kafka's `HashSet<Node>` iterates.
pub(crate) fn sort_nodes(nodes: &mut [Node]) {
    let buckets = buckets_after(16, nodes.len());
    sort_by_bucket(nodes, buckets, |node| {
        let of_host = 31_i32.wrapping_add(string_hash(&node.address.host));
        let of_id = of_host.wrapping_mul(31).wrapping_add(node.id);
        let of_port = of_id
            .wrapping_mul(31)
            .wrapping_add(i32::from(node.address.port));
        // No rack.
        of_port.wrapping_mul(31)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_grow_at_three_quarters() {
        assert_eq!(buckets_after(16, 12), 16);
        assert_eq!(buckets_after(16, 13), 32);
        assert_eq!(buckets_after(buckets_for_capacity(3), 3), 4);
        assert_eq!(buckets_of_copy(3), 8);
        assert_eq!(buckets_of_copy(12), 32);
    }

    #[test]
    fn small_ids_iterate_ascending_and_large_ones_by_bucket() {
        let mut ids = vec![10, 11, 12];
        sort_by_bucket(&mut ids, 4, |id| *id);
        assert_eq!(ids, [12, 10, 11]);
        assert_eq!(string_hash("-2"), 1445);
    }
}
