//! `docs/limits.md` says what the constants say, and names each of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;

use kraftsim::limits as edge;
use kraftsim_tests::repository::root;
use simulator::scenario::limits as scenario;

/// Every limit by the name under which the page has it.
fn constants() -> BTreeMap<&'static str, u64> {
    BTreeMap::from([
        (
            "disk::regular::MOST_FILE_BYTES",
            disk::regular::MOST_FILE_BYTES,
        ),
        ("disk::tree::MOST_BYTES", disk::tree::MOST_BYTES),
        ("disk::tree::MOST_ENTRIES", disk::tree::MOST_ENTRIES as u64),
        ("disk::tree::MOST_DEPTH", disk::tree::MOST_DEPTH as u64),
        (
            "disk::path::MOST_PATH_BYTES",
            disk::path::MOST_PATH_BYTES as u64,
        ),
        (
            "disk::path::MOST_NAME_BYTES",
            disk::path::MOST_NAME_BYTES as u64,
        ),
        (
            "kraftsim::limits::MOST_CONFIG_BYTES",
            edge::MOST_CONFIG_BYTES,
        ),
        ("config::MOST_ITEMS", config::MOST_ITEMS as u64),
        (
            "config::providers::MOST_PROVIDED_BYTES",
            config::providers::MOST_PROVIDED_BYTES as u64,
        ),
        (
            "kraftsim::limits::MOST_SCENARIO_BYTES",
            edge::MOST_SCENARIO_BYTES,
        ),
        (
            "kraftsim::limits::MOST_RECORDING_BYTES",
            edge::MOST_RECORDING_BYTES,
        ),
        (
            "kraftsim::limits::MOST_UNPACKED_BYTES",
            edge::MOST_UNPACKED_BYTES,
        ),
        (
            "kraftsim::limits::GROWTH_ALLOWED_BYTES",
            edge::GROWTH_ALLOWED_BYTES,
        ),
        (
            "kraftsim::limits::MOST_XZ_MEMORY_KIB",
            u64::from(edge::MOST_XZ_MEMORY_KIB),
        ),
        ("kraftsim::limits::MOST_LISTED", edge::MOST_LISTED as u64),
        (
            "kraftsim::limits::MOST_FAILURES_KEPT",
            edge::MOST_FAILURES_KEPT as u64,
        ),
        (
            "simulator::scenario::limits::MOST_NODES",
            scenario::MOST_NODES as u64,
        ),
        (
            "simulator::scenario::limits::MOST_LINE_BYTES",
            scenario::MOST_LINE_BYTES as u64,
        ),
        (
            "simulator::scenario::limits::MOST_DEPTH",
            scenario::MOST_DEPTH as u64,
        ),
        (
            "simulator::scenario::limits::MOST_COMMANDS",
            scenario::MOST_COMMANDS,
        ),
        (
            "simulator::scenario::limits::MOST_WAITING",
            scenario::MOST_WAITING as u64,
        ),
        (
            "simulator::scenario::limits::MOST_TIME",
            scenario::MOST_TIME.as_millis() / 1000,
        ),
        (
            "simulator::scenario::limits::MOST_EVENTS",
            scenario::MOST_EVENTS,
        ),
        (
            "simulator::scenario::limits::MOST_PRINTED_BYTES",
            scenario::MOST_PRINTED_BYTES as u64,
        ),
    ])
}

#[test]
fn the_page_says_what_the_constants_say() {
    let page = fs::read_to_string(root().join("docs/limits.md")).unwrap();
    let constants = constants();
    let mut seen = Vec::new();
    for row in page
        .lines()
        .filter(|line| line.contains("MOST_") || line.contains("GROWTH_"))
    {
        let columns: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, limit, names] = columns.as_slice() else {
            panic!("not a row of three columns: {row}");
        };
        let name = names.split('`').nth(1).unwrap();
        let value = constants
            .get(name)
            .unwrap_or_else(|| panic!("the page names {name}, which is none of the limits"));
        let said: String = limit.chars().take_while(char::is_ascii_digit).collect();
        assert_eq!(said, value.to_string(), "{row}");
        seen.push(name);
    }
    let unnamed = constants.keys().filter(|name| !seen.contains(name));
    assert_eq!(
        unnamed.collect::<Vec<_>>(),
        Vec::<&&str>::new(),
        "the page leaves these out"
    );
    let times = format!("or {} times its size", edge::GROWTH_ALLOWED_TIMES);
    assert!(page.contains(&times), "{times}");
}

/// The constants of the files that hold limits, so that a new one is not forgotten here.
#[test]
fn every_constant_is_in_the_list() {
    let mut count = 0;
    for file in [
        "crates/kraftsim/src/limits.rs",
        "crates/simulator/src/scenario/limits.rs",
        "crates/disk/src/path.rs",
        "crates/disk/src/tree.rs",
        "crates/disk/src/regular.rs",
        "crates/config/src/providers.rs",
        "crates/config/src/server/values.rs",
    ] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        count += text
            .lines()
            .filter(|line| line.starts_with("pub const "))
            .count();
    }
    // GROWTH_ALLOWED_TIMES stands in the row of GROWTH_ALLOWED_BYTES.
    assert_eq!(count, constants().len() + 1);
}
