//! Dynamic configuration (`4.4:metadata/…/image/ConfigurationsImage.java`, `ConfigurationsDelta.java`).

use determinism::java::{HashTable, hash_string};
use imbl::OrdMap;
use records::metadata::{ConfigRecord, MetadataRecord, VersionedRecord};

use crate::{Delta, Part, entry_hash};

/// `ConfigResource.Type.TOPIC`.
pub const TOPIC: i8 = 2;
/// `ConfigResource.Type.BROKER`; the empty name stands for all brokers.
pub const BROKER: i8 = 4;

/// A resource that has configuration: its type's id, and its name.
pub type Resource = (i8, String);

/// Every config that is set, by resource and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigsImage {
    resources: OrdMap<Resource, OrdMap<String, String>>,
}

fn entry_of(resource: &Resource, name: &str, value: &str) -> u64 {
    let (kind, owner) = resource;
    entry_hash::of_parts(
        "config",
        &[
            &kind.to_be_bytes(),
            owner.as_bytes(),
            name.as_bytes(),
            value.as_bytes(),
        ],
    )
}

impl ConfigsImage {
    /// A config of a resource.
    pub fn get(&self, resource_type: i8, resource_name: &str, name: &str) -> Option<&str> {
        let configs = self
            .resources
            .get(&(resource_type, resource_name.to_owned()))?;
        configs.get(name).map(String::as_str)
    }

    /// All configs of a resource, by name.
    pub fn of(&self, resource_type: i8, resource_name: &str) -> impl Iterator<Item = (&str, &str)> {
        let configs = self
            .resources
            .get(&(resource_type, resource_name.to_owned()));
        let configs = configs.into_iter().flatten();
        configs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// All of it: resource type, resource name, config name, value.
    pub fn iter(&self) -> impl Iterator<Item = (i8, &str, &str, &str)> {
        self.resources.iter().flat_map(|((kind, owner), configs)| {
            configs
                .iter()
                .map(|(name, value)| (*kind, owner.as_str(), name.as_str(), value.as_str()))
        })
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    pub(crate) fn apply(&mut self, record: &ConfigRecord, delta: &mut Delta, hash: &mut u64) {
        delta.touch(Part::Configs);
        let resource = (record.resource_type, record.resource_name.clone());
        let mut configs = self.resources.get(&resource).cloned().unwrap_or_default();
        let old = match &record.value {
            Some(value) => {
                *hash = hash.wrapping_add(entry_of(&resource, &record.name, value));
                configs.insert(record.name.clone(), value.clone())
            }
            None => configs.remove(&record.name),
        };
        if let Some(old) = old {
            *hash = hash.wrapping_sub(entry_of(&resource, &record.name, &old));
        }
        if configs.is_empty() {
            self.resources.remove(&resource);
        } else {
            self.resources.insert(resource, configs);
        }
    }

    /// The configs of a topic go with it.
    pub(crate) fn remove_topic(&mut self, name: &str, delta: &mut Delta, hash: &mut u64) {
        let resource = (TOPIC, name.to_owned());
        if let Some(configs) = self.resources.remove(&resource) {
            delta.touch(Part::Configs);
            for (name, value) in &configs {
                *hash = hash.wrapping_sub(entry_of(&resource, name, value));
            }
        }
    }

    pub(crate) fn write(&self, out: &mut Vec<VersionedRecord>) {
        for ((resource_type, resource_name), configs) in &self.resources {
            let mut entries: Vec<_> = configs.iter().collect();
            HashTable::with_capacity(1).sort(&mut entries, |(name, _)| hash_string(name));
            for (name, value) in entries {
                let record = ConfigRecord {
                    resource_type: *resource_type,
                    resource_name: resource_name.clone(),
                    name: name.clone(),
                    value: Some(value.clone()),
                    ..Default::default()
                };
                out.push(VersionedRecord {
                    version: 0,
                    record: MetadataRecord::Config(record),
                });
            }
        }
    }
}
