//! Which versions there are, and which one two releases talk in.

use std::ops::RangeInclusive;

use raft::message::ApiKey;
use raft::wire::{Api, version_for};
use releases::raft::RaftApiVersions;
use releases::{RaftRules, Release, RuleSet};

/// The versions that any release speaks.
pub fn of(api: Api) -> RangeInclusive<i16> {
    RaftApiVersions::versions_of_any(api.code()).expect("an API of the wire")
}

fn rules(release: &str) -> RaftRules {
    release.parse::<Release>().expect("a release").rules().raft
}

#[test]
fn the_newest_version_that_both_speak() {
    let version = |api: Api, one: &str, other: &str| {
        let (one, other) = (rules(one), rules(other));
        let version = version_for(api, &one, &other);
        assert_eq!(version, version_for(api, &other, &one));
        version.expect("a common version")
    };
    let table = [
        (ApiKey::Fetch, "3.9.2", "4.4.0", 17),
        (ApiKey::Fetch, "4.0.2", "4.1.2", 17),
        (ApiKey::Fetch, "4.1.2", "4.4.0", 18),
        (ApiKey::Vote, "3.9.2", "4.0.2", 1),
        (ApiKey::Vote, "4.0.2", "kip-1170", 2),
        (ApiKey::AddRaftVoter, "4.1.2", "4.2.1", 0),
        (ApiKey::AddRaftVoter, "4.2.0", "4.3.1", 1),
        (ApiKey::ApiVersions, "4.3.1", "4.4.0", 4),
        (ApiKey::ApiVersions, "4.4.0", "4.4.0", 5),
        (ApiKey::FetchSnapshot, "3.9.1", "4.4.0", 1),
        (ApiKey::DescribeQuorum, "3.9.1", "4.4.0", 2),
    ];
    for (api, one, other, expected) in table {
        assert_eq!(
            version(api.into(), one, other),
            expected,
            "{api} {one} {other}"
        );
    }
    assert_eq!(version(Api::ControllerRegistration, "3.9.2", "4.4.0"), 0);
}

const FACTS: &str = include_str!("../../../../tests/facts/kraft_rpcs.tsv");

/// The versions of an API that the jars of a line speak, by the table of facts.
fn in_the_table(api: Api, release: Release) -> RangeInclusive<i16> {
    let line = match release.rule_set() {
        RuleSet::Kip1170 => RuleSet::V4_4,
        line => line,
    };
    let mut rows = FACTS.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let header = rows.next().expect("a header");
    let at = |name: &str| header.iter().position(|column| *column == name);
    let (key, valid) = (at("api_key"), at(&format!("valid_{line}")));
    let (key, valid) = (key.expect("a column"), valid.expect("a column"));
    let row = rows.find(|row| row[0] == "api" && row[key] == api.code().to_string());
    let range = row.expect("a row of the API")[valid];
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    first.parse().expect("a number")..=last.parse().expect("a number")
}

#[test]
fn every_pair_of_releases_talks_in_the_highest_version_that_the_table_gives_both() {
    for one in Release::ALL {
        for other in Release::ALL {
            for api in Api::all() {
                let (a, b) = (in_the_table(api, one), in_the_table(api, other));
                let highest = *a.end().min(b.end());
                assert!(a.contains(&highest) && b.contains(&highest));
                let version = version_for(api, &one.rules().raft, &other.rules().raft);
                assert_eq!(version, Some(highest), "{api} {one} {other}");
            }
        }
    }
}

#[test]
fn apis_have_their_numbers() {
    let codes: Vec<i16> = Api::all().map(Api::code).collect();
    assert_eq!(codes, [1, 18, 52, 53, 54, 55, 59, 70, 80, 81, 82]);
    for api in Api::all() {
        assert_eq!(Api::of_code(api.code()), Some(api));
    }
    assert_eq!(Api::of_code(0), None);
}
