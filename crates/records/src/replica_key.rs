//! [`ReplicaKey`]: who a replica is.

use std::fmt;

use crate::{NodeId, Uuid};

/// A replica of the metadata log: its node and, where known, the directory that holds its log.
///
/// Static voters have no directory id; after a disk swap the same node is another replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReplicaKey {
    pub id: NodeId,
    /// Its metadata log directory; `None` where only the node is known.
    pub directory_id: Option<Uuid>,
}

impl ReplicaKey {
    /// A replica by node alone.
    pub const fn of_node(id: NodeId) -> Self {
        Self {
            id,
            directory_id: None,
        }
    }

    /// A replica by node and directory; the zero uuid stands for "not known", as on the wire.
    pub fn new(id: NodeId, directory_id: Uuid) -> Self {
        Self {
            id,
            directory_id: (directory_id != Uuid::ZERO).then_some(directory_id),
        }
    }

    /// `ReplicaKey.hashCode()`, which orders the hash tables of Kafka that hold replicas.
    pub fn hash_code(&self) -> i32 {
        let directory = self.directory_id.map_or(0, |id| id.hash_code());
        determinism::java::hash_all([self.id.0, directory])
    }

    /// The directory id as it is written: zero if not known.
    pub fn directory_id_or_zero(&self) -> Uuid {
        self.directory_id.unwrap_or(Uuid::ZERO)
    }
}

impl fmt::Display for ReplicaKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.directory_id {
            Some(directory_id) => write!(f, "{}@{directory_id}", self.id),
            None => write!(f, "{}", self.id),
        }
    }
}
