use std::str::FromStr;

/// The zeros of the scripts that have ten digits in a row, as far as one UTF-16 unit holds them: `Character.digit` of Java 17.
const ZEROS: [u16; 36] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// A whole number as `Integer.parseInt`, `Long.parseLong` and `Short.parseShort` read it: with a sign or none, in the digits
/// of any script; `None` where it is none or does not fit.
pub fn whole_number<T: FromStr>(text: &str) -> Option<T> {
    if text.is_ascii() {
        return text.parse().ok();
    }
    let ascii: String = text.chars().map(digit).collect();
    ascii.parse().ok()
}

fn digit(letter: char) -> char {
    let place = |zero: &u16| u32::from(letter).checked_sub(u32::from(*zero));
    let mut values = ZEROS.iter().filter_map(place);
    let value = values.find(|value| *value < 10);
    value
        .and_then(|value| char::from_digit(value, 10))
        .unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_any_script_count() {
        for (text, expected) in [
            ("-12", Some(-12)),
            ("+7", Some(7)),
            ("-0", Some(0)),
            ("\u{661}\u{662}", Some(12)),
            ("-\u{ff15}3", Some(-53)),
            ("\u{1d7d8}", None),
            ("\u{bd}", None),
            ("1 ", None),
            ("+", None),
            ("", None),
            ("2147483648", None),
        ] {
            assert_eq!(whole_number::<i32>(text), expected, "{text}");
        }
    }
}
