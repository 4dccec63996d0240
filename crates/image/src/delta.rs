//! What a stretch of records touched.

use std::collections::BTreeSet;

use records::{NodeId, Uuid};

/// A part of the image that is not looked at entry by entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Finalized features, 3.9's migration state among them.
    Features,
    Configs,
    ClientQuotas,
    ProducerIds,
    /// Access control entries.
    Acls,
    Scram,
    DelegationTokens,
}

/// What changed between two images, as far as somebody asks: which parts, and whose entries.
///
/// Naming an entry does not mean that it differs; Kafka's deltas do not promise that either.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Parts that were touched.
    pub parts: BTreeSet<Part>,
    /// Brokers whose registration was touched.
    pub brokers: BTreeSet<NodeId>,
    /// Controllers whose registration was touched.
    pub controllers: BTreeSet<NodeId>,
    /// Topics that were touched.
    pub topics: BTreeSet<Uuid>,
}

impl Delta {
    /// Whether a part was touched.
    pub fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// Whether nothing was touched.
    pub fn is_empty(&self) -> bool {
        *self == Delta::default()
    }

    pub(crate) fn touch(&mut self, part: Part) {
        self.parts.insert(part);
    }
}
