//! Registration of brokers (`registerBroker` in `4.4:…/controller/ClusterControlManager.java`, `unregisterBroker` in
//! `ReplicationControlManager.java`) and their dynamic configuration (`ConfigurationControlManager.java`).
//!
//! There are neither heartbeats nor topics yet: a broker stays fenced, so that it has no session that would keep another
//! incarnation out, and leaves no partitions behind.

use std::collections::BTreeSet;

use listener::RaftClient;
use records::feature::{Capability, KRAFT_VERSION, METADATA_VERSION, VersionRange};
use records::metadata::{
    BrokerEndpoint, BrokerFeature, ConfigRecord, RecordKind, RegisterBrokerRecord,
    UnregisterBrokerRecord, VersionedRecord, record_version_for,
};
use records::{NodeId, Uuid};

use crate::controller::Controller;
use crate::request::{BrokerRegistration, RequestError, Response, SetBrokerConfigs};
use crate::result::ControllerResult;
use crate::write_path::WriteFailure;

/// `ConfigResource.Type.BROKER`
const BROKER_RESOURCE: i8 = 4;

impl Controller {
    pub(crate) fn register_broker(
        &self,
        registration: &BrokerRegistration,
        raft: &impl RaftClient,
    ) -> Result<(ControllerResult, Response), WriteFailure> {
        let version = self.metadata_version().ok_or_else(|| {
            WriteFailure::Unexpected("the metadata.version is not known".to_owned())
        })?;
        let has_directories = self
            .rules
            .features
            .supports(version, Capability::DirectoryAssignment);
        if has_directories {
            self.check_directories(registration)
                .map_err(WriteFailure::Refused)?;
        }
        self.check_features(registration, version.0, raft.kraft_version())
            .map_err(WriteFailure::Refused)?;
        let mut record = record_of(registration);
        if has_directories {
            record.log_dirs.clone_from(&registration.log_dirs);
        }
        let existing = self.image().cluster().broker(registration.broker_id);
        match existing.filter(|known| known.incarnation_id == registration.incarnation_id) {
            Some(known) => {
                record.fenced = known.fenced;
                record.in_controlled_shutdown = known.in_controlled_shutdown;
                record.broker_epoch = known.broker_epoch;
            }
            None => {
                record.broker_epoch = self.offsets.next_write_offset().ok_or_else(|| {
                    WriteFailure::Unexpected("the next offset is not known".to_owned())
                })?;
            }
        }
        let epoch = record.broker_epoch;
        let line = self.rules.features.line;
        let record_version =
            record_version_for(line, RecordKind::RegisterBroker, version).unwrap_or(0);
        let records = vec![VersionedRecord::new(record_version, record)];
        Ok((
            ControllerResult::splittable(records),
            Response::BrokerRegistered { epoch },
        ))
    }

    fn check_directories(&self, registration: &BrokerRegistration) -> Result<(), RequestError> {
        let invalid = |reason: String| Err(RequestError::InvalidRegistration { reason });
        let directories = &registration.log_dirs;
        if directories.is_empty() {
            return invalid("it names no log directories".to_owned());
        }
        if directories.iter().any(Uuid::is_reserved) {
            return invalid("a directory has a reserved id".to_owned());
        }
        if directories.iter().collect::<BTreeSet<_>>().len() != directories.len() {
            return invalid("it names a directory twice".to_owned());
        }
        let others = self.image().cluster().brokers();
        let mut others = others.filter(|other| other.broker_id != registration.broker_id.0);
        match others.find(|other| other.log_dirs.iter().any(|id| directories.contains(id))) {
            Some(other) => invalid(format!("broker {} has such a directory", other.broker_id)),
            None => Ok(()),
        }
    }

    /// A broker has to support what is finalized.
    fn check_features(
        &self,
        registration: &BrokerRegistration,
        metadata_version: i16,
        kraft_version: i16,
    ) -> Result<(), RequestError> {
        let levels = self.image().features().levels();
        let own = [
            (METADATA_VERSION, metadata_version),
            (KRAFT_VERSION, kraft_version),
        ];
        for (name, level) in levels.chain(own) {
            let supported = registration.features.iter().find(|(of, _)| of == name);
            let range = supported.map_or(VersionRange { min: 0, max: 0 }, |(_, range)| *range);
            if !range.contains(level) {
                return Err(RequestError::UnsupportedVersion {
                    version: level.to_string(),
                    what: "register a broker that does not support it",
                });
            }
        }
        Ok(())
    }

    pub(crate) fn unregister_broker(
        &self,
        broker: NodeId,
    ) -> Result<ControllerResult, WriteFailure> {
        let Some(known) = self.image().cluster().broker(broker) else {
            return Err(WriteFailure::Refused(RequestError::BrokerIdNotRegistered {
                broker,
            }));
        };
        let record = UnregisterBrokerRecord {
            broker_id: broker.0,
            broker_epoch: known.broker_epoch,
            ..Default::default()
        };
        Ok(ControllerResult::splittable(vec![VersionedRecord::new(
            0, record,
        )]))
    }

    /// Values of a broker are written even where they stay as they are, so that the broker reads them again (KAFKA-14136).
    pub(crate) fn set_broker_configs(
        &self,
        change: &SetBrokerConfigs,
    ) -> (ControllerResult, Response) {
        let broker = change.broker;
        let response = |outcome| Response::BrokerConfigs { broker, outcome };
        let cluster = self.image().cluster();
        if let Some(broker) = broker.filter(|id| cluster.broker(*id).is_none()) {
            let error = RequestError::BrokerIdNotRegistered { broker };
            return (ControllerResult::atomic(Vec::new()), response(Err(error)));
        }
        let resource_name = broker.map_or_else(String::new, |id| id.to_string());
        let records = change.values.iter().map(|(name, value)| {
            let record = ConfigRecord {
                resource_type: BROKER_RESOURCE,
                resource_name: resource_name.clone(),
                name: name.clone(),
                value: Some(value.clone()),
                ..Default::default()
            };
            VersionedRecord::new(0, record)
        });
        (
            ControllerResult::atomic(records.collect()),
            response(Ok(())),
        )
    }
}

fn record_of(registration: &BrokerRegistration) -> RegisterBrokerRecord {
    RegisterBrokerRecord {
        broker_id: registration.broker_id.0,
        incarnation_id: registration.incarnation_id,
        end_points: registration
            .endpoints
            .iter()
            .map(|endpoint| BrokerEndpoint {
                name: endpoint.name.clone(),
                host: endpoint.host.clone(),
                port: endpoint.port,
                security_protocol: endpoint.security_protocol,
                ..Default::default()
            })
            .collect(),
        features: registration
            .features
            .iter()
            .map(|(name, range)| BrokerFeature {
                name: name.clone(),
                min_supported_version: range.min,
                max_supported_version: range.max,
                ..Default::default()
            })
            .collect(),
        ..Default::default()
    }
}
