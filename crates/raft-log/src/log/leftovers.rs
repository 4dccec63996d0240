//! What an interrupted deletion, cleaning or split left behind, as Kafka's log loader brings it into order
//! (4.4:storage/…/LogLoader.java, `load`).

use bytes::Bytes;
use disk::{Disk, DiskError};

use super::deletion::DELETED_SUFFIX;
use super::segment::{is_segment_file, offset_in_name, segment_file_name};
use super::{MetadataLog, OpenError, RecoveryStep};

const CLEANED_SUFFIX: &str = ".cleaned";
const SWAP_SUFFIX: &str = ".swap";
const INDEX_SUFFIXES: [&str; 3] = [".index", ".timeindex", ".txnindex"];

/// Bytes before the length of a batch, and up to its magic.
const LENGTH_AT: usize = 8;
const HEADER_UP_TO_MAGIC: usize = 17;
/// No batch is shorter behind its length (`LegacyRecord.RECORD_OVERHEAD_V0`).
const MIN_BATCH_LENGTH: i32 = 14;
const LAST_OFFSET_DELTA_AT: usize = 23;

impl MetadataLog {
    /// Segments that waited to be removed go, and so do indexes whose segment is gone. A swap that was interrupted is
    /// completed: what it replaces goes, and the `.swap` files take their names. Checkpoints have their turn later.
    pub(super) fn settle_leftovers(&mut self, disk: &mut dyn Disk) -> Result<(), OpenError> {
        let swaps = self.remove_temporary_files(disk)?;
        self.complete_swaps(disk, &swaps)?;
        let names = self.file_names(disk)?;
        for name in &names {
            if INDEX_SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) {
                let offset = named_offset(name)?;
                if !names.contains(&segment_file_name(offset)) {
                    self.remove(disk, name)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the swap files that count: one at or behind a `.cleaned` file belongs to a split that did not finish.
    fn remove_temporary_files(&mut self, disk: &mut dyn Disk) -> Result<Vec<String>, OpenError> {
        let names = self.file_names(disk)?;
        let ending = |suffix| names.iter().filter(move |name| name.ends_with(suffix));
        for name in ending(DELETED_SUFFIX).filter(|name| !name.ends_with(".checkpoint.deleted")) {
            self.remove(disk, name)?;
        }
        let mut first_cleaned = i64::MAX;
        for name in ending(CLEANED_SUFFIX) {
            first_cleaned = first_cleaned.min(named_offset(name)?);
        }
        let mut swaps = Vec::new();
        for name in ending(SWAP_SUFFIX) {
            if named_offset(name)? >= first_cleaned {
                self.remove(disk, name)?;
            } else {
                swaps.push(name.clone());
            }
        }
        for name in ending(CLEANED_SUFFIX) {
            self.remove(disk, name)?;
        }
        Ok(swaps)
    }

    fn complete_swaps(&mut self, disk: &mut dyn Disk, swaps: &[String]) -> Result<(), OpenError> {
        let (mut from, mut to) = (i64::MAX, i64::MIN);
        for name in swaps {
            let target = name.strip_suffix(SWAP_SUFFIX).unwrap_or(name);
            if !is_segment_file(target) {
                continue;
            }
            let base = named_offset(name)?;
            let content = disk.read(&self.path(name))?;
            from = from.min(base);
            to = to.max(next_offset(&content, base).ok_or_else(|| self.damaged(name))?);
        }
        for name in self.file_names(disk)? {
            let offset = offset_in_name(&name).filter(|_| name.contains('.'));
            let is_replaced = offset.is_some_and(|offset| (from..to).contains(&offset));
            if is_replaced && !name.ends_with(SWAP_SUFFIX) {
                self.remove(disk, &name)?;
            }
        }
        for name in swaps {
            let target = name.strip_suffix(SWAP_SUFFIX).unwrap_or(name);
            disk.rename(&self.path(name), &self.path(target))?;
            self.recovery.push(RecoveryStep::CompletedSwap {
                name: target.to_owned(),
            });
        }
        Ok(())
    }

    fn damaged(&self, name: &str) -> OpenError {
        let expected = format!("a batch of at least {MIN_BATCH_LENGTH} bytes behind its length");
        crate::Corrupt::invalid(&self.path(name), 0, expected, "a shorter one".to_owned()).into()
    }

    fn remove(&mut self, disk: &mut dyn Disk, name: &str) -> Result<(), DiskError> {
        disk.remove(&self.path(name))?;
        self.recovery.push(RecoveryStep::RemovedFile {
            name: name.to_owned(),
        });
        Ok(())
    }
}

fn named_offset(name: &str) -> Result<i64, OpenError> {
    offset_in_name(name).ok_or_else(|| OpenError::SegmentName {
        name: name.to_owned(),
    })
}

/// Where a segment ends by the headers of its batches, which are not checked: `base` where there is no whole batch, and
/// `None` at a length that no batch has.
fn next_offset(content: &Bytes, base: i64) -> Option<i64> {
    let mut next = base;
    let mut rest: &[u8] = content;
    while rest.len() > HEADER_UP_TO_MAGIC {
        let word = |at: usize| rest.get(at..at + 4).and_then(|word| word.try_into().ok());
        let length = i32::from_be_bytes(word(LENGTH_AT)?);
        if length < MIN_BATCH_LENGTH {
            return None;
        }
        let end = LENGTH_AT + 4 + length.unsigned_abs() as usize;
        if end > rest.len() {
            break;
        }
        let first = i64::from_be_bytes(rest[..8].try_into().ok()?);
        let delta = word(LAST_OFFSET_DELTA_AT).map_or(0, i32::from_be_bytes);
        next = first.wrapping_add(i64::from(delta)).wrapping_add(1);
        rest = &rest[end..];
    }
    Some(next)
}
