//! How a version stands in the bytes, and where in a message a value stands.

use std::fmt;

/// Longest string, in bytes: its length is a Java `short`.
pub(super) const MAX_STRING_LEN: usize = 0x7fff;

/// How lengths stand in the bytes, and whether tagged fields do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Fixed-width lengths, −1 for null.
    Plain,
    /// Varint lengths plus one, 0 for null; tagged fields at the end of every struct (KIP-482).
    Flexible,
}

/// The form of one version of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Which fields there are.
    pub version: i16,
    /// How their lengths stand.
    pub encoding: Encoding,
}

impl Layout {
    /// A version of a message that is flexible in all of them, as all records are.
    pub const fn flexible(version: i16) -> Self {
        Layout {
            version,
            encoding: Encoding::Flexible,
        }
    }

    /// A version of a message that is flexible from version `first_flexible` on.
    pub const fn of(version: i16, first_flexible: i16) -> Self {
        Layout {
            version,
            encoding: if version < first_flexible {
                Encoding::Plain
            } else {
                Encoding::Flexible
            },
        }
    }
}

/// Where in a message a value stands: a chain over the stack of calls, written out only for an error or an unknown
/// tagged field.
#[derive(Clone, Copy, Debug)]
pub enum Path<'a> {
    /// The message, by its name.
    Root(&'static str),
    /// A field of a struct.
    Field(&'a Path<'a>, &'static str),
    /// An element of an array.
    Element(&'a Path<'a>, usize),
}

impl Path<'_> {
    /// The path below the message: empty for the message itself, else `topics[0].partitions[0]`.
    pub fn within(&self) -> String {
        let full = self.to_string();
        match full.split_once('.') {
            Some((_, below)) => below.to_owned(),
            None => String::new(),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root(message) => f.write_str(message),
            Path::Field(within, name) => write!(f, "{within}.{name}"),
            Path::Element(array, index) => write!(f, "{array}[{index}]"),
        }
    }
}
