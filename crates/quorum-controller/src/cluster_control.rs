//! Registration of controllers (`registerController` and `unregisterController` in
//! `4.4:…/controller/ClusterControlManager.java`).

use records::NodeId;
use records::feature::Capability;
use records::metadata::{
    ControllerEndpoint, ControllerFeature, RegisterControllerRecord, UnregisterControllerRecord,
    VersionedRecord,
};
use releases::controller::ZkMigration;

use crate::bootstrap::version_name;
use crate::request::{ControllerRegistration, RequestError};
use crate::result::{ControllerResult, WriteFailure};
use crate::view::View;

pub(crate) fn register_controller(
    view: View<'_>,
    registration: &ControllerRegistration,
) -> Result<ControllerResult, WriteFailure> {
    let features = view.rules.features;
    let version = view
        .metadata_version()
        .ok_or_else(|| WriteFailure::Unexpected("the metadata.version is not known".to_owned()))?;
    if !features.supports(version, Capability::ControllerRegistration) {
        return Err(WriteFailure::Refused(RequestError::UnsupportedVersion {
            version: version_name(features, version),
            what: "register controllers",
        }));
    }
    let zk_migration_ready = match view.rules.controller.zk_migration {
        ZkMigration::Supported => registration.zk_migration_ready,
        ZkMigration::Gone => false,
    };
    let record = RegisterControllerRecord {
        controller_id: registration.controller_id.0,
        incarnation_id: registration.incarnation_id,
        zk_migration_ready,
        end_points: registration
            .endpoints
            .iter()
            .map(|endpoint| ControllerEndpoint {
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
            .map(|(name, range)| ControllerFeature {
                name: name.clone(),
                min_supported_version: range.min,
                max_supported_version: range.max,
                ..Default::default()
            })
            .collect(),
        ..Default::default()
    };
    Ok(ControllerResult::atomic(vec![VersionedRecord::new(
        0, record,
    )]))
}

/// The active controller first looks whether it is meant itself (`4.4:…/controller/QuorumController.java`).
pub(crate) fn unregister_controller(
    view: View<'_>,
    controller: NodeId,
) -> Result<ControllerResult, WriteFailure> {
    let features = view.rules.features;
    let refused = |error| Err(WriteFailure::Refused(error));
    if controller == view.config.node_id {
        let reason = "the active controller cannot unregister itself".to_owned();
        return refused(RequestError::InvalidRequest { reason });
    }
    let version = view
        .metadata_version()
        .ok_or_else(|| WriteFailure::Unexpected("the metadata.version is not known".to_owned()))?;
    if !features.supports(version, Capability::ControllerUnregistration) {
        return refused(RequestError::UnsupportedVersion {
            version: version_name(features, version),
            what: "unregister controllers",
        });
    }
    if view.image().cluster().controller(controller).is_none() {
        return refused(RequestError::ControllerIdNotRegistered { controller });
    }
    let record = UnregisterControllerRecord {
        controller_id: controller.0,
        ..Default::default()
    };
    Ok(ControllerResult::atomic(vec![VersionedRecord::new(
        0, record,
    )]))
}
