//! All cells of the matrix.

use rayon::prelude::*;
use releases::Release;
use simulator::run::action::QuorumKind;

use super::cell::{Cell, CellOutcome};
use super::prepared::{DirectoryState, Prepared};

/// Formatter × server, and state × server, each for both kinds of quorum.
pub(super) struct Matrix {
    pub(super) formatters: Vec<Cell<Release>>,
    pub(super) states: Vec<Cell<DirectoryState>>,
}

impl Matrix {
    /// Formats and starts everything, in parallel.
    pub(super) fn compute() -> Self {
        let formatted: Vec<(Release, QuorumKind)> = pairs(&Release::ALL);
        let formatted: Vec<(Release, QuorumKind, Prepared)> = formatted
            .into_par_iter()
            .map(|(formatter, quorum)| (formatter, quorum, Prepared::formatted(formatter, quorum)))
            .collect();
        let starts: Vec<_> = formatted
            .iter()
            .flat_map(|row| Release::ALL.map(|server| (row, server)))
            .collect();
        let formatters = starts
            .into_par_iter()
            .map(|((formatter, quorum, prepared), server)| Cell {
                row: *formatter,
                quorum: *quorum,
                server,
                outcome: CellOutcome::of(prepared, server),
            })
            .collect();
        let starts: Vec<_> = pairs(&DirectoryState::ALL)
            .into_iter()
            .flat_map(|row| Release::ALL.map(|server| (row, server)))
            .collect();
        let states = starts
            .into_par_iter()
            .map(|((state, quorum), server)| {
                let prepared = Prepared::in_state(state, server, quorum);
                Cell {
                    row: state,
                    quorum,
                    server,
                    outcome: CellOutcome::of(&prepared, server),
                }
            })
            .collect();
        Matrix { formatters, states }
    }
}

fn pairs<T: Copy>(rows: &[T]) -> Vec<(T, QuorumKind)> {
    QuorumKind::ALL
        .iter()
        .flat_map(|quorum| rows.iter().map(|row| (*row, *quorum)))
        .collect()
}
