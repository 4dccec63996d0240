//! The next block of producer ids (`4.4:metadata/…/image/ProducerIdsImage.java`).

use records::metadata::{MetadataRecord, ProducerIdsRecord, VersionedRecord};

use crate::{Delta, Part, entry_hash};

/// Up to where producer ids are handed out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProducerIdsImage {
    next: Option<i64>,
}

fn entry_of(next: i64) -> u64 {
    entry_hash::of_parts("producer ids", &[&next.to_be_bytes()])
}

impl ProducerIdsImage {
    /// The next id that nobody has; `None` before the first block is handed out.
    pub fn next_producer_id(&self) -> Option<i64> {
        self.next
    }

    /// Whether none was handed out.
    pub fn is_empty(&self) -> bool {
        self.next.is_none()
    }

    pub(crate) fn apply(&mut self, record: &ProducerIdsRecord, delta: &mut Delta, hash: &mut u64) {
        delta.touch(Part::ProducerIds);
        self.set(
            Some(record.next_producer_id).filter(|next| *next != -1),
            hash,
        );
    }

    pub(crate) fn set(&mut self, next: Option<i64>, hash: &mut u64) {
        if let Some(old) = self.next {
            *hash = hash.wrapping_sub(entry_of(old));
        }
        if let Some(next) = next {
            *hash = hash.wrapping_add(entry_of(next));
        }
        self.next = next;
    }

    pub(crate) fn write(&self, out: &mut Vec<VersionedRecord>) {
        let Some(next_producer_id) = self.next.filter(|next| *next >= 0) else {
            return;
        };
        let record = ProducerIdsRecord {
            broker_id: -1,
            broker_epoch: -1,
            next_producer_id,
            ..Default::default()
        };
        out.push(VersionedRecord {
            version: 0,
            record: MetadataRecord::ProducerIds(record),
        });
    }
}
