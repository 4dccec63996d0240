//! Client quotas (`4.4:metadata/…/image/ClientQuotasImage.java`, `ClientQuotasDelta.java`).

use imbl::OrdMap;
use records::Float64;
use records::metadata::{ClientQuotaRecord, EntityData, MetadataRecord, VersionedRecord};

use crate::{Delta, Part, entry_hash};

/// Whom a quota is for: entity type to name, `None` for the default of the type.
pub type Entity = OrdMap<String, Option<String>>;

/// Every quota, by entity and key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientQuotasImage {
    quotas: OrdMap<(Entity, String), Float64>,
}

fn entry_of(entity: &Entity, key: &str, value: Float64) -> u64 {
    let mut bytes = Vec::new();
    for (kind, name) in entity {
        bytes.extend_from_slice(kind.as_bytes());
        bytes.push(0);
        bytes.push(u8::from(name.is_some()));
        bytes.extend_from_slice(name.as_deref().unwrap_or_default().as_bytes());
        bytes.push(0);
    }
    entry_hash::of_parts(
        "quota",
        &[&bytes, key.as_bytes(), &value.to_bits().to_be_bytes()],
    )
}

impl ClientQuotasImage {
    /// All quotas: entity, key, value.
    pub fn iter(&self) -> impl Iterator<Item = (&Entity, &str, Float64)> {
        self.quotas
            .iter()
            .map(|((entity, key), value)| (entity, key.as_str(), *value))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.quotas.is_empty()
    }

    pub(crate) fn apply(&mut self, record: &ClientQuotaRecord, delta: &mut Delta, hash: &mut u64) {
        delta.touch(Part::ClientQuotas);
        let entity: Entity = record
            .entity
            .iter()
            .map(|part| (part.entity_type.clone(), part.entity_name.clone()))
            .collect();
        let key = (entity, record.key.clone());
        let old = if record.remove {
            self.quotas.remove(&key)
        } else {
            *hash = hash.wrapping_add(entry_of(&key.0, &key.1, record.value));
            self.quotas.insert(key.clone(), record.value)
        };
        if let Some(old) = old {
            *hash = hash.wrapping_sub(entry_of(&key.0, &key.1, old));
        }
    }

    pub(crate) fn write(&self, out: &mut Vec<VersionedRecord>) {
        for (entity, key, value) in self.iter() {
            let part = |(kind, name): (&String, &Option<String>)| EntityData {
                entity_type: kind.clone(),
                entity_name: name.clone(),
                ..Default::default()
            };
            let record = ClientQuotaRecord {
                entity: entity.iter().map(part).collect(),
                key: key.to_owned(),
                value,
                remove: false,
                ..Default::default()
            };
            out.push(VersionedRecord {
                version: 0,
                record: MetadataRecord::ClientQuota(record),
            });
        }
    }
}
