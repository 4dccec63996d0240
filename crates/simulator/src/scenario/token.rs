//! Words of one line. winnow does the cutting; a token keeps its place in the whole text.

use winnow::combinator::{alt, delimited, repeat};
use winnow::error::{ContextError, ErrMode};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::{any, none_of, take_while};

use crate::run::Problem;
use crate::run::Span;

/// One word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Word or quoted text.
    pub kind: TokenKind,
    /// Where it stands in the scenario's text.
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters up to the next blank.
    Word(String),
    /// Text in double quotes, without them.
    Text(String),
    /// `|`, which parts the sides of a split.
    Bar,
}

/// The words of a line, and its comment without the `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTokens {
    pub tokens: Vec<Token>,
    /// What stands behind `#`, trimmed at the end.
    pub comment: Option<String>,
}

/// Cuts one line, which begins at byte `start` of the text, into words.
pub fn tokenize(line: &str, start: usize) -> Result<LineTokens, Problem> {
    let mut input = LocatingSlice::new(line);
    let mut cut = LineTokens::default();
    loop {
        blanks(&mut input).expect("blanks may be none");
        let here = start + line.len() - input.len();
        if input.is_empty() {
            return Ok(cut);
        }
        if let Some(comment) = input.strip_prefix('#') {
            cut.comment = Some(comment.trim_end().to_owned());
            return Ok(cut);
        }
        let Ok((kind, span)) = alt((text, bar, word)).with_span().parse_next(&mut input) else {
            let end = start + line.trim_end().len();
            return Err(Problem::new(here..end, "this text is not closed")
                .suggesting("close it with \" on the same line"));
        };
        cut.tokens.push(Token {
            kind,
            span: start + span.start..start + span.end,
        });
    }
}

type ScenarioLine<'a> = LocatingSlice<&'a str>;
type Cut<T> = Result<T, ErrMode<ContextError>>;

fn blanks(input: &mut ScenarioLine<'_>) -> Cut<()> {
    take_while(0.., char::is_whitespace)
        .void()
        .parse_next(input)
}

fn text(input: &mut ScenarioLine<'_>) -> Cut<TokenKind> {
    let letter = alt((
        ('\\', any).map(|(_, escaped)| escaped),
        none_of(['"', '\\']),
    ));
    delimited('"', repeat(0.., letter), winnow::combinator::cut_err('"'))
        .map(TokenKind::Text)
        .parse_next(input)
}

fn bar(input: &mut ScenarioLine<'_>) -> Cut<TokenKind> {
    '|'.value(TokenKind::Bar).parse_next(input)
}

fn word(input: &mut ScenarioLine<'_>) -> Cut<TokenKind> {
    take_while(1.., |c: char| !c.is_whitespace() && c != '"' && c != '|')
        .map(|word: &str| TokenKind::Word(word.to_owned()))
        .parse_next(input)
}

/// `text` in double quotes, as [`tokenize`] reads it back.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// `text` as one token: bare where it can stand so, in quotes otherwise.
pub fn word_or_quoted(text: &str) -> String {
    let bare = !text.is_empty()
        && !text.starts_with('#')
        && !text
            .chars()
            .any(|c| c.is_whitespace() || matches!(c, '"' | '|'));
    if bare { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokenize};

    fn words(line: &str) -> Vec<String> {
        let cut = tokenize(line, 0).expect(line);
        cut.tokens
            .iter()
            .map(|token| match &token.kind {
                TokenKind::Word(word) => word.clone(),
                TokenKind::Text(text) => format!("“{text}”"),
                TokenKind::Bar => "BAR".to_owned(),
            })
            .collect()
    }

    #[test]
    fn words_texts_bars_and_comments() {
        assert_eq!(words(" cut 1\t2  # why"), ["cut", "1", "2"]);
        assert_eq!(
            words(r#"title "a \"b\" # c" x#y"#),
            ["title", "“a \"b\" # c”", "x#y"]
        );
        assert_eq!(words("split 1|2 3"), ["split", "1", "BAR", "2", "3"]);
        assert_eq!(
            tokenize("x # y ", 0).expect("cut").comment.as_deref(),
            Some(" y")
        );
    }

    #[test]
    fn an_open_text_is_named_with_its_place() {
        let problem = tokenize(r#"title "a"#, 100).expect_err("open");
        assert_eq!(problem.span, 106..108);
    }
}
