//! Updates of finalized features.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod support;

use image::feature_record;
use quorum_controller::request::{Execution, FeatureUpdate, UpgradeType};
use quorum_controller::{
    ControllerConfig, ControllerRequest, ControllerResponse, RequestError, UpdateFeatures,
};
use records::NodeId;
use records::metadata::{BrokerFeature, RegisterBrokerRecord, VersionedRecord};
use releases::Release;
use support::{Bench, NODE, config};

fn active(release: Release, level: i16) -> Bench {
    let mut bench = Bench::new(release, vec![feature_record("metadata.version", level)]);
    bench.lead(1).unwrap();
    bench.commit_all().unwrap();
    bench
}

fn update(
    bench: &mut Bench,
    updates: &[(&str, i16, UpgradeType)],
    execution: Execution,
) -> Result<ControllerResponse, RequestError> {
    let updates = updates
        .iter()
        .map(|(name, level, kind)| FeatureUpdate {
            feature: (*name).to_owned(),
            level: *level,
            upgrade_type: *kind,
        })
        .collect();
    let request = ControllerRequest::UpdateFeatures(UpdateFeatures { updates, execution });
    bench.ask(request);
    bench.run().unwrap();
    bench.commit_all().unwrap();
    bench.controller.poll_reply().expect("an answer").outcome
}

fn upgrade(bench: &mut Bench, name: &str, level: i16) -> Result<ControllerResponse, RequestError> {
    update(
        bench,
        &[(name, level, UpgradeType::Upgrade)],
        Execution::Apply,
    )
}

fn reason(outcome: Result<ControllerResponse, RequestError>) -> String {
    match outcome.unwrap_err() {
        RequestError::InvalidUpdateVersion { reason, .. } => reason,
        other => panic!("{other}"),
    }
}

#[test]
fn an_upgrade_is_written_and_takes_effect() {
    let mut bench = active(Release::V4_4_0, 25);
    assert_eq!(
        upgrade(&mut bench, "metadata.version", 33),
        Ok(ControllerResponse::FeaturesUpdated)
    );
    assert_eq!(
        bench.controller.metadata_version().map(|version| version.0),
        Some(33)
    );
    assert_eq!(
        upgrade(&mut bench, "group.version", 1),
        Ok(ControllerResponse::FeaturesUpdated)
    );
    assert_eq!(
        bench.controller.image().features().level("group.version"),
        1
    );
    let off = [("group.version", 0, UpgradeType::SafeDowngrade)];
    assert_eq!(
        update(&mut bench, &off, Execution::Apply),
        Ok(ControllerResponse::FeaturesUpdated)
    );
    assert_eq!(
        bench.controller.image().features().level("group.version"),
        0
    );
}

#[test]
fn a_dry_run_writes_nothing() {
    let mut bench = active(Release::V4_4_0, 25);
    let before = bench.raft.names().len();
    let updates = [("metadata.version", 33, UpgradeType::Upgrade)];
    assert_eq!(
        update(&mut bench, &updates, Execution::ValidateOnly),
        Ok(ControllerResponse::FeaturesUpdated)
    );
    assert_eq!(bench.raft.names().len(), before);
}

#[test]
fn what_is_refused() {
    let mut bench = active(Release::V4_4_0, 25);
    assert!(
        reason(upgrade(&mut bench, "metadata.version", 34))
            .contains("supports levels 7 to 33 only")
    );
    assert!(reason(upgrade(&mut bench, "metadata.version", 20)).contains("asked for as one"));
    let newer = [("metadata.version", 33, UpgradeType::SafeDowngrade)];
    assert!(reason(update(&mut bench, &newer, Execution::Apply)).contains("newer level"));
    let lossy = [("metadata.version", 7, UpgradeType::SafeDowngrade)];
    assert!(reason(update(&mut bench, &lossy, Execution::Apply)).contains("might delete metadata"));
    let lossy = [("metadata.version", 7, UpgradeType::UnsafeDowngrade)];
    assert!(reason(update(&mut bench, &lossy, Execution::Apply)).contains("not supported"));
    assert!(
        reason(upgrade(&mut bench, "no.such.version", 1)).contains("does not support this feature")
    );
    assert!(reason(upgrade(&mut bench, "group.version", -1)).contains("negative"));
    assert!(bench.controller.is_active() && bench.controller.faults().is_empty());
}

