//! Files of record batches: segments, checkpoints, the legacy file.

use bytes::Bytes;
use disk::path::file_name;
use raft_log::batch::{Checksum, RecordRules, read_batches, read_batches_with};
use raft_log::checkpoint::{Checkpoint, SnapshotState, parse_name, snapshot_file_name};
use raft_log::log::offset_in_name;
use raft_log::{Corrupt, Damage};
use records::OffsetAndEpoch;
use records::control::ControlRecord;
use records::metadata::{MetadataRecord, VersionedRecord};

use super::file_report::{BatchAt, Content, FileReport};

/// Every batch whose frame can be followed, with each damage on the way; a batch with a wrong checksum is shown, and
/// what follows it too.
fn scan(path: &str, content: &Bytes) -> (Vec<BatchAt>, Vec<Corrupt>) {
    let (mut found, mut damage) = (Vec::new(), Vec::new());
    let mut position = 0;
    loop {
        let mut reader = read_batches(path, content, position);
        for next in reader.by_ref() {
            match next {
                Ok(batch) => {
                    let at = position;
                    position += batch.size() as u64;
                    found.push(BatchAt {
                        position: at,
                        batch,
                        checksum_holds: true,
                    });
                }
                Err(error) => damage.push(error),
            }
        }
        if position == content.len() as u64 || damage.last().is_none() {
            return (found, damage);
        }
        // The frame of a batch with a wrong checksum may still lead to the next one.
        match read_batches_with(path, content, position, Checksum::Ignore).next() {
            Some(Ok(batch)) => {
                let at = position;
                position += batch.size() as u64;
                found.push(BatchAt {
                    position: at,
                    batch,
                    checksum_holds: false,
                });
            }
            _ => return (found, damage),
        }
    }
}

/// Records that cannot be read although the checksum of their batch holds, or is not asked for.
fn unreadable_records(path: &str, batches: &[BatchAt], rules: RecordRules) -> Vec<Corrupt> {
    let mut damage = Vec::new();
    for BatchAt {
        position,
        batch,
        checksum_holds,
    } in batches
    {
        if !checksum_holds && rules == RecordRules::Raft {
            continue;
        }
        let problem = if batch.is_control() {
            batch.control_records().map(drop)
        } else {
            batch.data_records().map(drop)
        };
        damage.extend(problem.err().map(|error| error.in_file(path, *position)));
    }
    damage
}

/// A segment: what the next start would cut off, and offsets and epochs that do not go on.
pub fn segment(report: &mut FileReport, content: &Bytes) {
    let path = report.path.clone();
    let (batches, damage) = scan(&path, content);
    if let Some(first) = damage.first() {
        let valid = valid_bytes(&batches);
        let lost = content.len() as u64 - valid;
        let how = match first.damage {
            Damage::Torn => "ends inside a batch",
            Damage::Invalid => "holds a batch that is wrong",
        };
        report.notes.push(format!(
            "{how}: the next start keeps the first {valid} bytes, and cuts off {lost} with all later segments"
        ));
    }
    report.damage.extend(damage);
    report
        .damage
        .extend(unreadable_records(&path, &batches, RecordRules::Raft));
    let base = offset_in_name(file_name(&path));
    if base.is_none() {
        report
            .notes
            .push("its name does not begin with an offset".to_owned());
    }
    let mut next = base.unwrap_or(0);
    let mut epoch = -1;
    for BatchAt {
        position, batch, ..
    } in &batches
    {
        if batch.base_offset() != next && (base.is_some() || *position > 0) {
            let found = format!("offset {}", batch.base_offset());
            let expected = format!("a batch from offset {next} on");
            report
                .damage
                .push(Corrupt::invalid(&path, *position, expected, found));
        }
        if batch.leader_epoch() < epoch {
            let expected = format!("epoch {epoch} or later");
            let found = format!("epoch {}", batch.leader_epoch());
            report
                .damage
                .push(Corrupt::invalid(&path, position + 12, expected, found));
        }
        (next, epoch) = (batch.next_offset(), batch.leader_epoch());
    }
    report.damage.sort_by_key(|damage| damage.position);
    report.content = Content::Batches(batches);
}

