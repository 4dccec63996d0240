//! `bootstrap.checkpoint`: the bootstrap records as formatting wrote them up to 4.3, read from its log directory by every
//! release.

use bytes::Bytes;
use disk::{Disk, DiskError, path};
use records::EncodeError;
use records::control::{ControlRecord, SnapshotFooterRecord, SnapshotHeaderRecord};
use records::metadata::VersionedRecord;

use crate::batch::{
    Batch, BatchBuilder, Checksum, MAX_BATCH_SIZE_BYTES, RecordRules, read_batches_with,
};
use crate::file::remove_if_exists;
use crate::{Corrupt, Damage};

/// Name of the file in a log directory.
pub const FILE_NAME: &str = "bootstrap.checkpoint";

/// One batch of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LegacyBatch {
    /// Raft's own records: header and footer.
    Control(Vec<ControlRecord>),
    Data(Vec<VersionedRecord>),
}

/// What the file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyFile {
    /// The batches in order.
    pub batches: Vec<LegacyBatch>,
    /// Where and how the file is cut short; Kafka takes that for its end.
    pub torn: Option<Corrupt>,
}

impl LegacyFile {
    /// Reads the file as Kafka's `BatchFileReader` does: neither header nor footer is demanded, checksums are not
    /// compared, a batch that the file cuts short is taken for the end.
    pub fn parse(file: &str, bytes: &Bytes) -> Result<LegacyFile, Corrupt> {
        let mut read = LegacyFile {
            batches: Vec::new(),
            torn: None,
        };
        let mut reader = read_batches_with(file, bytes, 0, Checksum::Ignore);
        loop {
            let position = reader.position();
            match reader.next() {
                None => return Ok(read),
                Some(Err(error)) if error.damage == Damage::Torn => {
                    read.torn = Some(error);
                    return Ok(read);
                }
                Some(batch) => read.batches.push(records_of(file, position, &batch?)?),
            }
        }
    }

    /// The bootstrap records in order.
    pub fn records(&self) -> impl Iterator<Item = &VersionedRecord> {
        let data = self.batches.iter().filter_map(|batch| match batch {
            LegacyBatch::Data(records) => Some(records),
            LegacyBatch::Control(_) => None,
        });
        data.flatten()
    }

    /// The control records in order. Which types are allowed differs by release: 4.4 reads all, those before only leader
    /// change, header and footer.
    pub fn control_records(&self) -> impl Iterator<Item = &ControlRecord> {
        let control = self.batches.iter().filter_map(|batch| match batch {
            LegacyBatch::Control(records) => Some(records),
            LegacyBatch::Data(_) => None,
        });
        control.flatten()
    }
}

fn records_of(file: &str, position: u64, batch: &Batch) -> Result<LegacyBatch, Corrupt> {
    let views = batch.records_with(RecordRules::Plain);
    let read = if batch.is_control() {
        views
            .map(|view| view?.control(batch))
            .collect::<Result<_, _>>()
            .map(LegacyBatch::Control)
    } else {
        views
            .map(|view| view?.value_as_data(batch))
            .collect::<Result<_, _>>()
            .map(LegacyBatch::Data)
    };
    read.map_err(|error| error.in_file(file, position))
}

