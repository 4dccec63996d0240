//! What stands between a command and the two streams of the process.
//!
//! A command writes to both streams without thinking of who reads them. Here a reader that went away is noted, and what
//! comes after is dropped, so that the command goes on to its verdict and ends with the exit status that it would have had;
//! and no control character from outside reaches a terminal, whatever a command forgot to make visible.

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;

use simulator::describe::{is_hidden, push_escape};

use crate::Style;

/// What happens when a stream cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Results: a reader that went away is no error, a full disk is.
    Results,
    /// Diagnostics: nobody reads the message.
    Diagnostics,
}

/// A stream behind the guard.
pub struct Guard<'a> {
    inner: &'a mut dyn Write,
    stream: Stream,
    style: Style,
    gone: Rc<Cell<bool>>,
    /// The beginning of a letter, or of a colour, whose end has not been written yet.
    pending: Vec<u8>,
}

/// The longest sequence that sets a colour.
const LONGEST_COLOUR: usize = 24;

impl<'a> Guard<'a> {
    /// Guards a stream on which this style may be used.
    pub fn new(inner: &'a mut dyn Write, stream: Stream, style: Style) -> Self {
        Guard {
            inner,
            stream,
            style,
            gone: Rc::default(),
            pending: Vec::new(),
        }
    }

    /// Whether the reader went away: true from then on.
    pub fn gone(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.gone)
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.gone.get() || bytes.is_empty() {
            return Ok(());
        }
        let written = self.inner.write_all(bytes);
        self.forgive(written)
    }

    fn forgive(&mut self, done: io::Result<()>) -> io::Result<()> {
        match done {
            Err(error)
                if self.stream == Stream::Diagnostics
                    || error.kind() == io::ErrorKind::BrokenPipe =>
            {
                self.gone.set(true);
                Ok(())
            }
            done => done,
        }
    }

    /// How many first bytes can be shown, and how: as they are, or escaped. Nothing where more must come first.
    fn next(&self, bytes: &[u8]) -> Option<(usize, Option<String>)> {
        if bytes[0] == 0x1b && self.style == Style::Colour {
            match colour(bytes) {
                Colour::Whole(length) => return Some((length, None)),
                Colour::Beginning => return None,
                Colour::None => {}
            }
        }
        let length = match bytes[0] {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        if bytes.len() < length {
            return None;
        }
        let letter = std::str::from_utf8(&bytes[..length]).ok();
        let letter = letter.and_then(|text| text.chars().next());
        let Some(letter) = letter else {
            // No text at all: bytes of a kind that no command writes.
            return Some((1, Some(String::from("\u{fffd}"))));
        };
        let escape = is_hidden(letter) && !matches!(letter, '\n' | '\t');
        Some((
            length,
            escape.then(|| {
                let mut shown = String::new();
                push_escape(&mut shown, letter);
                shown
            }),
        ))
    }
}

enum Colour {
    Whole(usize),
    Beginning,
    None,
}

/// `ESC [ digits and semicolons m`
fn colour(bytes: &[u8]) -> Colour {
    for (at, byte) in bytes.iter().enumerate().take(LONGEST_COLOUR) {
        match (at, byte) {
            (0, 0x1b) | (1, b'[') | (2.., b'0'..=b'9' | b';') => {}
            (2.., b'm') => return Colour::Whole(at + 1),
            _ => return Colour::None,
        }
    }
    if bytes.len() < LONGEST_COLOUR {
        Colour::Beginning
    } else {
        Colour::None
    }
}

impl Write for Guard<'_> {
    fn write(&mut self, given: &[u8]) -> io::Result<usize> {
        let joined;
        let bytes = if self.pending.is_empty() {
            given
        } else {
            joined = [std::mem::take(&mut self.pending).as_slice(), given].concat();
            joined.as_slice()
        };
        let (mut shown, mut at) = (0, 0);
        while at < bytes.len() {
            let plain = matches!(bytes[at], b' '..=b'~' | b'\n' | b'\t');
            if plain {
                at += 1;
                continue;
            }
            match self.next(&bytes[at..]) {
                Some((length, None)) => at += length,
                Some((length, Some(escape))) => {
                    self.pass(&bytes[shown..at])?;
                    self.pass(escape.as_bytes())?;
                    at += length;
                    shown = at;
                }
                None => break,
            }
        }
        self.pass(&bytes[shown..at])?;
        self.pending = bytes[at..].to_vec();
        Ok(given.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.gone.get() {
            return Ok(());
        }
        let flushed = self.inner.flush();
        self.forgive(flushed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(style: Style, parts: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut guard = Guard::new(&mut out, Stream::Results, style);
        for part in parts {
            guard.write_all(part).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(
            shown(Style::Plain, &[b"a\x1b]0;title\x07b\rc\n\td"]),
            "a\\u001b]0;title\\u0007b\\u000dc\n\td"
        );
        assert_eq!(
            shown(Style::Plain, &["\u{9b}31m ž 日 \u{202e}".as_bytes()]),
            "\\u009b31m ž 日 \\u202e"
        );
        assert_eq!(
            shown(Style::Plain, &[b"\x1b[31mred\x1b[0m"]),
            "\\u001b[31mred\\u001b[0m"
        );
    }

    #[test]
    fn colours_pass_where_they_are_wanted_and_nothing_else() {
        let text = "\u{1b}[1;31mred\u{1b}[0m";
        assert_eq!(shown(Style::Colour, &[text.as_bytes()]), text);
        assert_eq!(
            shown(Style::Colour, &[b"\x1b[2J\x1b]0;t\x07"]),
            "\\u001b[2J\\u001b]0;t\\u0007"
        );
    }

    #[test]
    fn text_may_come_in_any_parts() {
        let text = "é\u{1b}[31m日\u{1b}[2J\u{9b}.";
        let whole = shown(Style::Colour, &[text.as_bytes()]);
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(shown(Style::Colour, &bytes), whole);
        assert_eq!(whole, "é\u{1b}[31m日\\u001b[2J\\u009b.");
    }

    /// A writer that fails.
    struct Broken(io::ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn a_reader_that_went_away_is_noted_and_no_error() {
        let mut broken = Broken(io::ErrorKind::BrokenPipe);
        let mut guard = Guard::new(&mut broken, Stream::Results, Style::Plain);
        assert!(guard.write_all(b"x").is_ok() && guard.flush().is_ok());
        assert!(guard.gone().get());
        let mut full = Broken(io::ErrorKind::StorageFull);
        let mut guard = Guard::new(&mut full, Stream::Results, Style::Plain);
        assert!(guard.write_all(b"x").is_err());
        let mut guard = Guard::new(&mut full, Stream::Diagnostics, Style::Plain);
        assert!(guard.write_all(b"x").is_ok());
    }
}
