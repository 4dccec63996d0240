/// Rows of cells, printed in columns that are as wide as their widest cell.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    right: Vec<usize>,
}

impl Table {
    /// A table with these headings; a column whose heading ends in `>` stands to the right.
    pub fn new(headings: &[&str]) -> Self {
        let right = headings
            .iter()
            .enumerate()
            .filter(|(_, heading)| heading.ends_with('>'));
        let right = right.map(|(column, _)| column).collect();
        let names = headings
            .iter()
            .map(|heading| heading.trim_end_matches('>').to_owned());
        Table {
            right,
            rows: vec![names.collect()],
        }
    }

    /// A table without headings.
    pub fn bare() -> Self {
        Table::default()
    }

    /// A table without headings whose first column stands to the right.
    pub fn right_then_left() -> Self {
        Table {
            right: vec![0],
            ..Table::default()
        }
    }

    /// Adds a row.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The lines, two blanks between columns, none at the end.
    pub fn lines(&self) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column)).collect();
        let line = |row: &Vec<String>| {
            let cells = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, width))| {
                    if self.right.contains(&column) {
                        format!("{cell:>width$}")
                    } else {
                        format!("{cell:<width$}")
                    }
                });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line).collect()
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_line_up_and_numbers_stand_right() {
        let mut table = Table::new(&["node", "offset>", "what"]);
        table.row(["1", "9", "a"]);
        table.row(["22", "-", ""]);
        table.row(["3", "1000", "b c"]);
        assert_eq!(
            table.lines(),
            [
                "node  offset  what",
                "1          9  a",
                "22         -",
                "3       1000  b c"
            ]
        );
    }
}