/// The file's content for these records. `clock` is read once for each batch, as it begins.
///
/// Header with timestamp 0, the records, footer; epoch 0, and no word of quorums (4.3:metadata/…/BatchFileWriter.java).
pub fn to_bytes(
    records: &[VersionedRecord],
    mut clock: impl FnMut() -> i64,
) -> Result<Bytes, EncodeError> {
    let mut batches = Vec::new();
    push_control(
        &mut batches,
        &SnapshotHeaderRecord::default().into(),
        0,
        clock(),
    )?;
    let mut next_offset = 1;
    let mut open: Option<BatchBuilder> = None;
    for record in records {
        let mut value = Vec::new();
        record.encode(&mut value)?;
        let full = |builder: &BatchBuilder| {
            let size = builder.size() + BatchBuilder::record_size(builder.count(), value.len());
            size > MAX_BATCH_SIZE_BYTES
        };
        if open.as_ref().is_some_and(full) {
            batches.extend(open.take().map(BatchBuilder::finish));
        }
        let builder = open.get_or_insert_with(|| BatchBuilder::data(next_offset, 0, clock()));
        builder.append_value(&value);
        next_offset = builder.next_offset();
    }
    batches.extend(open.map(BatchBuilder::finish));
    push_control(
        &mut batches,
        &SnapshotFooterRecord::default().into(),
        next_offset,
        clock(),
    )?;
    let bytes: Vec<&[u8]> = batches.iter().map(|batch| &batch.bytes()[..]).collect();
    Ok(Bytes::from(bytes.concat()))
}

fn push_control(
    batches: &mut Vec<Batch>,
    record: &ControlRecord,
    offset: i64,
    now_ms: i64,
) -> Result<(), EncodeError> {
    let mut builder = BatchBuilder::control(offset, 0, now_ms);
    builder.append_control(record)?;
    batches.push(builder.finish());
    Ok(())
}

/// Puts the file into a log directory in Kafka's order of operations: written as `.tmp`, renamed. It is not made
/// durable.
pub fn write(disk: &mut dyn Disk, dir: &str, content: &Bytes) -> Result<(), DiskError> {
    let target = path::join(dir, FILE_NAME);
    let temporary = format!("{target}.tmp");
    remove_if_exists(disk, &temporary)?;
    disk.create(&temporary)?;
    disk.append(&temporary, content)?;
    match disk.rename(&temporary, &target) {
        Err(error @ DiskError::Failed { .. }) => {
            remove_if_exists(disk, &temporary)?;
            Err(error)
        }
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use disk::MemDisk;
    use records::metadata::FeatureLevelRecord;

    fn feature(level: i16) -> VersionedRecord {
        let name = "metadata.version".to_owned();
        VersionedRecord::new(
            0,
            FeatureLevelRecord {
                name,
                feature_level: level,
                ..Default::default()
            },
        )
    }

    fn written() -> Bytes {
        let mut now = 0;
        let clock = || {
            now += 1;
            now
        };
        to_bytes(&[feature(21)], clock).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = written();
        assert_eq!(bytes.len(), 249);
        let file = LegacyFile::parse("bootstrap.checkpoint", &bytes).unwrap();
        assert_eq!(file.records().collect::<Vec<_>>(), [&feature(21)]);
        assert_eq!(file.control_records().count(), 2);
        assert_eq!(file.torn, None);
    }

    #[test]
    fn a_flipped_level_is_taken_at_its_word() {
        let mut bytes = written().to_vec();
        let at = bytes.windows(2).position(|pair| pair == [0, 21]).unwrap();
        bytes[at] = 0xff;
        let file = LegacyFile::parse("f", &Bytes::from(bytes)).unwrap();
        assert_eq!(file.records().collect::<Vec<_>>(), [&feature(-235)]);
    }

    #[test]
    fn an_empty_or_cut_file_holds_what_is_whole() {
        let whole = written();
        for (cut, batches) in [(0, 0), (10, 0), (83, 1), (100, 1), (174, 2), (200, 2)] {
            let file = LegacyFile::parse("f", &whole.slice(..cut)).unwrap();
            assert_eq!(file.batches.len(), batches);
            assert_eq!(file.torn.is_some(), ![0, 83, 174].contains(&cut));
        }
    }

    #[test]
    fn it_replaces_the_one_that_stands_there() {
        let mut disk = MemDisk::new();
        disk.create("bootstrap.checkpoint").unwrap();
        disk.create("bootstrap.checkpoint.tmp").unwrap();
        write(&mut disk, "", &written()).unwrap();
        assert_eq!(disk.read("bootstrap.checkpoint").unwrap(), written());
        assert_eq!(disk.list("").unwrap().len(), 1);
    }
}
