use std::fmt;

use super::super::Kind;

/// Where the walk is: a chain over the stack of calls, written out only for an error or an unknown tagged field.
#[derive(Clone, Copy)]
pub(crate) enum Path<'a> {
    /// A frame's header.
    Header,
    Message(Kind),
    Field(&'a Path<'a>, &'static str),
    Element(&'a Path<'a>, usize),
}

impl Path<'_> {
    /// The path below the message: empty for the message itself, else `topics[0].partitions[0]`.
    pub(crate) fn within(&self) -> String {
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
            Path::Header => f.write_str("header"),
            Path::Message(kind) => write!(f, "{kind}"),
            Path::Field(within, name) => write!(f, "{within}.{name}"),
            Path::Element(array, index) => write!(f, "{array}[{index}]"),
        }
    }
}
