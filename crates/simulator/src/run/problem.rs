use std::fmt;

use super::span::{Place, Span};

/// What is wrong with a scenario's text, and where: bad input, not a failed expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes that are wrong; empty where something is missing.
    pub span: Span,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What was probably meant, as a word to write instead, or what to do.
    pub suggestion: Option<String>,
}

impl Problem {
    /// A problem without a suggestion.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Problem {
            span,
            message: message.into(),
            suggestion: None,
        }
    }

    /// The same problem with what to do about it.
    #[must_use]
    pub fn suggesting(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// Line and column in the text that was parsed.
    pub fn place(&self, text: &str) -> Place {
        Place::of(text, self.span.start)
    }

    /// `name:line:column: message`, the line itself, a mark under the place, and the suggestion.
    pub fn render(&self, name: &str, text: &str) -> String {
        Rendered {
            problem: self,
            name,
            text,
        }
        .to_string()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(suggestion) = &self.suggestion {
            write!(f, " ({suggestion})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

struct Rendered<'a> {
    problem: &'a Problem,
    name: &'a str,
    text: &'a str,
}

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.problem.place(self.text);
        let source = self.text.lines().nth(line - 1).unwrap_or("");
        let marked = self.text.get(self.problem.span.clone()).unwrap_or("");
        let width = marked.lines().next().unwrap_or("").chars().count().max(1);
        writeln!(f, "{}:{line}:{column}: {}", self.name, self.problem.message)?;
        writeln!(f, "  {source}")?;
        write!(f, "  {}{}", " ".repeat(column - 1), "^".repeat(width))?;
        match &self.problem.suggestion {
            Some(suggestion) => write!(f, " {suggestion}"),
            None => Ok(()),
        }
    }
}
