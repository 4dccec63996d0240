//! One file of a source, read: files of batches by [`batches`], the others here.

use bytes::Bytes;
use config::meta_properties::MetaProperties;
use config::properties::Properties;
use disk::path::file_name;
use raft_log::leader_epochs;
use raft_log::partition_metadata::PartitionMetadata;
use raft_log::quorum_state::QuorumStateFile;
use raft_log::{Corrupt, FileKind};

use super::batches;
use super::file_report::{Content, FileReport};
use super::source::SourceFile;

/// Reads a file of a source.
pub fn read(file: &SourceFile) -> FileReport {
    let mut report = FileReport {
        path: file.path.clone(),
        kind: file.kind,
        size: file
            .content
            .as_ref()
            .map_or(file.size, |content| content.len() as u64),
        bytes: file.content.clone(),
        content: Content::None,
        damage: Vec::new(),
        notes: file.change.iter().cloned().collect(),
    };
    if let Some(content) = &file.content {
        fill(&mut report, content);
    }
    match file_name(&report.path).rsplit('.').next() {
        Some("deleted") => {
            let note = "waits to be removed; the next start removes it";
            report.notes.push(note.to_owned());
        }
        Some("part" | "tmp") => {
            report
                .notes
                .push("left by a write that was not finished".to_owned());
        }
        _ => {}
    }
    report
}

fn fill(report: &mut FileReport, content: &Bytes) {
    let path = report.path.clone();
    let read = match report.kind {
        FileKind::Segment => return batches::segment(report, content),
        FileKind::Checkpoint => return batches::checkpoint(report, content),
        FileKind::Legacy => return batches::legacy(report, content),
        FileKind::Producers => return producers(report, content),
        FileKind::Index => return index(report, content),
        FileKind::Unknown | FileKind::Lock => return,
        FileKind::QuorumState => QuorumStateFile::parse(&path, content).map(Content::QuorumState),
        FileKind::LeaderEpochs => leader_epochs::parse(&path, content).map(Content::Epochs),
        FileKind::PartitionMetadata => {
            PartitionMetadata::parse(&path, content).map(Content::PartitionMetadata)
        }
        FileKind::MetaProperties => {
            MetaProperties::parse(&path, content).map(Content::MetaProperties)
        }
        FileKind::Properties => Properties::parse(&path, content).map(Content::Properties),
        FileKind::Text => text(&path, content),
    };
    match read {
        Ok(content) => report.content = content,
        Err(damage) => {
            report.damage.push(damage);
            report
                .notes
                .push("a server does not start with this file".to_owned());
        }
    }
}

fn text(path: &str, content: &Bytes) -> Result<Content, Corrupt> {
    match std::str::from_utf8(content) {
        Ok(text) => Ok(Content::Text(text.to_owned())),
        Err(error) => {
            let at = error.valid_up_to();
            let found = format!("byte {:#04x}", content[at]);
            Err(Corrupt::invalid(path, at as u64, "UTF-8 text", found))
        }
    }
}

/// Version 1, CRC-32C of what follows, number of producers; Kafka makes a missing or damaged one anew.
fn producers(report: &mut FileReport, content: &Bytes) {
    const HEADER: usize = 10;
    let path = &report.path;
    let field = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|byte| content[at + byte]));
    let damage = if content.len() < HEADER {
        let found = format!("the end of the file after {} bytes", content.len());
        Corrupt::torn(
            path,
            content.len() as u64,
            "version, checksum and number of producers",
            found,
        )
    } else if content[..2] != [0, 1] {
        Corrupt::invalid(path, 0, "version 1", format!("{:02x?}", &content[..2]))
    } else if field(2) != crc32c::crc32c(&content[6..]) {
        let expected = format!("CRC-32C {:08x}", crc32c::crc32c(&content[6..]));
        Corrupt::invalid(path, 2, expected, format!("{:08x}", field(2)))
    } else {
        return report.notes.push(format!("{} producers", field(6)));
    };
    report.damage.push(damage);
    report.notes.push("the next start makes it anew".to_owned());
}

/// Relative offset and position, or timestamp and relative offset; unused entries are zeros.
fn index(report: &mut FileReport, content: &Bytes) {
    let entry = if report.path.contains(".timeindex") {
        12
    } else {
        8
    };
    let used = content
        .chunks(entry)
        .filter(|entry| entry.iter().any(|byte| *byte != 0))
        .count();
    report.notes.push(format!(
        "{used} entries in use; the next start makes it anew"
    ));
}
