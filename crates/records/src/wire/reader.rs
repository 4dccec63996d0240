//! [`Reader`]: a position in a slice.

use super::wire_type::MAX_STRING_LEN;
use crate::DecodeError;

/// Takes values off the front of a slice. `base` is where the slice starts within what the caller handed in, so that
/// errors name positions there.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    base: usize,
    longest_string: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            base: 0,
            longest_string: MAX_STRING_LEN,
        }
    }

    /// A reader that also takes strings too long to be written.
    pub(crate) fn of_any_strings(bytes: &'a [u8]) -> Self {
        Self {
            longest_string: usize::MAX,
            ..Self::new(bytes)
        }
    }

    /// How many bytes a string may have.
    pub(crate) fn longest_string(&self) -> usize {
        self.longest_string
    }

    /// Position of the next byte, as the caller counts.
    pub(crate) fn position(&self) -> usize {
        self.base + self.position
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// The next `len` bytes.
    pub(crate) fn take(&mut self, what: &'static str, len: u64) -> Result<&'a [u8], DecodeError> {
        if len > self.remaining() as u64 {
            return Err(DecodeError::UnexpectedEnd {
                position: self.position(),
                what,
                expected: len,
                found: self.remaining(),
            });
        }
        let start = self.position;
        self.position += len as usize;
        Ok(&self.bytes[start..self.position])
    }

    pub(crate) fn array<const N: usize>(
        &mut self,
        what: &'static str,
    ) -> Result<[u8; N], DecodeError> {
        let taken = self.take(what, N as u64)?;
        Ok(taken
            .try_into()
            .expect("take returns exactly as many bytes as were asked for"))
    }

    /// A reader over the next `len` bytes, which it alone may consume.
    pub(crate) fn slice(
        &mut self,
        what: &'static str,
        len: u64,
    ) -> Result<Reader<'a>, DecodeError> {
        let base = self.position();
        Ok(Reader {
            bytes: self.take(what, len)?,
            position: 0,
            base,
            longest_string: self.longest_string,
        })
    }

    /// An unsigned varint of at most 32 bits.
    pub(crate) fn uvarint(&mut self, what: &'static str) -> Result<u32, DecodeError> {
        let position = self.position();
        let mut value = 0_u64;
        for shift in (0..5).map(|group| group * 7) {
            let [byte] = self.array(what)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                // Kafka shifts within 32 bits: what the fifth byte has beyond them is dropped.
                return Ok(value as u32);
            }
        }
        Err(DecodeError::InvalidValue {
            position,
            what,
            expected: "a varint of at most 5 bytes",
            found: "a longer one".to_owned(),
        })
    }

    /// A count of things of which each takes at least `min_size` bytes; `None` is null.
    pub(crate) fn compact_len(
        &mut self,
        what: &'static str,
        min_size: usize,
    ) -> Result<Option<usize>, DecodeError> {
        let Some(len) = self.uvarint(what)?.checked_sub(1) else {
            return Ok(None);
        };
        let needed = u64::from(len) * min_size as u64;
        if needed > self.remaining() as u64 {
            return Err(DecodeError::UnexpectedEnd {
                position: self.position(),
                what,
                expected: needed,
                found: self.remaining(),
            });
        }
        Ok(Some(len as usize))
    }

    /// Nothing may be left.
    pub(crate) fn finish(&self, record: &'static str) -> Result<(), DecodeError> {
        match self.remaining() {
            0 => Ok(()),
            found => Err(DecodeError::TrailingBytes {
                position: self.position(),
                record,
                found,
            }),
        }
    }
}
