//! Java's `.properties` text: `server.properties`, and what `meta.properties` is written in.

use bytes::Bytes;
use determinism::java::{ConcurrentTable, hash_string};

use raft_log::{Corrupt, quoted};

/// A file of properties, with every byte kept: written back unchanged it is the same file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    lines: Vec<LogicalLine>,
}

/// A property, or a comment or blank line, with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LogicalLine {
    position: usize,
    raw: Bytes,
    property: Option<(String, String)>,
}

impl Properties {
    /// Reads a file as `java.util.Properties.load(InputStream)` does: one byte is one character (ISO 8859-1), comments
    /// begin with `#` or `!`, a backslash continues a line or escapes a character.
    pub fn parse(file: &str, bytes: &Bytes) -> Result<Properties, Corrupt> {
        let mut lines = Vec::new();
        let mut position = 0;
        while position < bytes.len() {
            let (end, logical) = logical_line(bytes, position);
            let property = match logical {
                None => None,
                Some(characters) => Some(split(file, &characters)?),
            };
            lines.push(LogicalLine {
                position,
                raw: bytes.slice(position..end),
                property,
            });
            position = end;
        }
        Ok(Properties { lines })
    }

    /// The value under `key`; of several, the last.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.line_of(key)
            .and_then(|line| line.property.as_ref())
            .map(|(_, value)| value.as_str())
    }

    /// Where the line with that key begins.
    pub fn position(&self, key: &str) -> Option<u64> {
        self.line_of(key).map(|line| line.position as u64)
    }

    /// The number of the line on which that key begins; the first is 1.
    pub fn line_number(&self, key: &str) -> Option<usize> {
        let at = self.line_of(key)?.position;
        let before = self.lines.iter().take_while(|line| line.position < at);
        let newlines = before
            .flat_map(|line| line.raw.iter())
            .filter(|byte| **byte == b'\n');
        Some(newlines.count() + 1)
    }

    /// Keys and values in the order of the file, overridden ones included.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let properties = self.lines.iter().filter_map(|line| line.property.as_ref());
        properties.map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The comment lines in order, each without its end of line.
    pub fn comments(&self) -> impl Iterator<Item = String> {
        let comments = self.lines.iter().filter(|line| line.property.is_none());
        comments
            .map(|line| latin_1(&line.raw).trim_end_matches(['\n', '\r']).to_owned())
            .filter(|text| !text.trim().is_empty())
    }

    /// Sets a value, in place where the key stands already, else in a new last line.
    pub fn set(&mut self, key: &str, value: &str) {
        let raw = Bytes::from(line(key, value));
        let property = Some((key.to_owned(), value.to_owned()));
        let is_key =
            |line: &&mut LogicalLine| line.property.as_ref().is_some_and(|(k, _)| k == key);
        if let Some(line) = self.lines.iter_mut().rev().find(is_key) {
            (line.raw, line.property) = (raw, property);
            return;
        }
        if let Some(last) = self.lines.last_mut()
            && !last.raw.ends_with(b"\n")
        {
            last.raw = [&last.raw[..], b"\n"].concat().into();
        }
        let position = self.lines.iter().map(|line| line.raw.len()).sum();
        self.lines.push(LogicalLine {
            position,
            raw,
            property,
        });
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Bytes {
        let raw: Vec<&[u8]> = self.lines.iter().map(|line| &line.raw[..]).collect();
        Bytes::from(raw.concat())
    }

    fn line_of(&self, key: &str) -> Option<&LogicalLine> {
        let is_key = |line: &&LogicalLine| line.property.as_ref().is_some_and(|(k, _)| k == key);
        self.lines.iter().rev().find(is_key)
    }
}

