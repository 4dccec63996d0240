use bytes::Bytes;

use super::super::DecodeError;
use super::Path;

/// A position in shared bytes, and the end of what may be read.
pub(crate) struct Input<'a> {
    bytes: &'a Bytes,
    position: usize,
    end: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a Bytes, position: usize) -> Self {
        Input {
            bytes,
            position,
            end: bytes.len(),
        }
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn remaining(&self) -> usize {
        self.end - self.position
    }

    /// The next `len` bytes.
    pub(crate) fn take(&mut self, path: &Path<'_>, len: usize) -> Result<&'a [u8], DecodeError> {
        self.expect(path, len as u64)?;
        let start = self.position;
        self.position += len;
        Ok(&self.bytes[start..self.position])
    }

    /// The next `len` bytes, shared.
    pub(crate) fn share(&mut self, path: &Path<'_>, len: usize) -> Result<Bytes, DecodeError> {
        self.take(path, len)?;
        Ok(self.bytes.slice(self.position - len..self.position))
    }

    /// That so many bytes are left.
    pub(crate) fn expect(&self, path: &Path<'_>, len: u64) -> Result<(), DecodeError> {
        if len > self.remaining() as u64 {
            return Err(DecodeError::UnexpectedEnd {
                position: self.position,
                field: path.to_string(),
                expected: len,
                found: self.remaining(),
            });
        }
        Ok(())
    }

    pub(crate) fn array<const N: usize>(
        &mut self,
        path: &Path<'_>,
    ) -> Result<[u8; N], DecodeError> {
        let taken = self.take(path, N)?;
        Ok(taken
            .try_into()
            .expect("take returns exactly as many bytes as were asked for"))
    }

    /// An unsigned varint of at most 32 bits.
    pub(crate) fn uvarint(&mut self, path: &Path<'_>) -> Result<u32, DecodeError> {
        let position = self.position;
        let mut value = 0_u64;
        for shift in (0..5).map(|group| group * 7) {
            let [byte] = self.array(path)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                // Kafka shifts within 32 bits: what the fifth byte has beyond them is dropped.
                return Ok(value as u32);
            }
        }
        Err(DecodeError::InvalidValue {
            position,
            field: path.to_string(),
            expected: "a varint of at most 5 bytes",
            found: "a longer one".to_owned(),
        })
    }

    /// The next `len` bytes alone, which must be there.
    pub(crate) fn of_next(&self, path: &Path<'_>, len: usize) -> Result<Self, DecodeError> {
        self.expect(path, len as u64)?;
        Ok(Input {
            bytes: self.bytes,
            position: self.position,
            end: self.position + len,
        })
    }

    /// Nothing may be left.
    pub(crate) fn finish(&self, path: &Path<'_>) -> Result<(), DecodeError> {
        match self.remaining() {
            0 => Ok(()),
            found => Err(DecodeError::TrailingBytes {
                position: self.position,
                what: path.to_string(),
                found,
            }),
        }
    }
}
