use determinism::java::{hash_all, hash_bool, hash_string};
use releases::raft::NodeHash;

use crate::Address;

/// A node to send to. Bootstrap servers whose id is not known have ids from −2 downwards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Node id, or a negative stand-in.
    pub id: i32,
    /// Where it is reached.
    pub address: Address,
}

impl Node {
    /// `Node.hashCode()`, which orders Kafka's hash tables of nodes.
    pub(crate) fn hash_code(&self, rule: NodeHash) -> i32 {
        let (host, port) = (hash_string(&self.address.host), self.address.port);
        let without_rack = [host, self.id, i32::from(port), 0];
        match rule {
            NodeHash::AddressAndId => hash_all(without_rack),
            NodeHash::WithFencing => hash_all(without_rack.into_iter().chain([hash_bool(false)])),
        }
    }
}

/// The endpoint of a leader in a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeEndpoint {
    pub node_id: i32,
    /// Its address at the listener the request came in by.
    pub address: Address,
}
