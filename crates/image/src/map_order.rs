//! The order in which Kafka's maps hand out their entries, which is the order of records in a snapshot.
//!
//! Exact where the order follows from the entries alone. It does not for config resources and SCRAM mechanisms, whose
//! hash differs from process to process, nor within a bucket of a map that grew step by step: there, entries come in
//! ascending order. Client quotas are not looked into.

use records::Uuid;
use records::feature::java_hash_buckets;

/// `items` in the order of a Java hash map of numbers that was made for fewer entries and grew.
pub(crate) fn by_number<T>(mut items: Vec<T>, number: impl Fn(&T) -> i32) -> Vec<T> {
    let mask = java_hash_buckets(1, items.len()) as u32 - 1;
    items.sort_by_key(|item| spread(number(item).cast_unsigned()) & mask);
    items
}

/// `items` in the order of a Java hash map of uuids, made with `capacity`.
pub(crate) fn by_uuid<T>(mut items: Vec<T>, capacity: usize, uuid: impl Fn(&T) -> Uuid) -> Vec<T> {
    let mask = java_hash_buckets(capacity, items.len()) as u32 - 1;
    items.sort_by_key(|item| spread(uuid_hash(uuid(item)).cast_unsigned()) & mask);
    items
}

/// `items` in the order of the persistent map that holds topics: by hash (`org.pcollections.HashTreePMap`).
pub(crate) fn by_uuid_hash<T>(mut items: Vec<T>, uuid: impl Fn(&T) -> Uuid) -> Vec<T> {
    items.sort_by_key(|item| uuid_hash(uuid(item)));
    items
}

fn spread(hash: u32) -> u32 {
    hash ^ (hash >> 16)
}

/// `Uuid.hashCode`: both halves folded to 32 bits.
fn uuid_hash(uuid: Uuid) -> i32 {
    let words = uuid.as_bytes().as_chunks::<4>().0;
    words
        .iter()
        .fold(0, |hash, word| hash ^ i32::from_be_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_order_of_two_brokers() {
        assert_eq!(by_number(vec![11, 12], |id| *id), [12, 11]);
        assert_eq!(by_number(vec![1, 2, 3], |id| *id), [1, 2, 3]);
    }

    #[test]
    fn a_uuid_hashes_as_in_kafka() {
        let mut bytes = [0; 16];
        bytes[3] = 1;
        bytes[15] = 4;
        assert_eq!(uuid_hash(Uuid::from_bytes(bytes)), 5);
        bytes[0] = 0x80;
        assert!(uuid_hash(Uuid::from_bytes(bytes)) < 0);
    }
}
