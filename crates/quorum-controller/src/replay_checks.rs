//! What control managers refuse to replay. On any controller it ends the process: a standby dies of a committed record,
//! an active controller of its own.
//!
//! The image refuses, too (`image::ApplyError`), and each of these names what it does not look at.

use std::collections::BTreeSet;

use image::ApplyError;
use image::parts::cluster::check_protocols;
use image::parts::configs::BROKER;
use records::metadata::{
    ConfigRecord, FeatureLevelRecord, MetadataRecord, RegisterBrokerRecord, TopicRecord,
    UnregisterBrokerRecord,
};
use records::{NodeId, Uuid};
use releases::replication::ConfiguredNodeNames;

use crate::control_state::acl_content;
use crate::replay_error::ReplayError;
use crate::view::View;

/// Whether the control manager of the record would replay it, given the state before it.
pub(crate) fn check(view: View<'_>, record: &MetadataRecord) -> Result<(), ReplayError> {
    match record {
        MetadataRecord::FeatureLevel(record) => check_supported(view, record),
        MetadataRecord::RegisterBroker(record) => {
            let protocols = record.end_points.iter().map(|of| of.security_protocol);
            check_protocols("RegisterBrokerRecord", protocols)?;
            let id = NodeId(record.broker_id);
            move_directories(view, id, &record.log_dirs)
        }
        MetadataRecord::UnregisterBroker(record) => check_unregister(view, record),
        MetadataRecord::BrokerRegistrationChange(record) => {
            let known = broker(view, record.broker_id);
            let current = known.map(|known| known.log_dirs.as_slice());
            let next = match record.log_dirs.as_slice() {
                [] => current.unwrap_or_default(),
                changed => changed,
            };
            move_directories(view, NodeId(record.broker_id), next)
        }
        MetadataRecord::FenceBroker(record) => keep_directories(view, record.id),
        MetadataRecord::UnfenceBroker(record) => keep_directories(view, record.id),
        MetadataRecord::UnregisterController(record) => {
            let node = NodeId(record.controller_id);
            match view.image().cluster().controller(node) {
                Some(_) => Ok(()),
                None => Err(ReplayError::NotRegistered {
                    kind: "controller",
                    node,
                }),
            }
        }
        MetadataRecord::Topic(record) => check_topic(view, record),
        MetadataRecord::Config(record) => check_config(view, record),
        MetadataRecord::ProducerIds(record) => match view.state.next_producer_id {
            Some(current) if record.next_producer_id <= current => {
                Err(ReplayError::ProducerIdsGoBack {
                    given: record.next_producer_id,
                    current,
                })
            }
            _ => Ok(()),
        },
        MetadataRecord::RemoveUserScramCredential(record) => {
            if view.image().scram().has(record.mechanism, &record.name) {
                return Ok(());
            }
            Err(ReplayError::UnknownCredential {
                user: record.name.clone(),
                mechanism: record.mechanism,
            })
        }
        MetadataRecord::RemoveAccessControlEntry(record) => {
            let content = view.image().acls().get(record.id);
            match content.filter(|of| !view.state.acls.contains(&acl_content(of))) {
                Some(_) => Err(ReplayError::AclRemovedBefore { id: record.id }),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn broker(view: View<'_>, id: i32) -> Option<&RegisterBrokerRecord> {
    view.image().cluster().broker(NodeId(id))
}

/// A level that this node does not support: it could not keep its promises.
fn check_supported(view: View<'_>, feature: &FeatureLevelRecord) -> Result<(), ReplayError> {
    let range = view.supported_range(&feature.name);
    if range.contains(feature.feature_level) {
        return Ok(());
    }
    Err(ReplayError::UnsupportedFeatureLevel {
        name: feature.name.clone(),
        level: feature.feature_level,
        min: range.min,
        max: range.max,
    })
}

fn check_unregister(view: View<'_>, record: &UnregisterBrokerRecord) -> Result<(), ReplayError> {
    let node = NodeId(record.broker_id);
    let Some(known) = broker(view, record.broker_id) else {
        let kind = "broker";
        return Err(ReplayError::NotRegistered { kind, node });
    };
    if known.broker_epoch != record.broker_epoch {
        return Err(ReplayError::Apply(ApplyError::OtherBrokerEpoch {
            action: "unregister",
            broker: node,
            given: record.broker_epoch,
            current: known.broker_epoch,
        }));
    }
    move_directories(view, node, &[])
}

fn keep_directories(view: View<'_>, id: i32) -> Result<(), ReplayError> {
    let known = broker(view, id);
    let directories = known.map(|known| known.log_dirs.as_slice());
    move_directories(view, NodeId(id), directories.unwrap_or_default())
}

/// A broker gives its log directories back and takes others (`ClusterControlManager.updateDirectories`, 3.9 to 4.4).
fn move_directories(view: View<'_>, broker: NodeId, next: &[Uuid]) -> Result<(), ReplayError> {
    let cluster = view.image().cluster();
    let mut given_back = BTreeSet::new();
    let current = cluster.broker(broker).map(|known| &known.log_dirs);
    for directory in current.into_iter().flatten() {
        if !given_back.insert(*directory) {
            let directory = *directory;
            return Err(ReplayError::DirectoryTwice { broker, directory });
        }
    }
    let others = cluster.brokers().filter(|of| of.broker_id != broker.0);
    for other in others {
        let taken = next.iter().find(|id| other.log_dirs.contains(id));
        if let Some(directory) = taken {
            return Err(ReplayError::DirectoryTaken {
                broker,
                directory: *directory,
                owner: NodeId(other.broker_id),
            });
        }
    }
    Ok(())
}

fn check_topic(view: View<'_>, record: &TopicRecord) -> Result<(), ReplayError> {
    if view.is_name_taken(&record.name) {
        let name = record.name.clone();
        return Err(ReplayError::DuplicateTopic { name });
    }
    Ok(())
}

/// The first configuration of a node notes the node by its number.
fn check_config(view: View<'_>, record: &ConfigRecord) -> Result<(), ReplayError> {
    let name = &record.resource_name;
    match view.rules.replication.configured_node_names {
        ConfiguredNodeNames::Any => return Ok(()),
        ConfiguredNodeNames::NodeIds => {}
    }
    let is_node = record.resource_type == BROKER && !name.is_empty();
    let mut known = view.image().configs().of(record.resource_type, name);
    if is_node && name.parse::<i32>().is_err() && known.next().is_none() {
        return Err(ReplayError::NotANodeId { name: name.clone() });
    }
    Ok(())
}
