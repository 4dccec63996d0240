use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use determinism::java::{HashTable, hash_all, hash_string, sort_as_immutable_set};
use records::{NodeId, ReplicaKey};
use releases::raft::SetOrder;

use crate::{Address, Endpoints, ListenerName};

/// A range of supported feature levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SupportedVersionRange {
    pub min: i16,
    pub max: i16,
}

impl SupportedVersionRange {
    /// Whether `level` lies in it.
    pub fn contains(self, level: i16) -> bool {
        (self.min..=self.max).contains(&level)
    }
}

/// One voter: who it is, where it is reached, which kraft.version it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterNode {
    /// Node and, unless the quorum is static, directory.
    pub voter_key: ReplicaKey,
    /// Its controller listeners.
    pub listeners: Endpoints,
    /// Its kraft.version range.
    pub supported_kraft_version: SupportedVersionRange,
}

impl VoterNode {
    /// `VoterNode.hashCode()`, which orders Kafka's hash tables of voters.
    fn hash_code(&self) -> i32 {
        let range = self.supported_kraft_version;
        let range = [
            hash_string("min_version"),
            range.min.into(),
            hash_string("max_version"),
            range.max.into(),
        ];
        hash_all([
            self.voter_key.hash_code(),
            self.listeners.hash_code(),
            hash_all(range),
        ])
    }

    /// Whether a replica is this voter; a voter without directory id is any directory of its node.
    pub fn is_voter(&self, key: ReplicaKey) -> bool {
        self.voter_key.id == key.id
            && (self.voter_key.directory_id.is_none()
                || self.voter_key.directory_id == key.directory_id)
    }
}

/// A set of voters. Shared, cheap to clone.
///
/// Source: `4.4:raft/…/VoterSet.java`.
#[derive(Clone, Debug, Default)]
pub struct VoterSet {
    voters: Arc<BTreeMap<NodeId, VoterNode>>,
    /// The ids as Kafka's hash table hands them out: the order in which it writes and asks.
    order: Arc<[NodeId]>,
}

impl PartialEq for VoterSet {
    fn eq(&self, other: &Self) -> bool {
        self.voters == other.voters
    }
}

impl Eq for VoterSet {}

impl VoterSet {
    /// No voters: a dynamic quorum that has not heard of any.
    pub fn empty() -> Self {
        VoterSet::default()
    }

