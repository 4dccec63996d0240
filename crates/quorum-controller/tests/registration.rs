//! How a controller gets itself registered.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use determinism::{Rng, Time};
use image::{Delta, Dialect, Manifest, MetadataImage, Provenance, Publication, feature_record};
use quorum_controller::{
    ControllerResponse, Endpoint, RegistrationConfig, RegistrationManager, RequestError,
};
use records::feature::UnstableFeatureVersions;
use records::metadata::{RegisterControllerRecord, VersionedRecord};
use records::{NodeId, Uuid};
use releases::Release;

const OWN: [u8; 16] = [9; 16];

fn manager(release: Release) -> RegistrationManager {
    let config = RegistrationConfig {
        node_id: NodeId(1),
        incarnation_id: Uuid::from_bytes(OWN),
        endpoints: vec![Endpoint {
            name: "CONTROLLER".to_owned(),
            host: "localhost".to_owned(),
            port: 9093,
            security_protocol: 0,
        }],
        unstable_feature_versions: UnstableFeatureVersions::Disabled,
        zk_migration_ready: false,
    };
    RegistrationManager::new(config, &release.rules(), Rng::from_seed(1))
}

fn publication(release: Release, records: &[VersionedRecord]) -> Publication {
    let rules = release.rules();
    let (mut image, mut delta) = (MetadataImage::empty(), Delta::default());
    for record in records {
        image
            .apply(record, &Dialect::of(&rules), &mut delta)
            .unwrap();
    }
    let manifest = Manifest::LogDelta {
        batches: 1,
        bytes: 1,
    };
    Publication {
        image,
        provenance: Provenance::EMPTY,
        delta,
        manifest,
    }
}

fn registered(incarnation: [u8; 16]) -> VersionedRecord {
    let record = RegisterControllerRecord {
        controller_id: 1,
        incarnation_id: Uuid::from_bytes(incarnation),
        ..Default::default()
    };
    VersionedRecord::new(0, record)
}

#[test]
fn registers_once_the_published_version_knows_registrations() {
    let release = Release::V4_4_0;
    let mut manager = manager(release);
    manager.start();
    manager.on_publication(&publication(
        release,
        &[feature_record("metadata.version", 14)],
    ));
    assert_eq!(manager.poll_request(), None);
    assert!(manager.is_settled());
    manager.on_publication(&publication(
        release,
        &[feature_record("metadata.version", 15)],
    ));
    assert!(!manager.is_settled());
    let request = manager.poll_request().unwrap();
    assert_eq!(manager.poll_request(), None, "one at a time");
    let names: Vec<_> = request
        .features
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "group.version",
            "kraft.version",
            "metadata.version",
            "share.version",
            "streams.version",
            "transaction.version",
            "eligible.leader.replicas.version"
        ]
    );
    let range = request.features[2].1;
    assert_eq!((range.min, range.max), (7, 33));
    manager.on_reply(Time::ZERO, &Ok(ControllerResponse::Done));
    let version = feature_record("metadata.version", 15);
    manager.on_publication(&publication(
        release,
        &[version.clone(), registered([7; 16])],
    ));
    assert!(
        manager.poll_request().is_some(),
        "another incarnation is not this one"
    );
    manager.on_reply(Time::ZERO, &Ok(ControllerResponse::Done));
    manager.on_publication(&publication(release, &[version, registered(OWN)]));
    assert!(manager.is_registered() && manager.is_settled());
    assert_eq!(manager.poll_request(), None);
}

#[test]
fn waits_until_it_may_send() {
    let release = Release::V3_9_2;
    let mut manager = manager(release);
    manager.on_publication(&publication(
        release,
        &[feature_record("metadata.version", 21)],
    ));
    assert_eq!(manager.poll_request(), None);
    manager.start();
    let request = manager.poll_request().unwrap();
    let features: Vec<_> = request
        .features
        .iter()
        .map(|(name, range)| (name.as_str(), range.min, range.max))
        .collect();
    assert_eq!(
        features,
        [("kraft.version", 0, 1), ("metadata.version", 1, 21)]
    );
}

#[test]
fn tries_again_later_and_later() {
    let release = Release::V4_4_0;
    let mut manager = manager(release);
    manager.start();
    manager.on_publication(&publication(
        release,
        &[feature_record("metadata.version", 33)],
    ));
    let mut now = Time::ZERO;
    for round in 0..14u32 {
        assert!(manager.poll_request().is_some(), "round {round}");
        if round % 2 == 0 {
            manager.on_reply(now, &Err(RequestError::NotController { active: None }));
        } else {
            manager.on_timeout(now);
        }
        let delay = (manager.next_event_at().unwrap() - now).as_millis();
        let expected = (100u64 << round).min(120_000);
        assert!(
            delay.abs_diff(expected) <= expected / 50,
            "round {round}: {delay}"
        );
        now += Time::from_millis(delay);
        manager.poll_event(now);
    }
}
