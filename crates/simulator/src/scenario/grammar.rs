//! The pieces that commands are made of: winnow parsers over the words of one line.
//!
//! Every parser notes what it would have taken at the place where it failed ([`Furthest`]), also where another
//! alternative or an optional part then went on; what stands at the furthest place is what the error message names.

use std::collections::BTreeSet;
use std::str::FromStr;

use determinism::Time;
use records::NodeId;
use releases::Release;
use winnow::error::{EmptyError, ErrMode};
use winnow::prelude::*;
use winnow::stream::{Stateful, Stream, TokenSlice};

use super::known;
use super::limits::MOST_DEPTH;
use super::token::{Token, TokenKind};
use crate::run::Problem;
use crate::run::duration;
use crate::run::nearest;
use crate::run::{Span, Spanned};

/// The words of one line, and what was hoped for where it went wrong.
pub(crate) type Input<'t> = Stateful<TokenSlice<'t, Token>, Furthest>;

/// What a parser gives.
pub(crate) type Parsed<T> = Result<T, ErrMode<EmptyError>>;

/// A word of the language, or a kind of word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Hope {
    /// A word that the message lists and may suggest.
    Word(&'static str),
    /// A kind of word that the message lists.
    Kind(&'static str),
    /// A word that the message may suggest; its kind is listed.
    Candidate(&'static str),
}

/// More words than this are only ever possible where a command begins.
const MANY: usize = 20;

/// The furthest place that any parser reached, and what would have been right there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Furthest {
    /// The number of words that are consumed.
    at: usize,
    hopes: BTreeSet<Hope>,
    refusal: Option<Problem>,
    /// How many commands the present one stands in.
    depth: usize,
}

impl Furthest {
    fn hope(&mut self, at: usize, hope: Hope) {
        if at > self.at {
            self.at = at;
            self.hopes.clear();
        }
        if at == self.at {
            self.hopes.insert(hope);
        }
    }

    /// The error message: what was found at the furthest place, and what could have stood there.
    pub(crate) fn into_problem(self, tokens: &[Token], line_end: usize) -> Problem {
        if let Some(refusal) = self.refusal {
            return refusal;
        }
        let hopes: Vec<String> = self
            .hopes
            .iter()
            .filter_map(|hope| match hope {
                Hope::Word(word) => Some(format!("`{word}`")),
                Hope::Kind(kind) => Some((*kind).to_owned()),
                Hope::Candidate(_) => None,
            })
            .collect();
        let hopes = match hopes.as_slice() {
            [only] => only.clone(),
            many if many.len() > MANY => "a command".to_owned(),
            many => format!("one of {}", many.join(", ")),
        };
        let Some(found) = tokens.get(self.at) else {
            return Problem::new(line_end..line_end, format!("something is missing: {hopes}"));
        };
        let word = found.kind.as_written();
        let problem = Problem::new(found.span.clone(), format!("`{word}` is not {hopes}"));
        let words = self.hopes.iter().filter_map(|hope| match hope {
            Hope::Word(word) | Hope::Candidate(word) => Some(*word),
            Hope::Kind(_) => None,
        });
        match nearest(word, words) {
            Some(near) => problem.suggesting(format!("did you mean `{near}`?")),
            None => problem,
        }
    }
}

impl TokenKind {
    /// The word as it was written, without quotes.
    pub(crate) fn as_written(&self) -> &str {
        match self {
            TokenKind::Word(word) | TokenKind::Text(word) => word,
            TokenKind::Bar => "|",
        }
    }
}

/// How many words have been taken.
pub(crate) fn taken(input: &Input<'_>) -> usize {
    input.previous_tokens().count()
}

fn fail<T>(input: &mut Input<'_>, hope: Hope) -> Parsed<T> {
    let at = taken(input);
    input.state.hope(at, hope);
    Err(ErrMode::Backtrack(EmptyError))
}

/// Ends the parse with a message of its own.
pub(crate) fn refuse<T>(input: &mut Input<'_>, problem: Problem) -> Parsed<T> {
    input.state.refusal.get_or_insert(problem);
    Err(ErrMode::Cut(EmptyError))
}

/// What `parser` takes, one level deeper: a command inside another one.
pub(crate) fn deeper<'t, T>(
    mut parser: impl Parser<Input<'t>, T, ErrMode<EmptyError>>,
) -> impl Parser<Input<'t>, T, ErrMode<EmptyError>> {
    move |input: &mut Input<'t>| {
        let span = match input.peek_token() {
            Some(token) if input.state.depth >= MOST_DEPTH => token.span.clone(),
            _ => {
                input.state.depth += 1;
                let parsed = parser.parse_next(input);
                input.state.depth -= 1;
                return parsed;
            }
        };
        refuse(input, too_deep(span))
    }
}

