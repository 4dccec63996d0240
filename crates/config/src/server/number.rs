//! Numbers and flags of a configuration.

use super::{ConfigError, Entries};

/// `true` or `false`, as configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Off,
    On,
}

/// A whole number of 64 bits, at least `minimum`.
pub(super) fn long(
    entries: &Entries,
    key: &str,
    default: i64,
    minimum: i64,
) -> Result<i64, ConfigError> {
    let Some(text) = entries.get(key) else {
        return Ok(default);
    };
    match text.trim().parse() {
        Ok(number) if number >= minimum => Ok(number),
        _ => Err(wrong(
            key,
            text,
            format!("a whole number{}", at_least(minimum, i64::MIN)),
        )),
    }
}

/// A whole number of 32 bits, at least `minimum`.
pub(super) fn int(
    entries: &Entries,
    key: &str,
    default: i32,
    minimum: i32,
) -> Result<i32, ConfigError> {
    let Some(text) = entries.get(key) else {
        return Ok(default);
    };
    match text.trim().parse() {
        Ok(number) if number >= minimum => Ok(number),
        _ => Err(wrong(
            key,
            text,
            format!(
                "a whole number of 32 bits{}",
                at_least(i64::from(minimum), i64::from(i32::MIN))
            ),
        )),
    }
}

/// A flag that is off by default.
pub(super) fn flag(entries: &Entries, key: &str) -> Result<Flag, ConfigError> {
    let Some(text) = entries.get(key) else {
        return Ok(Flag::Off);
    };
    match text.trim().to_ascii_lowercase().as_str() {
        "true" => Ok(Flag::On),
        "false" => Ok(Flag::Off),
        _ => Err(wrong(key, text, "true or false".to_owned())),
    }
}

fn at_least(minimum: i64, none: i64) -> String {
    if minimum == none {
        String::new()
    } else {
        format!(", at least {minimum}")
    }
}

fn wrong(key: &str, found: &str, expected: String) -> ConfigError {
    ConfigError::NotANumber {
        key: key.to_owned(),
        found: found.to_owned(),
        expected,
    }
}
