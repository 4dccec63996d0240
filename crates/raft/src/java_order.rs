//! The order in which a Java hash table hands out its entries, where Kafka sends or writes in that order.

use records::ReplicaKey;
use records::feature::{
    JAVA_DEFAULT_CAPACITY, java_hash_buckets, java_hash_buckets_of_copy, java_string_hash,
};

use releases::raft::NodeHash;

use crate::message::Node;

/// `Boolean.hashCode(false)`.
const HASH_OF_FALSE: i32 = 1237;

/// Buckets of a `HashMap` or `HashSet` made without a capacity, once it holds `entries`.
pub(crate) fn buckets_of(entries: usize) -> usize {
    java_hash_buckets(JAVA_DEFAULT_CAPACITY, entries)
}

/// Buckets of `new HashMap<>(capacity)` once it holds `entries`.
pub(crate) fn buckets_for_capacity(capacity: usize, entries: usize) -> usize {
    java_hash_buckets(capacity, entries)
}

/// Buckets of the copy of a `HashMap` of `copied` entries, once it holds `entries`.
pub(crate) fn buckets_of_copy(copied: usize, entries: usize) -> usize {
    let initial = if copied == 0 {
        JAVA_DEFAULT_CAPACITY
    } else {
        java_hash_buckets_of_copy(copied)
    };
    java_hash_buckets(initial, entries)
}

/// The bucket of a hash code.
pub(crate) fn bucket(hash: i32, buckets: usize) -> usize {
    let hash = hash as u32;
    (hash ^ (hash >> 16)) as usize & (buckets - 1)
}

/// `String.hashCode()`.
pub(crate) fn string_hash(text: &str) -> i32 {
    java_string_hash(text)
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
pub(crate) fn sort_nodes(nodes: &mut [Node], rule: NodeHash) {
    let buckets = buckets_of(nodes.len());
    sort_by_bucket(nodes, buckets, |node| {
        let of_host = 31_i32.wrapping_add(string_hash(&node.address.host));
        let of_id = of_host.wrapping_mul(31).wrapping_add(node.id);
        let of_port = of_id
            .wrapping_mul(31)
            .wrapping_add(i32::from(node.address.port));
        let without_rack = of_port.wrapping_mul(31);
        match rule {
            NodeHash::AddressAndId => without_rack,
            NodeHash::WithFencing => without_rack.wrapping_mul(31).wrapping_add(HASH_OF_FALSE),
        }
    });
}

/// Sorts as `Set.of(…)` iterates, made of items that stand in the order of a `HashSet`.
///
/// Java begins at another place in every process; this is the order of one that begins at the end.
pub(crate) fn sort_as_immutable_set<T>(items: &mut Vec<T>, hash: impl Fn(&T) -> i32) {
    if items.len() < 3 {
        return;
    }
    let mut table: Vec<Option<T>> = Vec::new();
    table.resize_with(items.len() * 2, || None);
    for item in items.drain(..) {
        let mut at = hash(&item).rem_euclid(table.len() as i32) as usize;
        while table[at].is_some() {
            at = (at + 1) % table.len();
        }
        table[at] = Some(item);
    }
    items.extend(table.into_iter().rev().flatten());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_grow_at_three_quarters() {
        assert_eq!((buckets_of(12), buckets_of(13)), (16, 32));
        assert_eq!(
            (buckets_for_capacity(3, 3), buckets_for_capacity(4, 4)),
            (4, 8)
        );
        assert_eq!((buckets_of_copy(3, 4), buckets_of_copy(0, 1)), (8, 16));
    }

    #[test]
    fn small_ids_iterate_ascending_and_large_ones_by_bucket() {
        let mut ids = vec![10, 11, 12];
        sort_by_bucket(&mut ids, 4, |id| *id);
        assert_eq!(ids, [12, 10, 11]);
        assert_eq!(string_hash("-2"), 1445);
    }

    #[test]
    fn immutable_sets_iterate_from_their_end() {
        let mut ids = vec![1, 2, 3, 7];
        sort_as_immutable_set(&mut ids, |id| *id);
        assert_eq!(ids, [7, 3, 2, 1]);
        let mut two = vec![1, 2];
        sort_as_immutable_set(&mut two, |id| *id);
        assert_eq!(two, [1, 2]);
    }
}