    /// Static voters, in the order of the map that Kafka is given: no directory ids, kraft.version 0 only.
    pub fn from_addresses<'a>(
        listener: &ListenerName,
        voters: impl IntoIterator<Item = &'a (NodeId, Address)>,
    ) -> Self {
        let nodes = voters.into_iter().map(|(id, address)| VoterNode {
            voter_key: ReplicaKey::of_node(*id),
            listeners: Endpoints::new([(listener.clone(), address.clone())]),
            supported_kraft_version: SupportedVersionRange::default(),
        });
        VoterSet::in_table(HashTable::new(), nodes)
    }

    /// The voters of a VOTERS record that listed `nodes`.
    pub fn from_record(nodes: impl IntoIterator<Item = VoterNode>) -> Self {
        let nodes: Vec<VoterNode> = nodes.into_iter().collect();
        VoterSet::in_table(HashTable::with_capacity(nodes.len()), nodes)
    }

    /// Puts the nodes into a hash table one after the other.
    fn in_table(table: HashTable, nodes: impl IntoIterator<Item = VoterNode>) -> Self {
        let (mut voters, mut order) = (BTreeMap::new(), Vec::new());
        for node in nodes {
            let id = node.voter_key.id;
            if voters.insert(id, node).is_none() {
                order.push(id);
            }
        }
        table.sort(&mut order, |id| id.0);
        VoterSet {
            voters: Arc::new(voters),
            order: order.into(),
        }
    }

    /// A copy with this entry, in place of the one with its id or besides the others.
    fn with(&self, node: VoterNode) -> Self {
        let nodes = self.in_map_order().cloned().chain([node]);
        VoterSet::in_table(HashTable::copy_of_map(self.len()), nodes)
    }

    /// A copy without an entry.
    fn without(&self, id: NodeId) -> Self {
        let mut copy = VoterSet::in_table(
            HashTable::copy_of_map(self.len()),
            self.in_map_order().cloned(),
        );
        Arc::make_mut(&mut copy.voters).remove(&id);
        copy.order = copy
            .order
            .iter()
            .copied()
            .filter(|other| *other != id)
            .collect();
        copy
    }

    /// The voter with that id.
    pub fn voter(&self, id: NodeId) -> Option<&VoterNode> {
        self.voters.get(&id)
    }

    /// Where a voter is reached at a listener.
    pub fn address(&self, id: NodeId, listener: &ListenerName) -> Option<&Address> {
        self.voter(id)?.listeners.address(listener)
    }

    /// All endpoints of a voter; empty if it is none.
    pub fn listeners(&self, id: NodeId) -> Endpoints {
        self.voter(id)
            .map(|voter| voter.listeners.clone())
            .unwrap_or_default()
    }

    /// Whether that replica is a voter.
    pub fn is_voter(&self, key: ReplicaKey) -> bool {
        self.voter(key.id).is_some_and(|voter| voter.is_voter(key))
    }

    /// Whether that replica is the only voter.
    pub fn is_only_voter(&self, key: ReplicaKey) -> bool {
        self.voters.len() == 1 && self.is_voter(key)
    }

    /// Whether the entry of that voter differs from what it says of itself now.
    pub fn voter_node_needs_update(&self, node: &VoterNode) -> bool {
        self.voter(node.voter_key.id)
            .is_some_and(|entry| entry.is_voter(node.voter_key) && entry != node)
    }

    /// How many voters.
    pub fn len(&self) -> usize {
        self.voters.len()
    }

    /// Whether there is no voter.
    pub fn is_empty(&self) -> bool {
        self.voters.is_empty()
    }

    /// Voter by voter, ascending by id.
    pub fn iter(&self) -> impl Iterator<Item = &VoterNode> {
        self.voters.values()
    }

    /// In ascending order of ids.
    pub fn voter_ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.voters.keys().copied()
    }

    /// Replica keys, ascending by id.
    pub fn voter_keys(&self) -> impl Iterator<Item = ReplicaKey> + '_ {
        self.iter().map(|voter| voter.voter_key)
    }

    /// Voter by voter, in the order of Kafka's map, which is the order of a VOTERS record.
    pub fn in_map_order(&self) -> impl Iterator<Item = &VoterNode> {
        self.order.iter().filter_map(|id| self.voters.get(id))
    }

    /// Replica keys, in the order of the set in which Kafka hands them out.
    pub(crate) fn set_of_keys(&self, order: SetOrder) -> Vec<ReplicaKey> {
        let mut keys: Vec<ReplicaKey> = self.in_map_order().map(|node| node.voter_key).collect();
        HashTable::new().sort(&mut keys, ReplicaKey::hash_code);
        if order == SetOrder::OfImmutableSet {
            sort_as_immutable_set(&mut keys, ReplicaKey::hash_code);
        }
        keys
    }

    /// Voter by voter, in the order of the set in which Kafka hands them out.
    pub(crate) fn set_of_nodes(&self) -> Vec<&VoterNode> {
        let mut nodes: Vec<&VoterNode> = self.in_map_order().collect();
        HashTable::copy_of_collection(nodes.len()).sort(&mut nodes, |node| node.hash_code());
        nodes
    }

    /// With one more voter; `None` if its id is taken.
    pub fn add_voter(&self, voter: VoterNode) -> Option<VoterSet> {
        let is_new = self.voter(voter.voter_key.id).is_none();
        is_new.then(|| self.with(voter))
    }

    /// Without that voter; `None` if it is none, or the last one.
    pub fn remove_voter(&self, key: ReplicaKey) -> Option<VoterSet> {
        let entry = self.voter(key.id)?;
        (entry.voter_key == key && self.len() > 1).then(|| self.without(key.id))
    }

    /// With a new entry of that voter; `None` if it is none.
    pub fn update_voter(&self, voter: VoterNode) -> Option<VoterSet> {
        self.is_voter(voter.voter_key).then(|| self.with(voter))
    }

    /// As [`VoterSet::update_voter`], whatever the directory id was.
    pub fn update_voter_ignoring_directory_id(&self, voter: VoterNode) -> Option<VoterSet> {
        let is_known = self.voter(voter.voter_key.id).is_some();
        is_known.then(|| self.with(voter))
    }

    /// Whether every voter can do that kraft.version.
    pub fn supports_version(&self, kraft_version: i16) -> bool {
        self.iter()
            .all(|voter| voter.supported_kraft_version.contains(kraft_version))
    }
}

impl fmt::Display for VoterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        f.write_str("{")?;
        for key in self.voter_keys() {
            write!(f, "{separator}{key}")?;
            separator = ", ";
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use records::Uuid;

    use super::*;

    fn node(id: i32, directory: u8) -> VoterNode {
        VoterNode {
            voter_key: ReplicaKey::new(NodeId(id), Uuid::from_bytes([directory; 16])),
            listeners: Endpoints::new([(
                ListenerName::normalised("controller"),
                Address::new("localhost", 9000 + id as u16),
            )]),
            supported_kraft_version: SupportedVersionRange { min: 0, max: 1 },
        }
    }

    #[test]
    fn add_remove_update_keep_to_their_conditions() {
        let three = VoterSet::from_record([node(1, 1), node(2, 2), node(3, 3)]);
        assert!(three.add_voter(node(3, 9)).is_none());
        let four = three.add_voter(node(4, 4)).expect("4 is new");
        assert!(four.remove_voter(node(2, 9).voter_key).is_none());
        let back = four
            .remove_voter(node(4, 4).voter_key)
            .expect("4 is a voter");
        assert_eq!(back, three);
        assert!(
            VoterSet::from_record([node(1, 1)])
                .remove_voter(node(1, 1).voter_key)
                .is_none()
        );
        assert!(three.update_voter(node(2, 8)).is_none());
        assert!(
            three
                .update_voter_ignoring_directory_id(node(2, 8))
                .is_some()
        );
    }

    #[test]
    fn a_static_voter_is_any_directory_of_its_node() {
        let listener = ListenerName::normalised("CONTROLLER");
        let voters = VoterSet::from_addresses(&listener, &[(NodeId(1), Address::new("a", 1))]);
        assert!(voters.is_only_voter(node(1, 5).voter_key));
        assert!(!voters.is_voter(node(2, 5).voter_key));
        assert!(!voters.supports_version(1));
    }
}
