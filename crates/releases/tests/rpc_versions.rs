//! The versions of RPCs against the facts, which were read from the released jars.

use releases::RuleSet;
use releases::raft::RaftApiVersions;

const FACTS: &str = include_str!("../../../tests/facts/kraft_rpcs.tsv");

#[test]
fn every_release_speaks_what_its_jars_say() {
    let header: Vec<&str> = FACTS
        .lines()
        .next()
        .expect("a header")
        .split('\t')
        .collect();
    let column = |name: &str| {
        let found = header.iter().position(|column| *column == name);
        found.unwrap_or_else(|| panic!("no column {name}"))
    };
    let mut compared = 0;
    for line in FACTS.lines().filter(|line| line.starts_with("api\t")) {
        let values: Vec<&str> = line.split('\t').collect();
        let api_key: i16 = values[column("api_key")].parse().expect("a number");
        if RaftApiVersions::versions_of_any(api_key).is_none() {
            continue;
        }
        assert_eq!(
            values[column("latest_unstable")],
            "-",
            "none of them is unstable"
        );
        for rule_set in RuleSet::ALL {
            let line = match rule_set {
                RuleSet::Kip1170 => RuleSet::V4_4,
                other => other,
            };
            let release = releases::Release::ALL
                .into_iter()
                .find(|release| release.rule_set() == rule_set)
                .expect("every rule set has a release");
            let spoken = release.rules().raft.api_versions.versions(api_key);
            let (first, last) = spoken.expect("in the table").into_inner();
            let range = if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            };
            let fact = values[column(&format!("valid_{line}"))];
            assert_eq!(range, fact, "{} on {release}", values[column("api")]);
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * 11 * 7);
}
