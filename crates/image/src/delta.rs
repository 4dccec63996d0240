//! What a stretch of records touched.

use std::collections::BTreeSet;

use records::{NodeId, Uuid};

/// What changed between two images, as far as somebody asks: which parts, and whose entries.
///
/// Naming an entry does not mean that it differs; Kafka's deltas do not promise that either.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// A feature record, or 3.9's migration state, was seen.
    pub features: bool,
    /// Brokers whose registration was touched.
    pub brokers: BTreeSet<NodeId>,
    /// Controllers whose registration was touched.
    pub controllers: BTreeSet<NodeId>,
    /// Topics that were touched.
    pub topics: BTreeSet<Uuid>,
    /// Some config was touched.
    pub configs: bool,
    /// Some quota was touched.
    pub client_quotas: bool,
    /// The next producer id was touched.
    pub producer_ids: bool,
    /// Some access control entry was touched.
    pub acls: bool,
    /// Some SCRAM credential was touched.
    pub scram: bool,
    /// Some delegation token was touched.
    pub delegation_tokens: bool,
}

impl Delta {
    /// Whether nothing was touched.
    pub fn is_empty(&self) -> bool {
        *self == Delta::default()
    }
}
