//! What the files of a controller's directories hold, and where they are damaged.
//!
//! In reading order: [`source`] (a directory, an archive or a single file, as far as it is whole), [`file_report`] (what one file holds), [`mod@read`] (how it is read) and [`batches`] (files of record batches), [`text`] and [`mod@document`] (how
//! it is shown), [`diff`] (two of them side by side).

pub mod batches;
pub mod diff;
pub mod document;
pub mod file_report;
pub mod in_use;
pub mod read;
mod same_records;
pub mod source;
pub mod text;

use disk::tree::Budget;
use raft_log::FileKind;

use crate::Diagnosis;

pub use document::Document;
pub use file_report::FileReport;
pub use source::Source;

/// What a source holds, file by file.
#[derive(Clone, Debug)]
pub struct InspectReport {
    /// Where it was read from.
    pub source: Source,
    /// The files in path order.
    pub files: Vec<FileReport>,
}

impl InspectReport {
    /// Whether everything that stands there was read.
    pub fn is_whole(&self) -> bool {
        self.source.not_read.is_empty()
    }

    /// Files that are damaged.
    pub fn damaged(&self) -> usize {
        let damaged = self.files.iter().filter(|file| !file.damage.is_empty());
        damaged.count()
    }
}

/// Reads a directory, an archive or a file. Nothing is ever written.
pub fn inspect(path: &str, budget: &mut Budget) -> Result<InspectReport, Diagnosis> {
    let source = source::open(path, budget)?;
    let files: Vec<FileReport> = source.files.iter().map(read::read).collect();
    let nothing = files.iter().all(|file| file.kind == FileKind::Unknown);
    if nothing && !source.not_read.is_empty() {
        return Err(Diagnosis::new("none of it could be read")
            .at(path)
            .found_each(&source.not_read));
    }
    if nothing {
        return Err(Diagnosis::new("nothing in it is a file of a Kafka controller")
            .at(path)
            .expected(
                "a log directory, a __cluster_metadata-0 directory, a file of one, or a .tar, .tar.gz or .tar.xz of \
                 directories",
            ));
    }
    Ok(InspectReport { source, files })
}
