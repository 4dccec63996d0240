//! A whole scenario: its lines, and how it is written and blessed.

use std::fmt;

use super::command::Command;
use super::verbs::time::Timing;
use crate::run::Spanned;

/// A whole scenario, comments and blank lines included.
///
/// Two are equal when they say the same, wherever it stands; [`parse`](super::parse()) of what a scenario prints is the
/// scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// Lines from the top; the body of a `repeat` lies within its statement.
    pub lines: Vec<ScenarioLine>,
}

/// One line, with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioLine {
    Blank,
    /// `#` and this text.
    Comment(String),
    /// A command and its output.
    Statement(Statement),
}

/// A command, its comment, and what it is expected to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The command, and where it stands.
    pub command: Spanned<Command>,
    /// What stands behind `#` on the same line.
    pub comment: Option<String>,
    /// The lines that begin with `|`, without it; the span is where they stand, or where they would.
    pub expected: Spanned<Vec<String>>,
}

impl Statement {
    /// A command that no text stands behind.
    pub fn made(command: Command) -> Self {
        Statement {
            command: Spanned::made(command),
            comment: None,
            expected: Spanned::made(Vec::new()),
        }
    }
}

impl Scenario {
    /// The statements at the top level, in order.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        statements(&self.lines)
    }

    /// Every statement, those within `repeat` included.
    pub fn all_statements(&self) -> Vec<&Statement> {
        let mut all = Vec::new();
        collect(&self.lines, &mut all);
        all
    }

    /// The text with each command's expected output replaced by what it printed.
    ///
    /// `printed` goes by the order of [`Scenario::statements`]; the rest of the text stays as it is.
    pub fn bless(&self, text: &str, printed: &[Vec<String>]) -> String {
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        for (statement, lines) in self.statements().zip(printed) {
            let span = &statement.expected.span;
            out.push_str(&text[copied..span.start]);
            if !out.is_empty() && !out.ends_with('\n') && !lines.is_empty() {
                out.push('\n');
            }
            for line in lines {
                out.push_str(&output_line(line));
                out.push('\n');
            }
            copied = span.end;
        }
        out.push_str(&text[copied..]);
        out
    }
}

/// The statements among some lines.
pub(crate) fn statements(lines: &[ScenarioLine]) -> impl Iterator<Item = &Statement> {
    lines.iter().filter_map(|line| match line {
        ScenarioLine::Statement(statement) => Some(statement),
        ScenarioLine::Blank | ScenarioLine::Comment(_) => None,
    })
}

fn collect<'a>(lines: &'a [ScenarioLine], into: &mut Vec<&'a Statement>) {
    for statement in statements(lines) {
        into.push(statement);
        if let Command::Timing(Timing::Repeat(_, body)) = &statement.command.value {
            collect(body, into);
        }
    }
}

/// A line of output as it stands in a file.
fn output_line(line: &str) -> String {
    let line = line.trim_end();
    if line.is_empty() {
        "|".to_owned()
    } else {
        format!("| {line}")
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(f, &self.lines, 0)
    }
}

fn print(f: &mut fmt::Formatter<'_>, lines: &[ScenarioLine], depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    for line in lines {
        match line {
            ScenarioLine::Blank => writeln!(f)?,
            ScenarioLine::Comment(comment) => writeln!(f, "{indent}#{comment}")?,
            ScenarioLine::Statement(statement) => {
                write!(f, "{indent}{}", statement.command)?;
                match &statement.comment {
                    Some(comment) => writeln!(f, "  #{comment}")?,
                    None => writeln!(f)?,
                }
                if let Command::Timing(Timing::Repeat(_, body)) = &statement.command.value {
                    print(f, body, depth + 1)?;
                    writeln!(f, "{indent}end")?;
                }
                for line in &statement.expected.value {
                    writeln!(f, "{indent}{}", output_line(line))?;
                }
            }
        }
    }
    Ok(())
}
