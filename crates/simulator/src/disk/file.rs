use bytes::Bytes;

use super::content::FileContent;

/// One file: what a reader sees, and what a machine without power keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub(super) written: FileContent,
    durable: Durable,
    pub(super) mode: Mode,
}

/// What the last sync kept of a file.
#[derive(Clone, Debug)]
pub(super) enum Durable {
    /// So many first bytes of what is written: the file only grew since.
    Prefix(u64),
    /// This: the file was cut since.
    Other(FileContent),
}

impl Default for Durable {
    fn default() -> Self {
        Durable::Prefix(0)
    }
}

impl File {
    /// A file that has been there for long.
    pub(super) fn at_rest(bytes: Bytes) -> Self {
        let durable = Durable::Prefix(bytes.len() as u64);
        File {
            written: FileContent::of(bytes),
            durable,
            mode: Mode::Writable,
        }
    }

    pub(super) fn truncate(&mut self, size: u64) {
        if let Durable::Prefix(synced) = self.durable
            && size < synced
        {
            let mut kept = self.written.clone();
            kept.truncate(synced);
            self.durable = Durable::Other(kept);
        }
        self.written.truncate(size);
    }

    pub(super) fn sync(&mut self) {
        self.durable = Durable::Prefix(self.written.size());
    }

    /// What a machine without power would keep.
    pub(super) fn durable(&self) -> Bytes {
        match &self.durable {
            Durable::Prefix(synced) => self.written.read_at(0, *synced),
            Durable::Other(kept) => kept.read_at(0, u64::MAX),
        }
    }

    /// Whether a machine without power would keep at least what is written.
    pub(super) fn is_durable(&self) -> bool {
        match &self.durable {
            Durable::Prefix(synced) => *synced == self.written.size(),
            Durable::Other(kept) => {
                let size = self.written.size();
                kept.size() >= size && kept.read_at(0, size) == self.written.read_at(0, size)
            }
        }
    }

    /// What a machine without power keeps.
    pub(super) fn lose_unsynced(&mut self) {
        match std::mem::take(&mut self.durable) {
            Durable::Prefix(synced) => self.written.truncate(synced),
            Durable::Other(kept) => self.written = kept,
        }
        self.sync();
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Writable,
    ReadOnly,
}
