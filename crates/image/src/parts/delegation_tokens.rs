//! Delegation tokens (`4.4:metadata/…/image/DelegationTokenImage.java`, `DelegationTokenDelta.java`).

use std::sync::Arc;

use imbl::OrdMap;
use records::TaggedFields;
use records::feature::Capability;
use records::metadata::{
    DelegationTokenRecord, MetadataRecord, RemoveDelegationTokenRecord, VersionedRecord,
};

use crate::parts::{insert, remove};
use crate::write_options::WriteOptions;
use crate::{Delta, Part};

/// Every token, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DelegationTokensImage {
    tokens: OrdMap<String, Arc<DelegationTokenRecord>>,
}

fn entry_of(record: DelegationTokenRecord) -> (i16, MetadataRecord) {
    (0, MetadataRecord::DelegationToken(record))
}

impl DelegationTokensImage {
    /// All tokens, by id.
    pub fn iter(&self) -> impl Iterator<Item = &DelegationTokenRecord> {
        self.tokens.values().map(AsRef::as_ref)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    pub(crate) fn add(
        &mut self,
        record: &DelegationTokenRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) {
        delta.touch(Part::DelegationTokens);
        let mut entry = record.clone();
        entry.unknown_tagged_fields = TaggedFields::new();
        insert(
            &mut self.tokens,
            record.token_id.clone(),
            entry,
            hash,
            entry_of,
        );
    }

    pub(crate) fn remove(
        &mut self,
        record: &RemoveDelegationTokenRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) {
        delta.touch(Part::DelegationTokens);
        remove(&mut self.tokens, &record.token_id, hash, entry_of);
    }

    pub(crate) fn write(&self, options: &WriteOptions, out: &mut Vec<VersionedRecord>) {
        if !options.can(Capability::DelegationTokens) {
            return;
        }
        for token in self.iter() {
            let record = MetadataRecord::DelegationToken(token.clone());
            out.push(VersionedRecord { version: 0, record });
        }
    }
}