/// Bytes in front of the first damage.
fn valid_bytes(batches: &[BatchAt]) -> u64 {
    let valid = batches.iter().take_while(|batch| batch.checksum_holds);
    valid
        .last()
        .map_or(0, |last| last.position + last.batch.size() as u64)
}

/// A checkpoint: whether a server can load it, and whether header and footer are where they belong.
pub fn checkpoint(report: &mut FileReport, content: &Bytes) {
    let path = report.path.clone();
    let (batches, damage) = scan(&path, content);
    let name = parse_name(file_name(&path));
    if let Err(error) = &name {
        report
            .notes
            .push(format!("a server does not start beside this name: {error}"));
    }
    let partial = matches!(&name, Ok(Some(name)) if name.state == SnapshotState::Partial);
    let id = match &name {
        Ok(Some(name)) => name.id,
        _ => OffsetAndEpoch::default(),
    };
    let opened = snapshot_file_name(id);
    if matches!(&name, Ok(Some(name)) if name.state == SnapshotState::Frozen)
        && file_name(&path) != opened
    {
        report.notes.push(format!(
            "a server reads this name as that of {opened} and opens that file, with which it may not start: take this file away"
        ));
    }
    let loads = load(&Checkpoint::new(&path, id, content.clone()));
    match loads {
        Err(error) if !partial => {
            report
                .notes
                .push(format!("a server that loads it ends: {error}"));
            if !damage.iter().any(|known| known.position == error.position) {
                report.damage.push(error);
            }
        }
        Ok(Some(end)) if !partial => {
            report
                .notes
                .push(format!("a server takes byte {end} for its end"));
        }
        _ => {}
    }
    report.damage.extend(damage);
    let has_footer = batches.last().is_some_and(|last| {
        let control = last
            .batch
            .is_control()
            .then(|| last.batch.control_records().ok())
            .flatten();
        let footer = control.and_then(|records| records.into_iter().last());
        matches!(footer, Some(ControlRecord::SnapshotFooter(_)))
    });
    if !has_footer && !partial {
        report
            .notes
            .push("it has no footer, which no server demands".to_owned());
    }
    report.damage.sort_by_key(|damage| damage.position);
    report.content = Content::Batches(batches);
}

/// Reads it all, as a server does: `Some` position where a cut batch is taken for the end.
fn load(checkpoint: &Checkpoint) -> Result<Option<u64>, Corrupt> {
    let mut batches = checkpoint.batches();
    for next in batches.by_ref() {
        let (position, batch) = next?;
        let read = if batch.is_control() {
            batch.control_records().map(drop)
        } else {
            batch.data_records().map(drop)
        };
        read.map_err(|error| error.in_file(checkpoint.name(), position))?;
    }
    Ok(batches.torn().map(|_| batches.position()))
}

/// The legacy file, whose checksums nobody compares.
pub fn legacy(report: &mut FileReport, content: &Bytes) {
    let path = report.path.clone();
    let (batches, damage) = scan(&path, content);
    let read = raft_log::legacy::LegacyFile::parse(&path, content);
    match read {
        Err(error) => {
            report
                .notes
                .push(format!("a server that reads it ends: {error}"));
            if !damage.iter().any(|known| known.position == error.position) {
                report.damage.push(error);
            }
        }
        Ok(file) => {
            if file.torn.is_some() {
                let end = batches
                    .last()
                    .map_or(0, |b| b.position + b.batch.size() as u64);
                report
                    .notes
                    .push(format!("a server takes byte {end} for its end"));
            }
            if batches.iter().any(|batch| !batch.checksum_holds) {
                report
                    .notes
                    .push("a server does not compare the checksums of this file".to_owned());
            }
            let is_version = |record: &VersionedRecord| matches!(&record.record, MetadataRecord::FeatureLevel(feature) if feature.name == "metadata.version");
            if !file.records().any(is_version) {
                let note = "it holds no metadata.version, so a server that reads it ends";
                report.notes.push(note.to_owned());
            }
        }
    }
    report.damage.extend(damage);
    report.damage.sort_by_key(|damage| damage.position);
    report.content = Content::Batches(batches);
}
