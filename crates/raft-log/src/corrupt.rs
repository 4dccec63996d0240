//! Input that is not what it should be.

use std::fmt;

/// How a file is wrong, which decides what its reader makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// The file ends inside something that is whole as far as it goes: what an interrupted write leaves.
    Torn,
    /// The bytes are there and wrong.
    Invalid,
}

/// Bytes that do not say what they should: where they stand, what was expected there, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupt {
    /// Name or path of the file, or of what stands in for one.
    pub file: String,
    /// Position of the first byte that is wrong or missing, counted from the start of the file.
    pub position: u64,
    /// What belongs there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// Cut short, or wrong.
    pub damage: Damage,
}

impl Corrupt {
    /// The bytes at `position` are not what belongs there.
    pub fn invalid(
        file: &str,
        position: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Corrupt {
        let (expected, found) = (expected.into(), found.into());
        Corrupt {
            file: file.to_owned(),
            position,
            expected,
            found,
            damage: Damage::Invalid,
        }
    }

    /// The file ends before what belongs at `position`.
    pub fn torn(
        file: &str,
        position: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Corrupt {
        Corrupt {
            damage: Damage::Torn,
            ..Corrupt::invalid(file, position, expected, found)
        }
    }
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Corrupt {
            file,
            position,
            expected,
            found,
            ..
        } = self;
        write!(
            f,
            "{file}: byte {position}: expected {expected}, found {found}"
        )
    }
}

impl std::error::Error for Corrupt {}
