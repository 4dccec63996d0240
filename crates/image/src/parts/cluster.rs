//! Registered brokers and controllers (`4.4:metadata/…/image/ClusterImage.java`, `ClusterDelta.java`).

use std::collections::BTreeMap;
use std::sync::Arc;

use determinism::java::{HashTable, hash_string};
use imbl::OrdMap;
use records::feature::Capability;
use records::metadata::{
    BrokerRegistrationChangeRecord, FenceBrokerRecord, MetadataRecord, RecordKind,
    RegisterBrokerRecord, RegisterControllerRecord, UnfenceBrokerRecord, UnregisterBrokerRecord,
    UnregisterControllerRecord, VersionedRecord,
};
use records::{NodeId, TaggedFields};
use releases::loader::UnnamedListeners;

use crate::parts::{insert, remove};
use crate::write_options::WriteOptions;
use crate::{ApplyError, Delta, Dialect};

/// The registrations in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterImage {
    pub(crate) brokers: OrdMap<NodeId, Arc<RegisterBrokerRecord>>,
    pub(crate) controllers: OrdMap<NodeId, Arc<RegisterControllerRecord>>,
}

fn broker_entry(record: RegisterBrokerRecord) -> (i16, MetadataRecord) {
    (4, MetadataRecord::RegisterBroker(record))
}

fn controller_entry(record: RegisterControllerRecord) -> (i16, MetadataRecord) {
    (0, MetadataRecord::RegisterController(record))
}

impl ClusterImage {
    /// The registration of a broker, in the shape a snapshot would hold.
    pub fn broker(&self, id: NodeId) -> Option<&RegisterBrokerRecord> {
        self.brokers.get(&id).map(AsRef::as_ref)
    }

    /// The registration of a controller, in the shape a snapshot would hold.
    pub fn controller(&self, id: NodeId) -> Option<&RegisterControllerRecord> {
        self.controllers.get(&id).map(AsRef::as_ref)
    }

    /// All brokers, by id.
    pub fn brokers(&self) -> impl Iterator<Item = &RegisterBrokerRecord> {
        self.brokers.values().map(AsRef::as_ref)
    }

    /// All controllers, by id.
    pub fn controllers(&self) -> impl Iterator<Item = &RegisterControllerRecord> {
        self.controllers.values().map(AsRef::as_ref)
    }

    /// Whether no broker is registered: Kafka does not count controllers here, and what a loader publishes depends on it.
    pub fn is_empty(&self) -> bool {
        self.brokers.is_empty()
    }

    pub(crate) fn register_broker(
        &mut self,
        record: &RegisterBrokerRecord,
        dialect: &Dialect,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        let is_unnamed = record.end_points.iter().any(|point| point.name.is_empty());
        if is_unnamed && dialect.unnamed_listeners == UnnamedListeners::Refused {
            let broker = NodeId(record.broker_id);
            return Err(ApplyError::UnnamedListener { broker });
        }
        let mut entry = record.clone();
        entry.unknown_tagged_fields = TaggedFields::new();
        let (listeners, features) = (entry.end_points.len(), entry.features.len());
        let listeners = HashTable::with_capacity(listeners);
        in_map_order(&mut entry.end_points, |e| &e.name, listeners);
        let features = HashTable::copy_of_map(features);
        in_map_order(&mut entry.features, |f| &f.name, features);
        let id = NodeId(record.broker_id);
        delta.brokers.insert(id);
        insert(&mut self.brokers, id, entry, hash, broker_entry);
        Ok(())
    }

    pub(crate) fn unregister_broker(
        &mut self,
        record: &UnregisterBrokerRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) {
        let id = NodeId(record.broker_id);
        delta.brokers.insert(id);
        remove(&mut self.brokers, &id, hash, broker_entry);
    }

    pub(crate) fn register_controller(
        &mut self,
        record: &RegisterControllerRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        let protocols = record.end_points.iter().map(|of| of.security_protocol);
        check_protocols("RegisterControllerRecord", protocols)?;
        let mut entry = record.clone();
        entry.unknown_tagged_fields = TaggedFields::new();
        in_map_order(&mut entry.end_points, |e| &e.name, HashTable::new());
        in_map_order(&mut entry.features, |f| &f.name, HashTable::new());
        let id = NodeId(record.controller_id);
        delta.controllers.insert(id);
        insert(&mut self.controllers, id, entry, hash, controller_entry);
        Ok(())
    }

    pub(crate) fn unregister_controller(
        &mut self,
        record: &UnregisterControllerRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) {
        let id = NodeId(record.controller_id);
        delta.controllers.insert(id);
        remove(&mut self.controllers, &id, hash, controller_entry);
    }

    pub(crate) fn fence(
        &mut self,
        record: &FenceBrokerRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        self.change(
            NodeId(record.id),
            record.epoch,
            "fence",
            delta,
            hash,
            |broker| broker.fenced = true,
        )
    }

