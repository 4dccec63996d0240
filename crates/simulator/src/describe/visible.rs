use std::borrow::Cow;
use std::fmt::Write as _;

/// Text from outside (names, configuration values, strings in records) as it may be shown on a line: a character that
/// would end the line, move the cursor, change the order of letters or not be seen at all is shown as its escape, `\n` or
/// `\u001b`.
///
/// ```
/// use simulator::describe::visible;
/// assert_eq!(visible("a\u{1b}[2Jb\n"), "a\\u001b[2Jb\\n");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if is_hidden(c) => push_escape(&mut shown, c),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// A character as JSON escapes it: `\u001b`, in two parts where it is beyond the basic plane.
pub fn push_escape(shown: &mut String, c: char) {
    let mut units = [0; 2];
    for unit in c.encode_utf16(&mut units) {
        write!(shown, "\\u{unit:04x}").expect("text takes any writing");
    }
}

/// Whether a character is not to be shown as it is: control characters, those that change the direction of text or
/// separate lines and paragraphs, and those without width.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_is_hidden_is_escaped_and_the_rest_stays() {
        assert_eq!(visible("žluť — \\n 日本"), "žluť — \\n 日本");
        assert_eq!(visible("a\r\n\tb"), "a\\r\\n\\tb");
        assert_eq!(visible("\u{7f}\u{9b}31m"), "\\u007f\\u009b31m");
        assert_eq!(visible("gpj.\u{202e}exe"), "gpj.\\u202eexe");
        assert_eq!(visible("\u{e0041}"), "\\udb40\\udc41");
    }
}
