use std::io::{self, BufRead, Read as _};

/// The lines of a schedule, none of which uses more memory than a bound: of a longer one only the beginning is kept, which
/// is no JSON.
#[derive(Debug)]
pub struct Lines<R> {
    from: R,
    most_bytes: usize,
}

impl<R: BufRead> Lines<R> {
    /// The lines of at most so many bytes.
    pub fn new(from: R, most_bytes: usize) -> Self {
        Lines { from, most_bytes }
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let most = self.most_bytes as u64 + 1;
        let count = (&mut self.from).take(most).read_until(b'\n', &mut bytes)?;
        if count == 0 {
            return Ok(None);
        }
        let is_cut = bytes.len() > self.most_bytes && bytes.last() != Some(&b'\n');
        if is_cut {
            self.from.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        Ok(Some(Line::Whole(
            String::from_utf8_lossy(&bytes).into_owned(),
        )))
    }
}

/// A line of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// What it says; bytes that are no UTF-8 are replaced.
    Whole(String),
    /// It is longer than a line may be.
    TooLong,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_named_and_the_next_one_is_read() {
        let text = format!("abc\n{}\n\ndef", "x".repeat(1000));
        let lines = Lines::new(text.as_bytes(), 5).map(Result::unwrap);
        let whole = |text: &str| Line::Whole(text.to_owned());
        let expected = [whole("abc"), Line::TooLong, whole(""), whole("def")];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
}
