//! Finding the batches in a file.

use bytes::Bytes;

use super::{BATCH_OVERHEAD, Batch, CorruptBatch, LENGTH_AT, LOG_OVERHEAD, MAGIC_AT};

/// The least length that Kafka's readers take for that of a batch of any magic (`LegacyRecord.RECORD_OVERHEAD_V0`).
const LEAST_LENGTH: usize = 14;

/// Whether a reader compares each batch's CRC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// Log and checkpoints: a wrong CRC is corruption.
    Verify,
    /// `bootstrap.checkpoint`: Kafka's `BatchFileReader` never looks at the CRC, and takes a batch that reaches past the
    /// end of the file for a torn one before it looks at the magic byte.
    Ignore,
}

/// The batches of a file from byte `from` on, checksums verified.
///
/// The iterator ends at the end of the file. At damage it yields one error and ends; [`BatchReader::position`] then is
/// the "valid up to" position: every byte before it belongs to a batch that was yielded.
pub fn read_batches(file: &str, bytes: &Bytes, from: u64) -> BatchReader {
    read_batches_with(file, bytes, from, Checksum::Verify)
}

/// As [`read_batches`], with a say about checksums.
pub fn read_batches_with(file: &str, bytes: &Bytes, from: u64, checksum: Checksum) -> BatchReader {
    let position = from.min(bytes.len() as u64) as usize;
    BatchReader {
        file: file.to_owned(),
        bytes: bytes.clone(),
        position,
        checksum,
        ended: false,
    }
}

/// Iterator over the batches of a file; see [`read_batches`].
#[derive(Clone, Debug)]
pub struct BatchReader {
    file: String,
    bytes: Bytes,
    position: usize,
    checksum: Checksum,
    ended: bool,
}

impl BatchReader {
    /// Position after the last whole and valid batch so far: "valid up to byte N".
    pub fn position(&self) -> u64 {
        self.position as u64
    }

    fn next_batch(&mut self) -> Result<Batch, CorruptBatch> {
        let at = self.position;
        let left = &self.bytes[at..];
        let place = |offset: usize| (at + offset) as u64;
        // Kafka wants everything up to the magic byte before it looks at the length
        // (4.4:clients/…/internal/ByteBufferLogInputStream.java).
        if left.len() <= MAGIC_AT {
            let found = format!("the end of the file after {} bytes", left.len());
            let end = place(left.len());
            return Err(CorruptBatch::torn(
                &self.file,
                end,
                "a whole batch header",
                found,
            ));
        }
        let mut length = [0; 4];
        length.copy_from_slice(&left[LENGTH_AT..LENGTH_AT + 4]);
        let length = i32::from_be_bytes(length);
        let wrong_length = |least: usize| {
            let expected = format!("a batch length of at least {least}");
            CorruptBatch::invalid(&self.file, place(LENGTH_AT), expected, length.to_string())
        };
        let magic = left[MAGIC_AT] as i8;
        let wrong_magic = || {
            CorruptBatch::invalid(
                &self.file,
                place(MAGIC_AT),
                "magic 2",
                format!("magic {magic}"),
            )
        };
        // The order decides whether a damaged end counts as torn, which Kafka takes for the end of the file, or as
        // corrupt, which it does not; its two readers differ in the second step.
        let size = match usize::try_from(length) {
            Ok(length) if length >= LEAST_LENGTH => length + LOG_OVERHEAD,
            _ => return Err(wrong_length(LEAST_LENGTH)),
        };
        if self.checksum == Checksum::Verify && !(0..=2).contains(&magic) {
            return Err(wrong_magic());
        }
        if size > left.len() {
            let expected = format!("a batch of {size} bytes from byte {at} on");
            let found = format!("the end of the file after {} bytes", left.len());
            return Err(CorruptBatch::torn(
                &self.file,
                place(left.len()),
                expected,
                found,
            ));
        }
        if magic != 2 {
            return Err(wrong_magic());
        }
        if size < BATCH_OVERHEAD {
            return Err(wrong_length(BATCH_OVERHEAD - LOG_OVERHEAD));
        }
        let batch = Batch::framed(self.bytes.slice(at..at + size));
        if self.checksum == Checksum::Verify {
            let (stored, computed) = (batch.stored_checksum(), batch.computed_checksum());
            if stored != computed {
                let expected = format!("CRC-32C {computed:08x} of the batch at byte {at}");
                let found = format!("{stored:08x}");
                return Err(CorruptBatch::invalid(
                    &self.file,
                    place(super::CRC_AT),
                    expected,
                    found,
                ));
            }
        }
        Ok(batch)
    }
}

impl Iterator for BatchReader {
    type Item = Result<Batch, CorruptBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended || self.position == self.bytes.len() {
            return None;
        }
        let next = self.next_batch();
        match &next {
            Ok(batch) => self.position += batch.size(),
            Err(_) => self.ended = true,
        }
        Some(next)
    }
}
