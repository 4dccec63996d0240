use std::io::{self, BufRead, Read as _};

/// The lines of a schedule, none of which uses more memory than a bound: of a longer one only the beginning is kept, which
/// is no JSON.
#[derive(Debug)]
pub struct ScheduleLines<R> {
    from: R,
    most_bytes: usize,
}

impl<R: BufRead> ScheduleLines<R> {
    /// The lines of at most so many bytes.
    pub fn new(from: R, most_bytes: usize) -> Self {
        ScheduleLines { from, most_bytes }
    }

    fn read(&mut self) -> io::Result<Option<ScheduleLine>> {
        let mut bytes = Vec::new();
        let most = self.most_bytes as u64 + 1;
        let count = (&mut self.from).take(most).read_until(b'\n', &mut bytes)?;
        if count == 0 {
            return Ok(None);
        }
        let is_cut = bytes.len() > self.most_bytes && bytes.last() != Some(&b'\n');
        if is_cut {
            self.from.skip_until(b'\n')?;
            return Ok(Some(ScheduleLine::TooLong));
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        Ok(Some(ScheduleLine::Whole(
            String::from_utf8_lossy(&bytes).into_owned(),
        )))
    }
}

/// What was read up to the next end of line: a command, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleLine {
    /// What it says; bytes that are no UTF-8 are replaced.
    Whole(String),
    /// It is longer than a line may be.
    TooLong,
}

impl<R: BufRead> Iterator for ScheduleLines<R> {
    type Item = io::Result<ScheduleLine>;

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
        let lines = ScheduleLines::new(text.as_bytes(), 5).map(Result::unwrap);
        let whole = |text: &str| ScheduleLine::Whole(text.to_owned());
        let expected = [whole("abc"), ScheduleLine::TooLong, whole(""), whole("def")];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
}
