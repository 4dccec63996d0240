//! Variable-length integers of Kafka's record format: zig-zag, then base 128 with the low group first.

/// Reads a varint; `None` where the bytes end first or the number is longer than 32 bits allow.
pub(crate) fn read_varint(bytes: &[u8]) -> Option<(i32, usize)> {
    let (raw, used) = read_unsigned(bytes, 5)?;
    let raw = u32::try_from(raw & 0xffff_ffff).ok()?;
    Some((((raw >> 1) as i32) ^ -((raw & 1) as i32), used))
}

/// Reads a varlong; `None` where the bytes end first or the number is longer than 64 bits allow.
pub(crate) fn read_varlong(bytes: &[u8]) -> Option<(i64, usize)> {
    let (raw, used) = read_unsigned(bytes, 10)?;
    Some((((raw >> 1) as i64) ^ -((raw & 1) as i64), used))
}

fn read_unsigned(bytes: &[u8], longest: usize) -> Option<(u64, usize)> {
    let mut value = 0_u64;
    for (at, byte) in bytes.iter().take(longest).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
    }
    None
}

/// Appends `value` in zigzag coding: one to five bytes.
pub(crate) fn write_varint(value: i32, out: &mut Vec<u8>) {
    write_varlong(i64::from(value), out);
}

/// Appends `value` in zigzag coding: one to ten bytes.
pub(crate) fn write_varlong(value: i64, out: &mut Vec<u8>) {
    let mut raw = ((value << 1) ^ (value >> 63)) as u64;
    while raw >= 0x80 {
        out.push((raw as u8 & 0x7f) | 0x80);
        raw >>= 7;
    }
    out.push(raw as u8);
}

/// Bytes that [`write_varint`] takes.
pub(crate) fn varint_len(value: i32) -> usize {
    let raw = ((value << 1) ^ (value >> 31)) as u32;
    let bits = (32 - raw.leading_zeros()).max(1) as usize;
    bits.div_ceil(7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_values() {
        let bytes = |value| {
            let mut out = Vec::new();
            write_varint(value, &mut out);
            out
        };
        assert_eq!(bytes(0), [0]);
        assert_eq!(bytes(-1), [1]);
        assert_eq!(bytes(1), [2]);
        assert_eq!(bytes(65), [0x82, 0x01]);
        assert_eq!(bytes(i32::MIN), [0xff, 0xff, 0xff, 0xff, 0x0f]);
        assert_eq!(read_varint(&[0x80; 5]), None);
        assert_eq!(read_varint(&[]), None);
        assert_eq!(read_varlong(&[0x80; 10]), None);
    }

    proptest! {
        #[test]
        fn read_gives_what_was_written(value: i32, long: i64) {
            let mut out = Vec::new();
            write_varint(value, &mut out);
            prop_assert_eq!(out.len(), varint_len(value));
            prop_assert_eq!(read_varint(&out), Some((value, out.len())));
            out.clear();
            write_varlong(long, &mut out);
            prop_assert_eq!(read_varlong(&out), Some((long, out.len())));
        }
    }
}
