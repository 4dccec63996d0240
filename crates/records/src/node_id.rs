//! [`NodeId`]: the number of a controller or broker.

use std::fmt;

/// `node.id` of a controller or broker. Negative ids exist only as "none" on the wire and stay outside this type's use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NodeId(pub i32);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl From<i32> for NodeId {
    fn from(id: i32) -> Self {
        Self(id)
    }
}
