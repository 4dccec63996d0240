//! [`Line`]: a minor release with its patches.

use std::fmt;
use std::str::FromStr;

/// A minor release of Kafka and all its patch releases: they share schemas and feature levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Line {
    /// 3.9.x
    V3_9,
    /// 4.0.x
    V4_0,
    /// 4.1.x
    V4_1,
    /// 4.2.x
    V4_2,
    /// 4.3.x
    V4_3,
    /// 4.4.x
    V4_4,
}

impl Line {
    /// All lines, oldest first.
    pub const ALL: [Line; 6] = [
        Line::V3_9,
        Line::V4_0,
        Line::V4_1,
        Line::V4_2,
        Line::V4_3,
        Line::V4_4,
    ];

    /// `3.9`
    pub const fn name(self) -> &'static str {
        ["3.9", "4.0", "4.1", "4.2", "4.3", "4.4"][self as usize]
    }

    /// Whether it is `first` or a later line.
    pub const fn is_since(self, first: Line) -> bool {
        self as u8 >= first as u8
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no [`Line`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a line of releases: expected 3.9, 4.0, 4.1, 4.2, 4.3 or 4.4")]
pub struct ParseLineError(pub String);

impl FromStr for Line {
    type Err = ParseLineError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Line::ALL.into_iter().find(|line| line.name() == text);
        found.ok_or_else(|| ParseLineError(text.to_owned()))
    }
}
