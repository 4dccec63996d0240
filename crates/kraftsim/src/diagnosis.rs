//! How an error is said: what, where, what was expected, what was found, what to do.

use std::{fmt, io};

use disk::tree::NotRead;
use simulator::describe::visible;

use crate::limits::MOST_LISTED;

/// One problem with the usage or the input, for a person.
///
/// ```
/// use kraftsim::Diagnosis;
///
/// let told = Diagnosis::new("the properties file cannot be used")
///     .at("server.properties:3")
///     .expected("a number")
///     .found("\"one\"")
///     .advice("node.id is the number that stands in meta.properties");
/// assert_eq!(
///     told.to_string(),
///     "error: the properties file cannot be used\n  at:       server.properties:3\n  expected: a number\n  \
///      found:    \"one\"\n  hint:     node.id is the number that stands in meta.properties\n",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    what: String,
    place: Option<String>,
    expected: Option<String>,
    found: Vec<String>,
    advice: Option<String>,
}

impl Diagnosis {
    /// What is wrong, in one sentence without a full stop.
    pub fn new(what: impl Into<String>) -> Self {
        Diagnosis {
            what: what.into(),
            place: None,
            expected: None,
            found: Vec::new(),
            advice: None,
        }
    }

    /// Where: a file, with line or byte position where there is one.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// What should have stood there.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// What stood there.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found.push(found.into());
        self
    }

    /// What was not read, one line each; of many the first ones, and how many more.
    #[must_use]
    pub fn found_each(mut self, not_read: &[NotRead]) -> Self {
        self.found.extend(listed(not_read));
        self
    }

    /// What the reader can do about it.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", visible(&self.what))?;
        let one = |text: &Option<String>| text.iter().cloned().collect::<Vec<_>>();
        let parts = [
            ("at:", one(&self.place)),
            ("expected:", one(&self.expected)),
            ("found:", self.found.clone()),
            ("hint:", one(&self.advice)),
        ];
        for (name, lines) in parts {
            for (at, line) in lines.iter().enumerate() {
                let name = if at == 0 { name } else { "" };
                writeln!(f, "  {name:<9} {}", visible(line))?;
            }
        }
        Ok(())
    }
}

/// What was not read, a line each; of many the first ones, and how many more.
pub fn listed(not_read: &[NotRead]) -> Vec<String> {
    let mut lines: Vec<String> = not_read
        .iter()
        .take(MOST_LISTED)
        .map(ToString::to_string)
        .collect();
    if not_read.len() > MOST_LISTED {
        lines.push(format!("and {} more", not_read.len() - MOST_LISTED));
    }
    lines
}

impl std::error::Error for Diagnosis {}

/// Why a command could not answer. What Kafka would refuse is an answer, not one of these.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Bad usage or bad input: exit status 2.
    #[error("{0}")]
    Diagnosis(Box<Diagnosis>),
    /// The console's own streams failed. Only for writing to the console: an error while reading input is a diagnosis.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl From<Diagnosis> for CommandError {
    fn from(diagnosis: Diagnosis) -> Self {
        CommandError::Diagnosis(Box::new(diagnosis))
    }
}
