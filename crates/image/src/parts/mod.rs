//! The parts of an image, one file each, in the order in which a snapshot holds them: [`features`], [`cluster`],
//! [`topics`], [`configs`], [`client_quotas`], [`producer_ids`], [`acls`], [`scram`], [`delegation_tokens`].
//!
//! Each part keeps what a snapshot would say about it, record by record.

pub mod acls;
pub mod client_quotas;
pub mod cluster;
pub mod configs;
pub mod delegation_tokens;
pub mod features;
pub mod producer_ids;
pub mod scram;
pub mod topics;

use std::sync::Arc;

use records::metadata::MetadataRecord;

use crate::entry_hash;

/// Puts an entry in and keeps the hash: `record` gives the shape that is hashed.
pub(crate) fn insert<K: Ord + Clone, R: Clone>(
    map: &mut imbl::OrdMap<K, Arc<R>>,
    key: K,
    value: R,
    hash: &mut u64,
    record: impl Fn(R) -> (i16, MetadataRecord),
) {
    let of = |value: R| {
        let (version, record) = record(value);
        entry_hash::of_record(version, record)
    };
    *hash = hash.wrapping_add(of(value.clone()));
    if let Some(old) = map.insert(key, Arc::new(value)) {
        *hash = hash.wrapping_sub(of((*old).clone()));
    }
}

/// Takes an entry out and keeps the hash.
pub(crate) fn remove<K: Ord + Clone, R: Clone>(
    map: &mut imbl::OrdMap<K, Arc<R>>,
    key: &K,
    hash: &mut u64,
    record: impl Fn(R) -> (i16, MetadataRecord),
) -> Option<Arc<R>> {
    let old = map.remove(key)?;
    let (version, record) = record((*old).clone());
    *hash = hash.wrapping_sub(entry_hash::of_record(version, record));
    Some(old)
}
