//! Agreement with what real Kafka did, cell by cell.
//!
//! A cell is a folder with `spec.json` (what was done), `result.json` (what real Kafka made of it) and `input.tar.gz`
//! (the directories before every phase); `tests/golden/README.md` says what must be the same and what is free. A cell
//! with server phases is rehearsed phase by phase on the cell's own input; one that only formats is formatted again.
//!
//! Reading order: `cell` (a cell on disk, unpacked), `kraftsim` (how kraftsim is asked), `rehearsed` and
//! `formatted` (the two kinds of cells), `batches` and `same` (comparing), `placeholder` (what stands for ids
//! and ports), `table` (the verdicts as a page).

mod batches;
mod cell;
mod formatted;
mod kraftsim;
mod placeholder;
mod rehearsed;
mod same;
mod table;

pub use cell::{Cell, UnpackedCell, cells_in, files_below, node_folders, point_at};
pub use kraftsim::{Kraftsim, Place};
pub use placeholder::Known;
pub use rehearsed::{bootstrap_records, source_kind};
pub use table::{Differences, page};

/// What became of one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same as real Kafka in everything that is held fast.
    Agree,
    /// The first difference.
    Differ(String),
    /// Why the cell is not judged.
    Skip(String),
}

impl Verdict {
    /// `agree`, `differ`, `skip`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Agree => "agree",
            Verdict::Differ(_) => "differ",
            Verdict::Skip(_) => "skip",
        }
    }
}

/// Judges one cell.
pub fn judge(kraftsim: &Kraftsim, cell: &Cell) -> Verdict {
    let judged = cell
        .unpack()
        .map_err(|error| Verdict::Differ(error.to_string()))
        .and_then(|cell| {
            if cell.outcome.phases.is_empty() {
                formatted::judge(kraftsim, &cell)
            } else {
                rehearsed::judge(kraftsim, &cell)
            }
        });
    match judged {
        Ok(()) => Verdict::Agree,
        Err(verdict) => verdict,
    }
}

/// Shorthand for the steps of a judgement: what ends it early is a verdict.
type Judged<T> = Result<T, Verdict>;

fn differ<T>(what: impl Into<String>) -> Judged<T> {
    Err(Verdict::Differ(what.into()))
}
