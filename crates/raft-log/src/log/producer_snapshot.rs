//! `.snapshot` files: the state of producers, which the metadata log has none of.
//!
//! Kafka writes one as a segment rolls, as the log closes and as it opens, and rebuilds a missing one.

use bytes::Bytes;
use disk::{Disk, DiskError, path};

const SUFFIX: &str = ".snapshot";

/// Version 1, CRC-32C of what follows, no producers.
const NO_PRODUCERS: &[u8] = &[0x00, 0x01, 0x48, 0x67, 0x4b, 0xc7, 0x00, 0x00, 0x00, 0x00];

/// Name of the file for the state up to this offset (exclusive).
pub(super) fn file_name(offset: i64) -> String {
    format!("{offset:020}{SUFFIX}")
}

/// Whether a file holds a state of producers, by its name.
pub(super) fn is_snapshot(name: &str) -> bool {
    name.ends_with(SUFFIX)
}

/// Writes the file of a log without producers.
pub(super) fn write(disk: &mut dyn Disk, dir: &str, offset: i64) -> Result<(), DiskError> {
    let path = path::join(dir, &file_name(offset));
    disk.create(&path)?;
    disk.append(&path, &Bytes::from_static(NO_PRODUCERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_rest() {
        let checksum = crc32c::crc32c(&NO_PRODUCERS[6..]);
        assert_eq!(NO_PRODUCERS[2..6], checksum.to_be_bytes());
    }
}
