//! The matrix in the terminal, and as comma separated values.

use std::fmt::Write as _;
use std::io;

use comfy_table::{Cell as TableCell, CellAlignment, Color, Table, presets};
use releases::Release;
use simulator::rehearse::PhaseVerdict;
use simulator::run::action::QuorumKind;

use super::cell::{Cell, CellOutcome};
use super::cells::Matrix;
use super::prepared::DirectoryState;
use crate::console::Tone;
use crate::{Console, Style};

const LEGEND: &str = "\
L  from the legacy file, bootstrap.checkpoint     -  active, and no bootstrap records are written
Z  from the zero checkpoint                       x  the process ends
D  from no file: the release's default            o  nobody becomes active
C  from no file: what 3.9's configuration implies
The number counts the bootstrap records; t: in a metadata transaction, else in one atomic batch.
--json and --csv have the metadata.version that is activated, and why a process ends.
";

/// Prints both tables and the legend.
pub fn print(console: &mut Console, matrix: &Matrix) -> io::Result<()> {
    let columns = "(columns: the release of the server)";
    for quorum in QuorumKind::ALL {
        let title = format!("Formatted by, {} quorum", quorum.name());
        writeln!(
            console.out,
            "{} {columns}",
            console.paint(Tone::Strong, &title)
        )?;
        let rows = Release::ALL.map(|row| (row.name().to_owned(), row));
        table(console, &rows, quorum, &matrix.formatters)?;
    }
    for quorum in QuorumKind::ALL {
        let title = format!("State of KIP-1170, {} quorum", quorum.name());
        writeln!(
            console.out,
            "{} {columns}",
            console.paint(Tone::Strong, &title)
        )?;
        let rows = DirectoryState::ALL.map(|row| (format!("state {}", row.number()), row));
        table(console, &rows, quorum, &matrix.states)?;
    }
    for state in DirectoryState::ALL {
        writeln!(console.out, "state {}: {}", state.number(), state.files())?;
    }
    write!(console.out, "\n{LEGEND}")
}

fn table<T: PartialEq>(
    console: &mut Console,
    rows: &[(String, T)],
    quorum: QuorumKind,
    cells: &[Cell<T>],
) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    match console.style {
        Style::Plain => table.force_no_tty(),
        Style::Colour => table.enforce_styling(),
    };
    table.set_header(std::iter::once("").chain(Release::ALL.iter().map(|server| server.name())));
    for (name, row) in rows {
        let of_row = cells
            .iter()
            .filter(|cell| cell.quorum == quorum && cell.row == *row);
        let codes = of_row.map(|cell| coloured(&cell.outcome));
        table.add_row(std::iter::once(TableCell::new(name)).chain(codes));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    if let Some(first) = table.column_mut(0) {
        first.set_padding((2, 2));
        first.set_cell_alignment(CellAlignment::Left);
    }
    writeln!(console.out, "{}\n", table.trim_fmt())
}

fn coloured(outcome: &CellOutcome) -> TableCell {
    let colour = match outcome.verdict {
        PhaseVerdict::Active => Color::Green,
        PhaseVerdict::NoLeader => Color::Yellow,
        PhaseVerdict::Exited => Color::Red,
    };
    TableCell::new(outcome.code()).fg(colour)
}

/// Both tables below each other, one line a cell.
pub fn csv(matrix: &Matrix) -> String {
    let mut text = String::from(
        "table,row,quorum,server,outcome,bootstrap_source,bootstrap_records,write,metadata_version,refusal\n",
    );
    for cell in &matrix.formatters {
        line(
            &mut text,
            ["formatter", cell.row.name()],
            cell.quorum,
            cell.server,
            &cell.outcome,
        );
    }
    for cell in &matrix.states {
        let number = cell.row.number().to_string();
        line(
            &mut text,
            ["state", &number],
            cell.quorum,
            cell.server,
            &cell.outcome,
        );
    }
    text
}

fn line(
    text: &mut String,
    row: [&str; 2],
    quorum: QuorumKind,
    server: Release,
    outcome: &CellOutcome,
) {
    let fields = [
        row[0],
        row[1],
        quorum.name(),
        server.name(),
        outcome.verdict.name(),
        outcome.source_name(),
        &outcome.records.to_string(),
        outcome.write.map_or("", super::cell::Write::name),
        outcome.metadata_version.unwrap_or(""),
        &quoted(outcome.refusal.as_deref().unwrap_or("")),
    ];
    writeln!(text, "{}", fields.join(",")).expect("text takes any writing");
}

/// A field with quotes around it where commas, quotes or line ends would be misread.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_would_be_misread_are_quoted() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
