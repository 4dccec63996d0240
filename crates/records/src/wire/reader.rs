//! [`Reader`]: a position in a slice.

use bytes::Bytes;

use super::layout::MAX_STRING_LEN;
use super::{Encoding, Path};
use crate::error::DecodeError;

/// Takes values off the front of a slice. `base` is where the slice starts within what the caller handed in, so that
/// errors name positions there.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    base: usize,
    /// What the caller handed in, where byte strings may share its memory.
    shared: Option<&'a Bytes>,
    longest_string: usize,
}

impl<'a> Reader<'a> {
    /// Reads a slice from its start; byte strings are copied.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            base: 0,
            shared: None,
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

    /// Reads from a position on; byte strings share the memory of `bytes`.
    pub fn shared(bytes: &'a Bytes, position: usize) -> Self {
        Self {
            position,
            shared: Some(bytes),
            ..Self::new(bytes)
        }
    }

    /// Position of the next byte, as the caller counts.
    pub fn position(&self) -> usize {
        self.base + self.position
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// That so many bytes are left.
    #[inline]
    fn expect(&self, at: &Path<'_>, len: u64) -> Result<(), DecodeError> {
        if len > self.remaining() as u64 {
            return Err(self.ends_early(at, len));
        }
        Ok(())
    }

    /// Apart and cold, so that what every field calls is small enough to be compiled in place.
    #[cold]
    fn ends_early(&self, at: &Path<'_>, len: u64) -> DecodeError {
        DecodeError::UnexpectedEnd {
            position: self.position(),
            what: at.to_string(),
            expected: len,
            found: self.remaining(),
        }
    }

    /// The next `len` bytes.
    #[inline]
    pub fn take(&mut self, at: &Path<'_>, len: u64) -> Result<&'a [u8], DecodeError> {
        self.expect(at, len)?;
        let start = self.position;
        self.position += len as usize;
        Ok(&self.bytes[start..self.position])
    }

    /// The next `len` bytes, shared where the reader may.
    pub fn take_bytes(&mut self, at: &Path<'_>, len: u64) -> Result<Bytes, DecodeError> {
        let taken = self.take(at, len)?;
        Ok(match self.shared {
            Some(shared) => shared.slice_ref(taken),
            None => Bytes::copy_from_slice(taken),
        })
    }

    /// The next `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self, at: &Path<'_>) -> Result<[u8; N], DecodeError> {
        let taken = self.take(at, N as u64)?;
        Ok(taken
            .try_into()
            .expect("take returns exactly as many bytes as were asked for"))
    }

    /// A reader over the next `len` bytes, which it alone may consume.
    pub(crate) fn slice(&mut self, at: &Path<'_>, len: u64) -> Result<Reader<'a>, DecodeError> {
        let base = self.position();
        Ok(Reader {
            bytes: self.take(at, len)?,
            position: 0,
            base,
            shared: self.shared,
            longest_string: self.longest_string,
        })
    }

    /// An unsigned varint of at most 32 bits.
    #[inline]
    pub fn uvarint(&mut self, at: &Path<'_>) -> Result<u32, DecodeError> {
        let position = self.position();
        let mut value = 0_u64;
        for shift in (0..5).map(|group| group * 7) {
            let [byte] = self.array(at)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                // Kafka shifts within 32 bits: what the fifth byte has beyond them is dropped.
                return Ok(value as u32);
            }
        }
        Err(DecodeError::InvalidValue {
            position,
            what: at.to_string(),
            expected: "a varint of at most 5 bytes",
            found: "a longer one".to_owned(),
        })
    }

    /// The length of a text; `None` is null.
    pub(crate) fn text_len(
        &mut self,
        at: &Path<'_>,
        encoding: Encoding,
    ) -> Result<Option<usize>, DecodeError> {
        let position = self.position();
        let len = match encoding {
            Encoding::Flexible => i64::from(self.uvarint(at)?) - 1,
            Encoding::Plain => i16::from_be_bytes(self.array(at)?).into(),
        };
        checked_len(at, position, len)
    }

    /// A count of things of which each takes at least `min_size` bytes; `None` is null.
    pub(crate) fn count(
        &mut self,
        at: &Path<'_>,
        encoding: Encoding,
        min_size: usize,
    ) -> Result<Option<usize>, DecodeError> {
        let position = self.position();
        let len = match encoding {
            Encoding::Flexible => i64::from(self.uvarint(at)?) - 1,
            Encoding::Plain => i32::from_be_bytes(self.array(at)?).into(),
        };
        let len = checked_len(at, position, len)?;
        self.expect(at, len.unwrap_or(0) as u64 * min_size as u64)?;
        Ok(len)
    }

    /// Nothing may be left.
    pub fn finish(&self, what: &Path<'_>) -> Result<(), DecodeError> {
        match self.remaining() {
            0 => Ok(()),
            found => Err(DecodeError::TrailingBytes {
                position: self.position(),
                what: what.to_string(),
                found,
            }),
        }
    }
}

fn checked_len(at: &Path<'_>, position: usize, len: i64) -> Result<Option<usize>, DecodeError> {
    match usize::try_from(len) {
        Ok(len) => Ok(Some(len)),
        Err(_) if len == -1 => Ok(None),
        Err(_) => Err(DecodeError::InvalidValue {
            position,
            what: at.to_string(),
            expected: "a length of −1 or more",
            found: len.to_string(),
        }),
    }
}
