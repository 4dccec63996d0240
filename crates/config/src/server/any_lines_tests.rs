//! Any lines are read or refused, never more.

use proptest::prelude::*;
use releases::{Definitions, Release};

use super::ServerConfig;

/// Values that some key takes or almost takes, and any text.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,20}",
        any::<String>(),
        any::<i64>().prop_map(|number| number.to_string()),
        proptest::sample::select(vec![
            "",
            ",",
            "true",
            "controller,broker",
            "CONTROLLER://[::1]:9093,PLAINTEXT://:9092",
            "1@[::]:1,2@h:2",
            "CONTROLLER:PLAINTEXT",
            "0x1p-9999999999",
            "NaN",
            "/a,/b",
            "*",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn any_lines_are_read_or_refused(
        release in proptest::sample::select(Release::ALL.to_vec()),
        picks in prop::collection::vec((any::<prop::sample::Index>(), value()), 0..8),
    ) {
        let keys: Vec<&str> = Definitions::of(release).iter().map(|one| one.key).collect();
        let sound = [
            ("process.roles", "controller"),
            ("node.id", "1"),
            ("controller.listener.names", "CONTROLLER"),
            ("listeners", "CONTROLLER://:9093"),
            ("controller.quorum.voters", "1@h:9093"),
        ];
        let sound = sound.map(|(key, value)| (key, value.to_owned()));
        let drawn = picks.into_iter().map(|(pick, value)| (keys[pick.index(keys.len())], value));
        let rules = release.rules();
        if let Ok(config) = ServerConfig::parse(&rules, sound.into_iter().chain(drawn)) {
            prop_assert_eq!(config.read_by(&rules), Ok(config.clone()));
            let _ = config.start_problem();
            prop_assert!(!config.all_directories().is_empty());
        }
    }
}