#[test]
fn a_broker_that_does_not_support_it_stands_in_the_way() {
    let features = vec![BrokerFeature {
        name: "metadata.version".to_owned(),
        min_supported_version: 7,
        max_supported_version: 25,
        ..Default::default()
    }];
    let broker = RegisterBrokerRecord {
        broker_id: 5,
        features,
        ..Default::default()
    };
    let records = vec![
        feature_record("metadata.version", 20),
        VersionedRecord::new(3, broker),
    ];
    let mut bench = Bench::new(Release::V4_4_0, records);
    bench.lead(1).unwrap();
    bench.commit_all().unwrap();
    assert!(
        reason(upgrade(&mut bench, "metadata.version", 33))
            .contains("broker 5 supports levels 7 to 25 only")
    );
    assert_eq!(
        upgrade(&mut bench, "metadata.version", 25),
        Ok(ControllerResponse::FeaturesUpdated)
    );
}

#[test]
fn every_controller_of_the_quorum_has_to_be_registered() {
    let config = ControllerConfig {
        quorum_node_ids: vec![NODE, NodeId(2)],
        ..config()
    };
    let records = vec![feature_record("metadata.version", 25)];
    let mut bench = Bench::with(&Release::V4_4_0.rules(), config, records);
    bench.lead(1).unwrap();
    bench.commit_all().unwrap();
    assert!(
        reason(upgrade(&mut bench, "metadata.version", 33))
            .contains("controller 2 has not registered")
    );
}

#[test]
fn one_refused_feature_stops_all_from_4_0_on() {
    let updates = [
        ("metadata.version", 99, UpgradeType::Upgrade),
        ("kraft.version", 1, UpgradeType::Upgrade),
    ];
    let mut bench = active(Release::V3_9_2, 21);
    let Ok(ControllerResponse::Features(results)) = update(&mut bench, &updates, Execution::Apply)
    else {
        panic!("an answer for each");
    };
    assert!(results["metadata.version"].is_err() && results["kraft.version"].is_ok());
    assert_eq!(
        bench.controller.image().features().level("kraft.version"),
        1,
        "only pretended"
    );
    let mut bench = active(Release::V4_4_0, 25);
    assert!(update(&mut bench, &updates, Execution::Apply).is_err());
    assert_eq!(
        bench.raft.kraft_version, 1,
        "kraft.version came first, and raft has it"
    );
}

#[test]
fn kraft_version_goes_through_raft_from_4_1_on() {
    let mut bench = active(Release::V4_1_2, 27);
    assert_eq!(
        upgrade(&mut bench, "kraft.version", 1),
        Ok(ControllerResponse::FeaturesUpdated)
    );
    assert_eq!(bench.raft.kraft_version, 1);
    assert_eq!(bench.raft.names().last(), Some(&"NoOpRecord"));
    let down = [("kraft.version", 0, UpgradeType::SafeDowngrade)];
    assert!(reason(update(&mut bench, &down, Execution::Apply)).contains("cannot go down"));
    let mut bench = active(Release::V4_0_2, 25);
    assert_eq!(
        upgrade(&mut bench, "kraft.version", 1),
        Ok(ControllerResponse::FeaturesUpdated)
    );
    assert_eq!(
        bench.raft.kraft_version, 0,
        "4.0 writes a record that changes nothing"
    );
    assert_eq!(
        bench.controller.image().features().level("kraft.version"),
        0
    );
}

#[test]
fn dependencies_count_from_4_0_on() {
    let mut bench = active(Release::V4_4_0, 22);
    let outcome = upgrade(&mut bench, "eligible.leader.replicas.version", 1);
    assert!(reason(outcome).contains("depends on metadata.version level 23"));
    let both = [
        ("metadata.version", 33, UpgradeType::Upgrade),
        ("eligible.leader.replicas.version", 1, UpgradeType::Upgrade),
    ];
    assert_eq!(
        update(&mut bench, &both, Execution::Apply),
        Ok(ControllerResponse::FeaturesUpdated)
    );
}
