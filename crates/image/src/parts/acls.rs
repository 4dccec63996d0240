//! Access control entries (`4.4:metadata/…/image/AclsImage.java`, `AclsDelta.java`).

use std::sync::Arc;

use determinism::java::HashTable;
use imbl::OrdMap;
use records::metadata::{
    AccessControlEntryRecord, MetadataRecord, RemoveAccessControlEntryRecord, VersionedRecord,
};
use records::{TaggedFields, Uuid};

use crate::parts::{insert, remove};
use crate::{ApplyError, Delta, Part};

/// Every access control entry, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AclsImage {
    entries: OrdMap<Uuid, Arc<AccessControlEntryRecord>>,
}

fn entry_of(record: AccessControlEntryRecord) -> (i16, MetadataRecord) {
    (0, MetadataRecord::AccessControlEntry(record))
}

impl AclsImage {
    /// All entries, by id.
    pub fn iter(&self) -> impl Iterator<Item = &AccessControlEntryRecord> {
        self.entries.values().map(AsRef::as_ref)
    }

    /// The entry with that id.
    pub fn get(&self, id: Uuid) -> Option<&AccessControlEntryRecord> {
        self.entries.get(&id).map(AsRef::as_ref)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn add(
        &mut self,
        record: &AccessControlEntryRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) {
        delta.touch(Part::Acls);
        let mut entry = record.clone();
        entry.unknown_tagged_fields = TaggedFields::new();
        insert(&mut self.entries, record.id, entry, hash, entry_of);
    }

    pub(crate) fn remove(
        &mut self,
        record: &RemoveAccessControlEntryRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        delta.touch(Part::Acls);
        match remove(&mut self.entries, &record.id, hash, entry_of) {
            Some(_) => Ok(()),
            None => Err(ApplyError::UnknownAcl { id: record.id }),
        }
    }

    pub(crate) fn write(&self, out: &mut Vec<VersionedRecord>) {
        let mut entries: Vec<_> = self.iter().collect();
        HashTable::new().sort(&mut entries, |entry| entry.id.hash_code());
        for entry in entries {
            out.push(VersionedRecord {
                version: 0,
                record: MetadataRecord::AccessControlEntry(entry.clone()),
            });
        }
    }
}
