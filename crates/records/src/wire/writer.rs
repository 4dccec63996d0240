//! Lengths, as they are written.

use super::Encoding;
use crate::error::EncodeError;

/// An unsigned varint.
pub(crate) fn write_uvarint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The length of bytes or of an array.
pub(super) fn write_count(
    field: &'static str,
    len: usize,
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let count = i32::try_from(len).ok();
    match (encoding, count, count.and_then(|len| len.checked_add(1))) {
        (Encoding::Flexible, _, Some(len)) => write_uvarint(out, len.cast_unsigned()),
        (Encoding::Plain, Some(len), _) => out.extend_from_slice(&len.to_be_bytes()),
        _ => return Err(EncodeError::TooLong { field, len }),
    }
    Ok(())
}
