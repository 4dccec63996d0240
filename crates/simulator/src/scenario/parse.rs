//! Text to [`Scenario`]: lines, the bodies of `repeat`, expected output.

use std::iter::Peekable;
use std::vec;

use winnow::combinator::alt;
use winnow::prelude::*;
use winnow::stream::{Stateful, TokenSlice};

use super::command::{Command, command};
use super::document::{Scenario, ScenarioLine, Statement};
use super::grammar::{Furthest, end_of_line, too_deep};
use super::limits::{MOST_DEPTH, MOST_LINE_BYTES};
use super::token::tokenize;
use super::verbs::time::{Timing, end};
use crate::run::Problem;
use crate::run::{Span, Spanned};

/// Reads a scenario. The first problem ends it.
pub fn parse(text: &str) -> Result<Scenario, Problem> {
    let mut lines = source_lines(text).into_iter().peekable();
    let body = body(&mut lines, &[])?;
    Ok(Scenario { lines: body.lines })
}

/// Reads one command, as it would stand on a line of a scenario.
pub fn parse_command(text: &str) -> Result<Command, Problem> {
    let only = SourceLine {
        text,
        start: 0,
        end: text.len(),
    };
    match statement(&only)? {
        Read::Statement(statement) => Ok(statement.command.value),
        _ => Err(Problem::new(0..text.len(), "there is no command here")),
    }
}

/// A line of the text without its line end, and where it and its line end stand.
#[derive(Clone)]
struct SourceLine<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

fn source_lines(text: &str) -> Vec<SourceLine<'_>> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let start = at;
            at += line.len();
            SourceLine {
                text: line.trim_end_matches(['\n', '\r']),
                start,
                end: at,
            }
        })
        .collect()
}

enum Read {
    Blank,
    Comment(String),
    Output(String),
    End,
    Statement(Statement),
}

/// Some lines, and where the line behind them begins.
struct Body {
    lines: Vec<ScenarioLine>,
    end: usize,
}

/// Lines up to the end of the text, or up to the `end` of the innermost of these `repeat`s.
fn body(
    lines: &mut Peekable<vec::IntoIter<SourceLine<'_>>>,
    repeats: &[Span],
) -> Result<Body, Problem> {
    let repeat = repeats.last();
    let mut body = Vec::new();
    let mut end = 0;
    while let Some(line) = lines.next() {
        end = line.end;
        match statement(&line)? {
            Read::Blank => body.push(ScenarioLine::Blank),
            Read::Comment(comment) => body.push(ScenarioLine::Comment(comment)),
            Read::Output(_) => {
                return Err(Problem::new(
                    line.start..line.start + line.text.len(),
                    "this output stands under no command",
                ));
            }
            Read::End if repeat.is_some() => return Ok(Body { lines: body, end }),
            Read::End => {
                return Err(Problem::new(
                    line.start..line.start + line.text.len(),
                    "this `end` has no `repeat`",
                ));
            }
            Read::Statement(read) => {
                body.push(ScenarioLine::Statement(complete(
                    read, lines, &line, repeats,
                )?));
            }
        }
    }
    match repeat {
        Some(span) => Err(Problem::new(span.clone(), "this `repeat` has no `end`")),
        None => Ok(Body { lines: body, end }),
    }
}

/// Gives a statement what stands on the lines below it: the body of a `repeat`, and the output.
fn complete(
    mut statement: Statement,
    lines: &mut Peekable<vec::IntoIter<SourceLine<'_>>>,
    line: &SourceLine<'_>,
    repeats: &[Span],
) -> Result<Statement, Problem> {
    let mut end = line.end;
    if let Command::Timing(Timing::Repeat(_, inner)) = &mut statement.command.value {
        let span = statement.command.span.clone();
        if repeats.len() >= MOST_DEPTH {
            return Err(too_deep(span));
        }
        let body = body(lines, &[repeats, &[span]].concat())?;
        *inner = body.lines;
        end = body.end;
    }
    let (expected, last) = output(lines)?;
    if !repeats.is_empty() && !expected.is_empty() {
        return Err(Problem::new(
            last.clone().unwrap_or_default(),
            "the output of a `repeat` stands under its `end`",
        ));
    }
    let start = end;
    let end = last.map_or(start, |last| last.end);
    statement.expected = Spanned::new(expected, start..end);
    Ok(statement)
}

/// The lines of output that come next, and where the last of them stands.
fn output(
    lines: &mut Peekable<vec::IntoIter<SourceLine<'_>>>,
) -> Result<(Vec<String>, Option<Span>), Problem> {
    let mut output = Vec::new();
    let mut last = None;
    while let Some(line) = lines.next_if(|line| line.text.trim_start().starts_with('|')) {
        if let Read::Output(text) = statement(&line)? {
            output.push(text);
        }
        last = Some(line.start..line.end);
    }
    Ok((output, last))
}

fn statement(line: &SourceLine<'_>) -> Result<Read, Problem> {
    let text = line.text.trim_start();
    if let Some(output) = text.strip_prefix('|') {
        let output = output.strip_prefix(' ').unwrap_or(output).trim_end();
        return Ok(Read::Output(output.to_owned()));
    }
    if line.text.len() > MOST_LINE_BYTES {
        let found = line.text.len();
        let what = format!("this line has {found} bytes, and at most {MOST_LINE_BYTES} are read");
        return Err(Problem::new(line.start..line.start, what));
    }
    let cut = tokenize(line.text, line.start)?;
    let (Some(first), Some(last)) = (cut.tokens.first(), cut.tokens.last()) else {
        return Ok(cut.comment.map_or(Read::Blank, Read::Comment));
    };
    let span = first.span.start..last.span.end;
    let mut input = Stateful {
        input: TokenSlice::new(&cut.tokens),
        state: Furthest::default(),
    };
    let parsed = alt((end.map(|()| None), command.map(Some))).parse_next(&mut input);
    let parsed = parsed.and_then(|command| end_of_line(&mut input).map(|()| command));
    match parsed {
        Ok(None) => Ok(Read::End),
        Ok(Some(command)) => Ok(Read::Statement(Statement {
            command: Spanned::new(command, span),
            comment: cut.comment,
            expected: Spanned::made(Vec::new()),
        })),
        Err(_) => Err(input.state.into_problem(&cut.tokens, span.end)),
    }
}
