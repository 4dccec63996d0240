//! Lines and numbers as Java reads them.

use crate::Corrupt;

/// One line: where it starts, and its text without the end of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextLine<'a> {
    pub position: usize,
    pub text: &'a str,
}

/// The lines of a text as `BufferedReader.readLine` gives them: ended by `\n`, `\r`, `\r\n` or the end of the text.
pub(crate) fn lines<'a>(file: &str, bytes: &'a [u8]) -> Result<Vec<TextLine<'a>>, Corrupt> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Corrupt::invalid(
            file,
            at as u64,
            "UTF-8 text",
            format!("byte {:#04x}", bytes[at]),
        )
    })?;
    let mut lines = Vec::new();
    let mut position = 0;
    while position < text.len() {
        let rest = &text[position..];
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        lines.push(TextLine {
            position,
            text: &rest[..end],
        });
        let ending = if rest[end..].starts_with("\r\n") {
            2
        } else {
            1
        };
        position += end + ending;
    }
    Ok(lines)
}

/// A text in quotes for an error message, cut after 60 characters.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None => format!("`{text}`"),
        Some((cut, _)) => format!("`{}…`", &text[..cut]),
    }
}

/// An integer as `Integer.parseInt` and its kin read it.
pub(crate) fn number<N: std::str::FromStr>(
    file: &str,
    position: usize,
    what: &str,
    text: &str,
) -> Result<N, Corrupt> {
    text.parse().map_err(|_| {
        Corrupt::invalid(
            file,
            position as u64,
            format!("{what} as a number"),
            quoted(text),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_java() {
        let texts = |bytes| -> Vec<(usize, String)> {
            let lines = lines("f", bytes).unwrap();
            lines
                .into_iter()
                .map(|line| (line.position, line.text.to_owned()))
                .collect()
        };
        let line = |at, text: &str| (at, text.to_owned());
        assert_eq!(texts(b""), []);
        assert_eq!(texts(b"\n"), [line(0, "")]);
        assert_eq!(
            texts(b"a\nb\r\nc\rd"),
            [line(0, "a"), line(2, "b"), line(5, "c"), line(7, "d")]
        );
        assert_eq!(lines("f", b"ab\xff").unwrap_err().position, 2);
    }
}
