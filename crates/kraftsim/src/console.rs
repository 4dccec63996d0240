//! Where output goes, and how it may look.

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::Write;
use std::rc::Rc;

/// Whether escape codes may be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// Colour and weight, for a person at a terminal.
    Colour,
}

impl Style {
    /// Colour at a terminal, unless `NO_COLOR` is set to anything (an empty value counts as unset).
    pub fn of(is_terminal: bool, no_color: Option<&OsStr>) -> Self {
        if is_terminal && no_color.is_none_or(OsStr::is_empty) {
            Style::Colour
        } else {
            Style::Plain
        }
    }
}

/// How a piece of text is meant; what that looks like is the console's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A heading or a name the eye should find.
    Strong,
    /// It held, it is active.
    Good,
    /// It failed, it ended.
    Bad,
    /// Worth a look.
    Warning,
    /// Context that may be skipped.
    Faint,
}

/// The two streams of a run: results go to `out`, progress and diagnostics to `err`.
pub struct Console<'a> {
    /// Where results go: standard output.
    pub out: &'a mut dyn Write,
    /// Progress and diagnostics.
    pub err: &'a mut dyn Write,
    /// What may be printed on `out`.
    pub style: Style,
    /// Whether the reader of `out` went away: a command that prints as it goes may stop then.
    pub reader_gone: Rc<Cell<bool>>,
}

impl<'a> Console<'a> {
    /// A console over two writers.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, style: Style) -> Self {
        Console {
            out,
            err,
            style,
            reader_gone: Rc::default(),
        }
    }

    /// `text` in a tone, or bare where escape codes are not wanted.
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        let code = match (self.style, tone) {
            (Style::Plain, _) => return text.to_owned(),
            (Style::Colour, Tone::Strong) => "1",
            (Style::Colour, Tone::Good) => "32",
            (Style::Colour, Tone::Bad) => "31",
            (Style::Colour, Tone::Warning) => "33",
            (Style::Colour, Tone::Faint) => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_needs_a_terminal_and_no_objection() {
        assert_eq!(Style::of(true, None), Style::Colour);
        assert_eq!(Style::of(true, Some(OsStr::new(""))), Style::Colour);
        assert_eq!(Style::of(true, Some(OsStr::new("1"))), Style::Plain);
        assert_eq!(Style::of(false, None), Style::Plain);
    }

    #[test]
    fn plain_paint_adds_nothing() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let console = Console::new(&mut out, &mut err, Style::Plain);
        assert_eq!(console.paint(Tone::Bad, "ended"), "ended");
        let console = Console::new(&mut out, &mut err, Style::Colour);
        assert_eq!(
            console.paint(Tone::Bad, "ended"),
            "\u{1b}[31mended\u{1b}[0m"
        );
    }
}
