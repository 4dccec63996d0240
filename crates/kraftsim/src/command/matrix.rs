//! Who formatted, who serves, what gets activated.

mod cell;
mod prepared;
mod table;

use clap::Args;
use rayon::prelude::*;
use releases::Release;
use serde_json::{Value, json};
use simulator::run::action::QuorumKind;

use self::cell::{Cell, CellOutcome};
use self::prepared::{DirectoryState, Prepared};
use crate::output_args::{OutputArgs, OutputForm};
use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim matrix`.
#[derive(Clone, Debug, Args)]
pub struct MatrixArgs {
    /// Print comma separated values instead of text
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// How it is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Formatter × server, and state × server, each for both kinds of quorum.
struct Matrix {
    formatters: Vec<Cell<Release>>,
    states: Vec<Cell<DirectoryState>>,
}

/// Runs the command.
pub fn run(args: &MatrixArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let matrix = Matrix::compute();
    match args.output.form() {
        _ if args.csv => console.out.write_all(table::csv(&matrix).as_bytes())?,
        OutputForm::Json => crate::json::print(console, &document(&matrix))?,
        OutputForm::Text => table::print(console, &matrix)?,
    }
    Ok(Exit::Held)
}

impl Matrix {
    fn compute() -> Self {
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

fn document(matrix: &Matrix) -> Value {
    json!({
        "formatters": matrix.formatters.iter().map(|cell| {
            with_outcome(json!({ "formatter": cell.row.name() }), cell.quorum, cell.server, &cell.outcome)
        }).collect::<Vec<_>>(),
        "states": matrix.states.iter().map(|cell| {
            let row = json!({ "state": cell.row.number(), "files": cell.row.files() });
            with_outcome(row, cell.quorum, cell.server, &cell.outcome)
        }).collect::<Vec<_>>(),
    })
}

fn with_outcome(
    mut row: Value,
    quorum: QuorumKind,
    server: Release,
    outcome: &CellOutcome,
) -> Value {
    row["quorum"] = quorum.name().into();
    row["server"] = server.name().into();
    row["outcome"] = outcome.verdict.name().into();
    row["bootstrap_source"] = outcome.source_name().into();
    row["bootstrap_records"] = outcome.records.into();
    row["write"] = outcome.write.map(cell::Write::name).into();
    row["metadata_version"] = outcome.metadata_version.into();
    row["refusal"] = outcome.refusal.clone().into();
    row
}
