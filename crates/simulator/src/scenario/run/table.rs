/// Rows of cells, printed in columns that are as wide as their widest cell.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub fn new(headings: &[&str]) -> Self {
        Table {
            rows: vec![
                headings
                    .iter()
                    .map(|heading| (*heading).to_owned())
                    .collect(),
            ],
        }
    }

    /// A table without headings.
    pub fn bare() -> Self {
        Table::default()
    }

    /// Adds a row.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The lines, two blanks between columns, none at the end. Cells that are numbers, or `-`, stand to the right.
    pub fn lines(&self) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column)).collect();
        let numeric: Vec<bool> = (0..columns).map(|column| self.is_numeric(column)).collect();
        let line = |row: &Vec<String>| {
            let cells =
                row.iter()
                    .zip(widths.iter().zip(&numeric))
                    .map(|(cell, (width, right))| {
                        if *right {
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

    fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().skip(1).filter_map(|row| row.get(column));
        self.rows.len() > 1
            && column > 0
            && cells.all(|cell| {
                cell.is_empty() || cell == "-" || cell.chars().all(|c| c.is_ascii_digit())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_line_up_and_numbers_stand_right() {
        let mut table = Table::new(&["node", "offset", "what"]);
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
