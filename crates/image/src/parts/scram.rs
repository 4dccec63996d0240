//! SCRAM credentials (`4.4:metadata/…/image/ScramImage.java`, `ScramDelta.java`).

use std::sync::Arc;

use imbl::OrdMap;
use records::TaggedFields;
use records::feature::Capability;
use records::metadata::{
    MetadataRecord, RemoveUserScramCredentialRecord, UserScramCredentialRecord, VersionedRecord,
};

use crate::parts::{insert, remove};
use crate::write_options::WriteOptions;
use crate::{Delta, Part};

/// Every credential, by mechanism and user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScramImage {
    credentials: OrdMap<(i8, String), Arc<UserScramCredentialRecord>>,
}

fn entry_of(record: UserScramCredentialRecord) -> (i16, MetadataRecord) {
    (0, MetadataRecord::UserScramCredential(record))
}

/// SCRAM-SHA-256 is 1, SCRAM-SHA-512 is 2; every other number is read as "unknown", 0
/// (`4.4:clients/…/clients/admin/ScramMechanism.java`).
fn known(mechanism: i8) -> i8 {
    match mechanism {
        1 | 2 => mechanism,
        _ => 0,
    }
}

impl ScramImage {
    /// All credentials, by mechanism and user.
    pub fn iter(&self) -> impl Iterator<Item = &UserScramCredentialRecord> {
        self.credentials.values().map(AsRef::as_ref)
    }

    /// Whether a user has a credential of that mechanism.
    pub fn has(&self, mechanism: i8, user: &str) -> bool {
        self.credentials
            .contains_key(&(known(mechanism), user.to_owned()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.credentials.is_empty()
    }

    pub(crate) fn add(
        &mut self,
        record: &UserScramCredentialRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) {
        delta.touch(Part::Scram);
        let mut entry = record.clone();
        entry.unknown_tagged_fields = TaggedFields::new();
        entry.mechanism = known(record.mechanism);
        insert(
            &mut self.credentials,
            (entry.mechanism, record.name.clone()),
            entry,
            hash,
            entry_of,
        );
    }

    pub(crate) fn remove(
        &mut self,
        record: &RemoveUserScramCredentialRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) {
        delta.touch(Part::Scram);
        remove(
            &mut self.credentials,
            &(known(record.mechanism), record.name.clone()),
            hash,
            entry_of,
        );
    }

    pub(crate) fn write(&self, options: &WriteOptions, out: &mut Vec<VersionedRecord>) {
        if !options.can(Capability::Scram) {
            return;
        }
        for credential in self.iter() {
            let record = MetadataRecord::UserScramCredential(credential.clone());
            out.push(VersionedRecord { version: 0, record });
        }
    }
}
