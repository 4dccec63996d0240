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
use crate::{ApplyError, Delta, Part};

/// Every credential, by mechanism and user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScramImage {
    credentials: OrdMap<(i8, String), Arc<UserScramCredentialRecord>>,
}

fn entry_of(record: UserScramCredentialRecord) -> (i16, MetadataRecord) {
    (0, MetadataRecord::UserScramCredential(record))
}

/// SCRAM-SHA-256 is 1, SCRAM-SHA-512 is 2; the record reader of Kafka maps every other number to "unknown", which no
/// image keeps apart.
fn check(mechanism: i8, record: &'static str) -> Result<(), ApplyError> {
    if (0..=2).contains(&mechanism) {
        return Ok(());
    }
    Err(ApplyError::UnknownValue {
        record,
        field: "mechanism",
        value: i64::from(mechanism),
    })
}

impl ScramImage {
    /// All credentials, by mechanism and user.
    pub fn iter(&self) -> impl Iterator<Item = &UserScramCredentialRecord> {
        self.credentials.values().map(AsRef::as_ref)
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
    ) -> Result<(), ApplyError> {
        check(record.mechanism, "UserScramCredentialRecord")?;
        delta.touch(Part::Scram);
        let mut entry = record.clone();
        entry.unknown_tagged_fields = TaggedFields::new();
        insert(
            &mut self.credentials,
            (record.mechanism, record.name.clone()),
            entry,
            hash,
            entry_of,
        );
        Ok(())
    }

    pub(crate) fn remove(
        &mut self,
        record: &RemoveUserScramCredentialRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        check(record.mechanism, "RemoveUserScramCredentialRecord")?;
        delta.touch(Part::Scram);
        remove(
            &mut self.credentials,
            &(record.mechanism, record.name.clone()),
            hash,
            entry_of,
        );
        Ok(())
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
