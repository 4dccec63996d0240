//! The little JSON that `quorum-state` needs, read leniently as Kafka's Jackson mapper reads it, with positions.

use crate::Corrupt;
use crate::text::quoted;

/// A JSON value and the position of its first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub position: usize,
    pub value: Value,
}

/// A JSON value. A number keeps its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Value {
    /// The value in a few words, for errors.
    pub(crate) fn describe(&self) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(text) => quoted(text),
            Value::String(text) => format!("the string {}", quoted(text)),
            Value::Array(_) => "an array".to_owned(),
            Value::Object(_) => "an object".to_owned(),
        }
    }
}

/// Nesting deeper than this is refused rather than followed.
const DEEPEST: usize = 64;

/// Reads the first JSON value of a text; what follows it is not looked at, as Jackson's `readTree` does not.
pub(crate) fn parse(file: &str, text: &str) -> Result<Node, Corrupt> {
    Parser {
        file,
        text,
        position: 0,
    }
    .value(0)
}

/// A string in JSON form, escaped as Jackson escapes it.
pub(crate) fn quote(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if control < ' ' => {
                let code = format!("\\u{:04X}", u32::from(control));
                out.push_str(&code);
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

struct Parser<'a> {
    file: &'a str,
    text: &'a str,
    position: usize,
}

impl Parser<'_> {
    fn wrong<T>(&self, expected: &str) -> Result<T, Corrupt> {
        let at = self.position as u64;
        Err(match self.text[self.position..].chars().next() {
            None => Corrupt::torn(self.file, at, expected, "the end of the text"),
            Some(letter) => Corrupt::invalid(self.file, at, expected, format!("`{letter}`")),
        })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    fn take(&mut self, byte: u8, expected: &str) -> Result<(), Corrupt> {
        self.skip_spaces();
        if self.peek() != Some(byte) {
            return self.wrong(expected);
        }
        self.position += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Node, Corrupt> {
        self.skip_spaces();
        let position = self.position;
        if depth > DEEPEST {
            return self.wrong("values nested less deeply");
        }
        let value = match self.peek() {
            Some(b'{') => Value::Object(self.object(depth)?),
            Some(b'[') => Value::Array(self.array(depth)?),
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()),
            _ => self.word()?,
        };
        Ok(Node { position, value })
    }

    fn word(&mut self) -> Result<Value, Corrupt> {
        for (word, value) in [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ] {
            if self.text[self.position..].starts_with(word) {
                self.position += word.len();
                return Ok(value);
            }
        }
        self.wrong("a JSON value")
    }

    fn number(&mut self) -> String {
        let rest = &self.text[self.position..];
        let is_part = |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter);
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.position += end;
        rest[..end].to_owned()
    }

    fn object(&mut self, depth: usize) -> Result<Vec<(String, Node)>, Corrupt> {
        self.take(b'{', "`{`")?;
        let mut fields = Vec::new();
        self.skip_spaces();
        if self.peek() == Some(b'}') {
            self.position += 1;
            return Ok(fields);
        }
        loop {
            self.skip_spaces();
            if self.peek() != Some(b'"') {
                return self.wrong("a field name in quotes");
            }
            let name = self.string()?;
            self.take(b':', "`:`")?;
            fields.push((name, self.value(depth + 1)?));
            self.skip_spaces();
            match self.peek() {
                Some(b',') => self.position += 1,
                Some(b'}') => break self.position += 1,
                _ => return self.wrong("`,` or `}`"),
            }
        }
        Ok(fields)
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Node>, Corrupt> {
        self.take(b'[', "`[`")?;
        let mut items = Vec::new();
        self.skip_spaces();
        if self.peek() == Some(b']') {
            self.position += 1;
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_spaces();
            match self.peek() {
                Some(b',') => self.position += 1,
                Some(b']') => break self.position += 1,
                _ => return self.wrong("`,` or `]`"),
            }
        }
        Ok(items)
    }

    fn string(&mut self) -> Result<String, Corrupt> {
        self.position += 1;
        let mut content = String::new();
        loop {
            let Some(letter) = self.text[self.position..].chars().next() else {
                return self.wrong("the closing quote");
            };
            match letter {
                '"' => {
                    self.position += 1;
                    return Ok(content);
                }
                '\\' => content.push(self.escape()?),
                control if control < ' ' => return self.wrong("a letter"),
                other => {
                    content.push(other);
                    self.position += other.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Corrupt> {
        let rest = &self.text[self.position + 1..];
        let simple = match rest.as_bytes().first() {
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(*byte),
            Some(b'u') => {
                let digits = rest
                    .get(1..5)
                    .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
                let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                // Half of a surrogate pair has no place in an id; it becomes the replacement character.
                let Some(code) = code else {
                    return self.wrong("an escape of four hex digits");
                };
                self.position += 6;
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => return self.wrong("an escaped letter"),
        };
        self.position += 2;
        Ok(simple)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_positions() {
        let node = parse("f", " {\"a\" : [1, -2,\"x\\n\\u0041\"], \"b\":null} rest").unwrap();
        assert_eq!(node.position, 1);
        let Value::Object(fields) = node.value else {
            panic!("an object")
        };
        assert_eq!(fields[0].0, "a");
        assert_eq!(
            fields[1].1,
            Node {
                position: 33,
                value: Value::Null
            }
        );
        let Value::Array(items) = &fields[0].1.value else {
            panic!("an array")
        };
        assert_eq!(items[2].value, Value::String("x\nA".to_owned()));
    }

    #[test]
    fn damage_is_placed() {
        for (text, position) in [
            ("", 0),
            ("{", 1),
            ("{\"a\"", 4),
            ("{\"a\":}", 5),
            ("{\"a\":1", 6),
            ("{a:1}", 1),
            ("[1 2]", 3),
            ("\"\\x\"", 1),
            ("nul", 0),
        ] {
            assert_eq!(parse("f", text).unwrap_err().position, position, "{text}");
        }
        assert!(parse("f", &"[".repeat(100_000)).is_err());
    }

    #[test]
    fn quoting_is_undone_by_reading() {
        let text = "a\"\\\n\r\t\u{8}\u{c}\u{1}ü/";
        let mut quoted = String::new();
        quote(text, &mut quoted);
        assert_eq!(
            parse("f", &quoted).unwrap().value,
            Value::String(text.to_owned())
        );
    }
}
