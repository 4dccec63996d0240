//! The hash of one entry. The hash of an image is their sum, so that order does not matter and an entry can leave.

use determinism::Digest;
use records::metadata::{MetadataRecord, VersionedRecord};

/// The hash of an entry that has the shape of a record, over its bytes at the given version.
pub(crate) fn of_record(version: i16, record: MetadataRecord) -> u64 {
    let mut bytes = Vec::with_capacity(64);
    let record = VersionedRecord { version, record };
    if record.encode(&mut bytes).is_err() {
        // Nothing that was read from a log gets here; what a caller made up still has a text.
        bytes = format!("{record:?}").into_bytes();
    }
    let mut digest = Digest::new();
    digest.write_bytes(&bytes);
    digest.value()
}

/// The hash of an entry made of a few parts; `kind` keeps different maps apart.
pub(crate) fn of_parts(kind: &str, parts: &[&[u8]]) -> u64 {
    let mut digest = Digest::new();
    digest.write_bytes(kind.as_bytes());
    for part in parts {
        digest.write_bytes(part);
    }
    digest.value()
}