/// The problem of commands that stand in each other too often.
pub(crate) fn too_deep(span: Span) -> Problem {
    let what = format!("commands stand inside each other more than {MOST_DEPTH} deep");
    Problem::new(span, what).suggesting("docs/limits.md lists the limits")
}

/// This word of the language.
pub(crate) fn keyword<'t>(
    word: &'static str,
) -> impl Parser<Input<'t>, Span, ErrMode<EmptyError>> + Copy {
    move |input: &mut Input<'t>| match input.peek_token() {
        Some(Token {
            kind: TokenKind::Word(found),
            span,
        }) if found == word => {
            input.next_token();
            Ok(span.clone())
        }
        _ => fail(input, Hope::Word(word)),
    }
}

/// `word` and then what `parser` takes.
pub(crate) fn after<'t, T>(
    word: &'static str,
    parser: impl Parser<Input<'t>, T, ErrMode<EmptyError>>,
) -> impl Parser<Input<'t>, T, ErrMode<EmptyError>> {
    winnow::combinator::preceded(keyword(word), winnow::combinator::cut_err(parser))
}

/// One word that `read` understands, called `kind` in messages.
pub(crate) fn word_of_kind<'t, T>(
    input: &mut Input<'t>,
    kind: &'static str,
    read: impl FnOnce(&'t str) -> Option<T>,
) -> Parsed<Spanned<T>> {
    if let Some(Token {
        kind: TokenKind::Word(word),
        span,
    }) = input.peek_token()
        && let Some(value) = read(word)
    {
        input.next_token();
        return Ok(Spanned::new(value, span.clone()));
    }
    fail(input, Hope::Kind(kind))
}

/// One word of a fixed list, called `kind` in messages.
pub(crate) fn one_of<'t, T: Copy + 't>(
    kind: &'static str,
    list: &'static [(&'static str, T)],
) -> impl Parser<Input<'t>, T, ErrMode<EmptyError>> {
    move |input: &mut Input<'t>| {
        let find = |word: &str| list.iter().find(|(name, _)| *name == word);
        let found = word_of_kind(input, kind, |word| find(word).map(|(_, value)| *value));
        if found.is_err() {
            let at = taken(input);
            for (word, _) in list {
                input.state.hope(at, Hope::Candidate(word));
            }
        }
        found.map(|found| found.value)
    }
}

/// A word, or a text in quotes, that is among the known ones, called `kind` in messages.
pub(crate) fn known<'t, I: Iterator<Item = &'static str>>(
    kind: &'static str,
    words: fn() -> I,
) -> impl Parser<Input<'t>, String, ErrMode<EmptyError>> {
    move |input: &mut Input<'t>| {
        let is_known = |text: &str| words().any(|word| word == text);
        if let Some(Token {
            kind: TokenKind::Word(text) | TokenKind::Text(text),
            ..
        }) = input.peek_token()
            && is_known(text)
        {
            input.next_token();
            return Ok(text.clone());
        }
        let at = taken(input);
        for word in words() {
            input.state.hope(at, Hope::Candidate(word));
        }
        fail(input, Hope::Kind(kind))
    }
}

