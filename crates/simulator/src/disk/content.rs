use bytes::{Bytes, BytesMut};

/// A file's bytes as extents that share what the writer handed over: a batch is in memory once, however many
/// disks, logs and messages hold it.
#[derive(Clone, Debug, Default)]
pub(super) struct FileContent {
    extents: Vec<Bytes>,
    size: u64,
}

impl FileContent {
    pub(super) fn of(bytes: Bytes) -> Self {
        let mut content = FileContent::default();
        content.append(bytes);
        content
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    pub(super) fn append(&mut self, bytes: Bytes) {
        if !bytes.is_empty() {
            self.size += bytes.len() as u64;
            self.extents.push(bytes);
        }
    }

    /// Cuts to `size` bytes; a larger size changes nothing.
    pub(super) fn truncate(&mut self, size: u64) {
        while self.size > size {
            let last = self.extents.pop().expect("a file with bytes has an extent");
            let before = self.size - last.len() as u64;
            self.size = before;
            if before < size {
                self.append(last.slice(..(size - before) as usize));
            }
        }
    }

    /// All bytes. Joins the extents, so that the next reading shares.
    pub(super) fn read(&mut self) -> Bytes {
        if self.extents.len() > 1 {
            let mut joined = BytesMut::with_capacity(self.size as usize);
            for extent in &self.extents {
                joined.extend_from_slice(extent);
            }
            self.extents = vec![joined.freeze()];
        }
        self.extents.first().cloned().unwrap_or_default()
    }

    /// Up to `length` bytes from `at`; copies only where the range spans extents.
    pub(super) fn read_at(&self, at: u64, length: u64) -> Bytes {
        let end = at.saturating_add(length).min(self.size);
        let mut from = at.min(end);
        let mut parts: Vec<Bytes> = Vec::new();
        let mut base = self.size;
        let mut first = self.extents.len();
        // Readers mostly want the tail: look from the end for the extent that holds `from`.
        while first > 0 && base > from {
            first -= 1;
            base -= self.extents[first].len() as u64;
        }
        for extent in &self.extents[first..] {
            if from >= end {
                break;
            }
            let start = (from - base) as usize;
            let stop = extent.len().min((end - base) as usize);
            parts.push(extent.slice(start..stop));
            base += extent.len() as u64;
            from = base.min(end);
        }
        match parts.len() {
            0 => Bytes::new(),
            1 => parts.remove(0),
            _ => parts.concat().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FileContent;
    use bytes::Bytes;

    #[test]
    fn every_range_and_every_cut_equals_the_plain_vector() {
        let mut content = FileContent::default();
        let mut plain = Vec::new();
        for part in [&b"abc"[..], b"d", b"", b"efgh"] {
            content.append(Bytes::copy_from_slice(part));
            plain.extend_from_slice(part);
        }
        for at in 0..12_usize {
            for length in 0..12_usize {
                let (from, to) = (at.min(8), (at + length).min(8));
                assert_eq!(
                    content.read_at(at as u64, length as u64),
                    plain[from..to],
                    "{at} {length}"
                );
            }
        }
        for size in 0..10_usize {
            let mut cut = content.clone();
            cut.truncate(size as u64);
            assert_eq!(
                (cut.size(), cut.read()),
                (
                    size.min(8) as u64,
                    Bytes::copy_from_slice(&plain[..size.min(8)])
                )
            );
        }
    }
}