/// The bytes that Kafka's `PropertiesUtils.writePropertiesFile` makes: an empty comment, the date comment, then the
/// properties in the order of Java 17's hash map. `date` is the text after `#`, such as `Sat Jan 04 12:00:00 UTC 2026`.
pub fn store(properties: &[(&str, &str)], date: &str) -> Bytes {
    let mut text = format!("#\n#{date}\n");
    let mut table = ConcurrentTable::new();
    for &(key, value) in properties {
        match table.find_mut(|(name, _)| *name == key) {
            Some((_, earlier)) => *earlier = value,
            None => table.insert(hash_string(key), (key, value)),
        }
    }
    for (key, value) in table.iter() {
        text.push_str(&line(key, value));
    }
    Bytes::from(text)
}

fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// A character of a logical line: its position in the file, and whether a backslash stood before it.
type Character = (usize, u8);

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0c)
}

/// The logical line at `start`: where the next one begins, and its bytes without leading spaces and continuations;
/// `None` for a comment or a blank line.
fn logical_line(bytes: &[u8], start: usize) -> (usize, Option<Vec<Character>>) {
    let mut characters: Vec<Character> = Vec::new();
    let mut at = start;
    let mut leading = true;
    let mut comment = false;
    let mut backslashes = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'\n' || byte == b'\r' {
            at += if bytes[at..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
            if backslashes % 2 == 1 {
                characters.pop();
                (leading, backslashes) = (true, 0);
                continue;
            }
            break;
        }
        let place = at;
        at += 1;
        if leading && is_space(byte) {
            continue;
        }
        if leading && characters.is_empty() && matches!(byte, b'#' | b'!') {
            comment = true;
        }
        leading = false;
        if comment {
            continue;
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
        characters.push((place, byte));
    }
    // A lone backslash at the end of the file continues into nothing.
    if at == bytes.len() && backslashes % 2 == 1 {
        characters.pop();
    }
    (
        at,
        (!comment && !characters.is_empty()).then_some(characters),
    )
}

/// Key and value: the key ends at the first bare `=`, `:` or space.
fn split(file: &str, characters: &[Character]) -> Result<(String, String), Corrupt> {
    let mut end = 0;
    while end < characters.len() {
        match characters[end].1 {
            b'\\' => end += 1,
            b'=' | b':' => break,
            byte if is_space(byte) => break,
            _ => {}
        }
        end += 1;
    }
    let end = end.min(characters.len());
    let mut value = end;
    let mut separated = false;
    while let Some((_, byte)) = characters.get(value) {
        match byte {
            b'=' | b':' if !separated => separated = true,
            byte if is_space(*byte) => {}
            _ => break,
        }
        value += 1;
    }
    Ok((
        unescape(file, &characters[..end])?,
        unescape(file, &characters[value..])?,
    ))
}

fn unescape(file: &str, characters: &[Character]) -> Result<String, Corrupt> {
    let mut units: Vec<u16> = Vec::with_capacity(characters.len());
    let mut at = 0;
    while at < characters.len() {
        let byte = characters[at].1;
        at += 1;
        if byte != b'\\' {
            units.push(u16::from(byte));
            continue;
        }
        let Some((position, escaped)) = characters.get(at).copied() else {
            break;
        };
        at += 1;
        units.push(match escaped {
            b't' => u16::from(b'\t'),
            b'n' => u16::from(b'\n'),
            b'r' => u16::from(b'\r'),
            b'f' => 0x0c,
            b'u' => {
                let digits: String = characters[at..]
                    .iter()
                    .take(4)
                    .map(|(_, digit)| char::from(*digit))
                    .collect();
                let unit = (digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
                    .then(|| u16::from_str_radix(&digits, 16).ok())
                    .flatten();
                let Some(unit) = unit else {
                    let expected = "four hex digits after \\u";
                    let found = quoted(&digits);
                    return Err(Corrupt::invalid(file, position as u64 + 1, expected, found));
                };
                at += 4;
                unit
            }
            other => u16::from(other),
        });
    }
    Ok(String::from_utf16_lossy(&units))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Value,
}

/// One property as Java writes it.
fn line(key: &str, value: &str) -> String {
    format!(
        "{}={}\n",
        escape(key, Part::Key),
        escape(value, Part::Value)
    )
}

/// Escapes as `Properties.store(Writer)` does: every space of a key, the first of a value.
fn escape(text: &str, part: Part) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, letter) in text.chars().enumerate() {
        match letter {
            ' ' if part == Part::Key || at == 0 => escaped.push_str("\\ "),
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\u{c}' => escaped.push_str("\\f"),
            '\\' | '=' | ':' | '#' | '!' => escaped.extend(['\\', letter]),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Properties {
        Properties::parse("p", &Bytes::copy_from_slice(text.as_bytes())).unwrap()
    }

    fn pairs(text: &str) -> Vec<(String, String)> {
        parse(text)
            .iter()
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    }

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn keys_and_values_as_java_splits_them() {
        for (text, key, value) in [
            ("a=b", "a", "b"),
            ("  a : b ", "a", "b "),
            ("a b=c", "a", "b=c"),
            ("a = = b", "a", "= b"),
            ("a", "a", ""),
            ("a\\ b=c", "a b", "c"),
            ("a\\=b=c", "a=b", "c"),
            ("a=b\\\n   c", "a", "bc"),
            ("a=b\\\r\n\tc", "a", "bc"),
            ("a=b\\\\\n", "a", "b\\"),
            ("a=\\u0041\\t\\x", "a", "A\tx"),
            ("a=b\\", "a", "b"),
            ("a\\\n=b", "a", "b"),
            ("=b", "", "b"),
            ("a=b\\\n#c", "a", "b#c"),
        ] {
            assert_eq!(pairs(text), [pair(key, value)], "{text:?}");
        }
        assert_eq!(pairs("# c\n\n ! d\\\na=1\n"), [pair("a", "1")]);
        assert_eq!(parse("a=1\na=2\n").get("a"), Some("2"));
        assert_eq!(parse("a=1\nb=2\n").position("b"), Some(4));
        assert_eq!(parse("a=1\\\n 2\n\nb=2\n").line_number("b"), Some(4));
        assert_eq!(parse("a=1\n").line_number("b"), None);
        assert_eq!(
            parse("#\n#date\na=1\n").comments().collect::<Vec<_>>(),
            ["#", "#date"]
        );
    }

    #[test]
    fn a_bad_escape_is_placed() {
        let error = Properties::parse("p", &Bytes::from_static(b"x=1\na=\\u12")).unwrap_err();
        assert_eq!((error.position, error.found.as_str()), (8, "`12`"));
    }

    #[test]
    fn a_value_is_changed_in_place() {
        let mut properties = parse("#c\na=1\nb=2");
        properties.set("a", " x y");
        properties.set("c", "3");
        assert_eq!(properties.to_bytes(), "#c\na=\\ x y\nb=2\nc=3\n");
        assert_eq!(properties.get("a"), Some(" x y"));
    }

    #[test]
    fn stored_in_the_order_of_javas_hash_map() {
        let properties = [
            ("version", "1"),
            ("cluster.id", "x"),
            ("node.id", "1"),
            ("directory.id", "d"),
        ];
        let stored = store(&properties, "Sat Jan 04 12:00:00 UTC 2026");
        let expected = "#\n#Sat Jan 04 12:00:00 UTC 2026\n\
            node.id=1\ndirectory.id=d\nversion=1\ncluster.id=x\n";
        assert_eq!(stored, expected);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_and_rewritten(bytes: Vec<u8>) {
            let bytes = Bytes::from(bytes);
            if let Ok(properties) = Properties::parse("p", &bytes) {
                prop_assert_eq!(properties.to_bytes(), bytes);
            }
        }

        #[test]
        fn what_is_stored_is_read(key in "[ -~\t\n]{1,12}", value in "[ -~\t\n\r]{0,12}") {
            let stored = store(&[(&key, &value)], "date");
            let properties = Properties::parse("p", &stored).unwrap();
            prop_assert_eq!(properties.get(&key), Some(value.as_str()));
        }
    }
}
