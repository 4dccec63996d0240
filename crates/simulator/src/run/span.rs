use std::fmt;
use std::ops::Range;

/// Bytes `start..end` of the scenario's text.
pub type Span = Range<usize>;

/// A value and where it was written. Two are equal when their values are, wherever they stand.
#[derive(Clone)]
pub struct Spanned<T> {
    /// What was written.
    pub value: T,
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value that stands at `span`.
    pub const fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }

    /// A value that no text stands behind.
    pub const fn made(value: T) -> Self {
        Spanned { value, span: 0..0 }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: fmt::Debug> fmt::Debug for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Line and column, both from 1, as an editor shows them; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
}

impl Place {
    /// The place of byte `at` in `text`; the end where `at` lies behind it.
    pub fn of(text: &str, at: usize) -> Place {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn places_count_characters() {
        let text = "title\nsé x\n";
        assert_eq!(Place::of(text, 0), Place { line: 1, column: 1 });
        assert_eq!(Place::of(text, 10), Place { line: 2, column: 4 });
        assert_eq!(Place::of(text, 99), Place { line: 3, column: 1 });
    }
}