/// `|` between the sides of a split.
pub(crate) fn bar(input: &mut Input<'_>) -> Parsed<()> {
    match input.peek_token() {
        Some(Token {
            kind: TokenKind::Bar,
            ..
        }) => {
            input.next_token();
            Ok(())
        }
        _ => fail(input, Hope::Word("|")),
    }
}

/// Nothing more on this line.
pub(crate) fn end_of_line(input: &mut Input<'_>) -> Parsed<()> {
    if input.is_empty() {
        Ok(())
    } else {
        fail(input, Hope::Kind("the end of the line"))
    }
}

/// Any word or quoted text, called `kind` in messages.
pub(crate) fn text<'t>(
    kind: &'static str,
) -> impl Parser<Input<'t>, Spanned<String>, ErrMode<EmptyError>> {
    move |input: &mut Input<'t>| match input.peek_token() {
        Some(Token {
            kind: TokenKind::Word(text) | TokenKind::Text(text),
            span,
        }) => {
            input.next_token();
            Ok(Spanned::new(text.clone(), span.clone()))
        }
        _ => fail(input, Hope::Kind(kind)),
    }
}

/// Characters between double quotes, on one line.
pub(crate) fn quoted_text(input: &mut Input<'_>) -> Parsed<String> {
    match input.peek_token() {
        Some(Token {
            kind: TokenKind::Text(text),
            ..
        }) => {
            input.next_token();
            Ok(text.clone())
        }
        _ => fail(input, Hope::Kind("a text in quotes")),
    }
}

/// A whole number, called `kind` in messages.
pub(crate) fn number<'t, N: FromStr>(
    kind: &'static str,
) -> impl Parser<Input<'t>, N, ErrMode<EmptyError>> {
    move |input: &mut Input<'t>| {
        word_of_kind(input, kind, |word| word.parse().ok()).map(|found| found.value)
    }
}

/// A node by its number.
pub(crate) fn node_number(input: &mut Input<'_>) -> Parsed<Spanned<NodeId>> {
    word_of_kind(input, "a node number", |word| {
        word.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| word.parse().ok().map(NodeId))?
    })
}

/// A length of time with its unit.
pub(crate) fn time(input: &mut Input<'_>) -> Parsed<Time> {
    let Some(Token {
        kind: TokenKind::Word(word),
        span,
    }) = input.peek_token()
    else {
        return fail(input, Hope::Kind("a time such as 300ms"));
    };
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return fail(input, Hope::Kind("a time such as 300ms"));
    }
    match duration::parse(word) {
        Ok(time) => {
            input.next_token();
            Ok(time)
        }
        Err(problem) => {
            let problem = Problem {
                span: span.clone(),
                ..problem
            };
            refuse(input, problem)
        }
    }
}

/// A release that is modelled.
pub(crate) fn release(input: &mut Input<'_>) -> Parsed<Release> {
    let Some(Token {
        kind: TokenKind::Word(word),
        span,
    }) = input.peek_token()
    else {
        return fail(input, Hope::Kind("a release such as 4.4.0"));
    };
    if let Ok(release) = word.parse::<Release>() {
        input.next_token();
        return Ok(release);
    }
    let names: Vec<String> = Release::ALL.iter().map(ToString::to_string).collect();
    let problem = Problem::new(span.clone(), format!("there is no release `{word}`"));
    let near = nearest(word, names.iter().map(String::as_str));
    let suggestion = match near {
        Some(near) => format!("did you mean {near}? There are {}", names.join(", ")),
        None => format!("there are {}", names.join(", ")),
    };
    refuse(input, problem.suggesting(suggestion))
}

/// `NAME=LEVEL` of a feature.
pub(crate) fn feature_level(input: &mut Input<'_>) -> Parsed<(String, i16)> {
    let Spanned { value, span } =
        word_of_kind(input, "a feature such as group.version=1", |word| {
            let (name, level) = word.split_once('=')?;
            (!name.is_empty()).then_some((name.to_owned(), level.parse().ok()?))
        })?;
    match known::feature(&value.0, &(span.start..span.start + value.0.len())) {
        Ok(()) => Ok(value),
        Err(problem) => refuse(input, problem),
    }
}
