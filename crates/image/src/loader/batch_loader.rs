//! From committed batches to images, transactions kept together
//! (`4.4:metadata/…/image/loader/MetadataBatchLoader.java`).

use raft_log::batch::Batch;
use records::metadata::{MetadataRecord, VersionedRecord};
use releases::loader::RecordSeen;

use super::fault::{LoadingFault, RecordFault};
use super::publication::{Manifest, Publication};
use crate::{Alignment, Delta, Dialect, MetadataImage, Provenance};

/// Where the loader stands towards transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionState {
    /// Outside of any.
    None,
    /// The last record began one.
    Started,
    /// Inside one, records seen.
    Continued,
    /// The last transaction record ended one.
    Ended,
    /// The last transaction record aborted one.
    Aborted,
}

impl TransactionState {
    fn is_open(self) -> bool {
        matches!(
            self,
            TransactionState::Started | TransactionState::Continued
        )
    }
}

/// Accumulates batches over the last image that was handed out.
#[derive(Clone, Debug)]
pub struct BatchLoader {
    record_seen_rule: RecordSeen,
    image: MetadataImage,
    accumulated: MetadataImage,
    delta: Delta,
    last_offset: i64,
    last_epoch: i32,
    last_log_time_ms: i64,
    bytes: u64,
    batches: usize,
    transaction: TransactionState,
    has_seen_record: bool,
}

impl BatchLoader {
    /// A loader over the empty image.
    pub fn new(record_seen_rule: RecordSeen) -> Self {
        BatchLoader {
            record_seen_rule,
            image: MetadataImage::empty(),
            accumulated: MetadataImage::empty(),
            delta: Delta::default(),
            last_offset: Provenance::EMPTY.last_contained_offset,
            last_epoch: Provenance::EMPTY.last_contained_epoch,
            last_log_time_ms: Provenance::EMPTY.last_contained_log_time_ms,
            bytes: 0,
            batches: 0,
            transaction: TransactionState::None,
            has_seen_record: false,
        }
    }

    /// Whether a record was seen, as the release counts it: without one, nothing is published.
    pub fn has_seen_record(&self) -> bool {
        self.has_seen_record
    }

    /// Where it stands towards transactions.
    pub fn transaction(&self) -> TransactionState {
        self.transaction
    }

    /// The image that accumulation starts from.
    pub fn image(&self) -> &MetadataImage {
        &self.image
    }

    /// Starts over from an image: whatever was accumulated is forgotten, an open transaction with it.
    pub fn reset_to(&mut self, image: MetadataImage, provenance: &Provenance) {
        self.has_seen_record = match self.record_seen_rule {
            RecordSeen::AnyImageReset => true,
            RecordSeen::ImageNotEmpty => !image.is_empty(),
        };
        self.accumulated = image.clone();
        self.image = image;
        self.delta = Delta::default();
        self.last_offset = provenance.last_contained_offset;
        self.last_epoch = provenance.last_contained_epoch;
        self.last_log_time_ms = provenance.last_contained_log_time_ms;
        self.bytes = 0;
        self.batches = 0;
        self.transaction = TransactionState::None;
    }

    /// Takes in one batch. `publish` gets an image where a transaction begins after other records; `on_fault` decides
    /// whether loading goes on after a record that cannot be taken.
    pub fn load_batch(
        &mut self,
        batch: &Batch,
        records: &[VersionedRecord],
        dialect: &Dialect,
        on_fault: &mut dyn FnMut(LoadingFault) -> Result<(), LoadingFault>,
        publish: &mut dyn FnMut(&BatchLoader, Publication) -> Result<(), LoadingFault>,
    ) -> Result<(), LoadingFault> {
        self.last_log_time_ms = batch.base_timestamp();
        self.last_epoch = batch.leader_epoch();
        for (index, record) in records.iter().enumerate() {
            let offset = batch.base_offset() + index as i64;
            if let Err(reason) = self.replay(record, dialect) {
                on_fault(LoadingFault::LogRecord { offset, reason })?;
            }
            if self.transaction == TransactionState::Started && (index > 0 || self.batches > 0) {
                let alignment = if index == 0 {
                    Alignment::BatchAligned
                } else {
                    Alignment::WithinBatch
                };
                self.hand_out(alignment, publish)?;
                self.transaction = TransactionState::Started;
            }
            self.last_offset = offset;
        }
        self.last_offset = batch.last_offset();
        self.bytes += batch.size() as u64;
        self.batches += 1;
        Ok(())
    }

    /// Hands out what was accumulated, unless a transaction is open. After an abort nothing of it is left.
    pub fn maybe_flush(
        &mut self,
        publish: &mut dyn FnMut(&BatchLoader, Publication) -> Result<(), LoadingFault>,
    ) -> Result<(), LoadingFault> {
        match self.transaction {
            TransactionState::Started | TransactionState::Continued => Ok(()),
            TransactionState::Aborted => {
                self.accumulated = self.image.clone();
                self.delta = Delta::default();
                self.hand_out(Alignment::BatchAligned, publish)
            }
            TransactionState::Ended | TransactionState::None => {
                self.hand_out(Alignment::BatchAligned, publish)
            }
        }
    }

    fn hand_out(
        &mut self,
        alignment: Alignment,
        publish: &mut dyn FnMut(&BatchLoader, Publication) -> Result<(), LoadingFault>,
    ) -> Result<(), LoadingFault> {
        let provenance = Provenance {
            last_contained_offset: self.last_offset,
            last_contained_epoch: self.last_epoch,
            last_contained_log_time_ms: self.last_log_time_ms,
            alignment,
        };
        let image = self.accumulated.clone();
        let publication = Publication {
            image: image.clone(),
            provenance,
            delta: std::mem::take(&mut self.delta),
            manifest: Manifest::LogDelta {
                batches: self.batches,
                bytes: self.bytes,
            },
        };
        publish(self, publication)?;
        self.reset_to(image, &provenance);
        Ok(())
    }

    /// An abort only changes the state: the records of the transaction stay accumulated, and are dropped by a flush
    /// that comes before any other record. A batch behind the abort in the same callback therefore publishes them, on
    /// every release (`MetadataBatchLoader.replay` and `maybeFlushBatches`, 3.9 to 4.4).
    fn replay(&mut self, record: &VersionedRecord, dialect: &Dialect) -> Result<(), RecordFault> {
        match &record.record {
            MetadataRecord::BeginTransaction(_) if self.transaction.is_open() => {
                Err(RecordFault::NestedTransaction)
            }
            MetadataRecord::BeginTransaction(_) => {
                self.transaction = TransactionState::Started;
                Ok(())
            }
            MetadataRecord::EndTransaction(_) => self.close(record, TransactionState::Ended),
            MetadataRecord::AbortTransaction(_) => self.close(record, TransactionState::Aborted),
            _ => {
                self.transaction = match self.transaction {
                    TransactionState::Started => TransactionState::Continued,
                    TransactionState::Ended | TransactionState::Aborted => TransactionState::None,
                    same @ (TransactionState::Continued | TransactionState::None) => same,
                };
                self.has_seen_record = true;
                Ok(self.accumulated.apply(record, dialect, &mut self.delta)?)
            }
        }
    }

    fn close(
        &mut self,
        record: &VersionedRecord,
        state: TransactionState,
    ) -> Result<(), RecordFault> {
        if !self.transaction.is_open() {
            return Err(RecordFault::NoOpenTransaction(record.record.name()));
        }
        self.transaction = state;
        Ok(())
    }
}