    pub(crate) fn unfence(
        &mut self,
        record: &UnfenceBrokerRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        self.change(
            NodeId(record.id),
            record.epoch,
            "unfence",
            delta,
            hash,
            |broker| broker.fenced = false,
        )
    }

    pub(crate) fn change_registration(
        &mut self,
        record: &BrokerRegistrationChangeRecord,
        delta: &mut Delta,
        hash: &mut u64,
    ) -> Result<(), ApplyError> {
        let fenced = match record.fenced {
            0 => None,
            1 => Some(true),
            -1 => Some(false),
            other => return Err(unknown_value("fenced", other)),
        };
        let in_controlled_shutdown = match record.in_controlled_shutdown {
            0 => None,
            1 => Some(true),
            other => return Err(unknown_value("inControlledShutdown", other)),
        };
        let id = NodeId(record.broker_id);
        self.change(id, record.broker_epoch, "change", delta, hash, |broker| {
            if let Some(fenced) = fenced {
                broker.fenced = fenced;
            }
            if let Some(in_controlled_shutdown) = in_controlled_shutdown {
                broker.in_controlled_shutdown = in_controlled_shutdown;
            }
            if !record.log_dirs.is_empty() {
                broker.log_dirs.clone_from(&record.log_dirs);
            }
            if record.cordoned_log_dirs.is_some() {
                broker
                    .cordoned_log_dirs
                    .clone_from(&record.cordoned_log_dirs);
            }
        })
    }

    fn change(
        &mut self,
        id: NodeId,
        epoch: i64,
        action: &'static str,
        delta: &mut Delta,
        hash: &mut u64,
        change: impl FnOnce(&mut RegisterBrokerRecord),
    ) -> Result<(), ApplyError> {
        let Some(current) = self.brokers.get(&id) else {
            return Err(ApplyError::UnknownBroker { action, broker: id });
        };
        if current.broker_epoch != epoch {
            let current = current.broker_epoch;
            return Err(ApplyError::OtherBrokerEpoch {
                action,
                broker: id,
                given: epoch,
                current,
            });
        }
        let mut next = (**current).clone();
        change(&mut next);
        delta.brokers.insert(id);
        insert(&mut self.brokers, id, next, hash, broker_entry);
        Ok(())
    }

    pub(crate) fn write(&self, options: &WriteOptions, out: &mut Vec<VersionedRecord>) {
        let mut brokers: Vec<_> = self.brokers().collect();
        HashTable::with_capacity(1).sort(&mut brokers, |broker| broker.broker_id);
        for broker in brokers {
            let mut record = broker.clone();
            if !options.can(Capability::InControlledShutdown) {
                record.in_controlled_shutdown = false;
            }
            if !options.can(Capability::ZkMigration) {
                record.is_migrating_zk_broker = false;
            }
            if !options.can(Capability::DirectoryAssignment) {
                record.log_dirs.clear();
            }
            if !options.can(Capability::CordonedLogDirs) {
                record.cordoned_log_dirs = None;
            }
            let version = options.record_version(RecordKind::RegisterBroker);
            out.push(VersionedRecord {
                version,
                record: MetadataRecord::RegisterBroker(record),
            });
        }
        if options.can(Capability::ControllerRegistration) {
            let mut controllers: Vec<_> = self.controllers().collect();
            HashTable::with_capacity(1).sort(&mut controllers, |c| c.controller_id);
            for controller in controllers {
                let record = MetadataRecord::RegisterController(controller.clone());
                out.push(VersionedRecord { version: 0, record });
            }
        }
    }
}

/// Registrations keep listeners and features in hash maps (`BrokerRegistration` and `ControllerRegistration`, 3.9 to
/// 4.4), and a snapshot writes them in the order of those. A name that comes twice counts once, with its last value.
fn in_map_order<T>(items: &mut Vec<T>, name: impl Fn(&T) -> &String, table: HashTable) {
    let mut places = BTreeMap::new();
    let mut kept: Vec<T> = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        let place = *places.entry(name(&item).clone()).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(earlier) => *earlier = item,
            None => kept.push(item),
        }
    }
    table.sort(&mut kept, |item| hash_string(name(item)));
    *items = kept;
}

/// Listeners speak one of four protocols (`4.4:clients/…/common/security/auth/SecurityProtocol.java`).
pub fn check_protocols(
    record: &'static str,
    mut protocols: impl Iterator<Item = i16>,
) -> Result<(), ApplyError> {
    match protocols.find(|id| !(0..=3).contains(id)) {
        Some(id) => Err(ApplyError::UnknownValue {
            record,
            field: "securityProtocol",
            value: i64::from(id),
        }),
        None => Ok(()),
    }
}

fn unknown_value(field: &'static str, value: i8) -> ApplyError {
    ApplyError::UnknownValue {
        record: "BrokerRegistrationChangeRecord",
        field,
        value: i64::from(value),
    }
}
