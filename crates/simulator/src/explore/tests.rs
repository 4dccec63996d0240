use releases::Release;

use crate::scenario::run::{Options, run};
use crate::scenario::{Problem, parse};

use super::{Exploration, Profile, Quirks, QuorumKind, Selection, Situation};

/// The range in which the planted bug must show: about one seed in 750 does.
const PLANTED_WITHIN: std::ops::Range<u64> = 1670..1690;

/// About one seed in two hundred of profile membership is one.
const SEED_OF_VOTERS_AFTER_TRUNCATION: u64 = 179;

fn planted() -> Quirks {
    Quirks {
        with: vec!["KAFKA-20839".to_owned()],
        without: Vec::new(),
    }
}

fn mended(ids: &[&str]) -> Quirks {
    Quirks {
        with: Vec::new(),
        without: ids.iter().map(|id| (*id).to_owned()).collect(),
    }
}

fn of(profile: Profile, releases: &[Release], quirks: Quirks) -> Exploration {
    Exploration::new(profile, releases, quirks).expect("these are known quirks")
}

fn bootstrap(quirks: Quirks) -> Exploration {
    of(Profile::Bootstrap, &[Release::V4_4_0], quirks)
}

#[test]
fn a_planted_bug_is_found_and_its_mended_seed_holds() {
    let exploration = bootstrap(planted());
    let found = PLANTED_WITHIN
        .map(|seed| exploration.seed(seed))
        .find(|outcome| !outcome.violations.is_empty())
        .expect("some seed shows KAFKA-20839");
    assert!(
        found
            .violations
            .iter()
            .all(|one| one.id == "LIVE-1" || one.id == "BOOT-1" || one.id == "BOOT-3"),
        "{found:?}"
    );
    let mended = bootstrap(Quirks::default()).seed(found.seed);
    assert_eq!(mended.violations, []);
}

#[test]
fn a_sample_of_each_profile_holds() {
    for profile in Profile::ALL {
        for release in [Release::V3_9_2, Release::V4_4_0] {
            let quirks = mended(&["KAFKA-20839", "VOTERS-AFTER-TRUNCATION"]);
            let exploration = of(profile, &[release], quirks);
            for seed in 1..=10 {
                let outcome = exploration.seed(seed);
                assert_eq!(outcome.violations, [], "{profile} {release}: {outcome:?}");
            }
        }
    }
}

#[test]
fn a_seed_is_a_run() {
    for profile in Profile::ALL {
        let exploration = of(profile, &[Release::V4_3_1, Release::V4_4_0], planted());
        let one = exploration.seed(7);
        assert_eq!(one, exploration.seed(7));
        assert_ne!(one.hash, exploration.seed(8).hash);
    }
}

#[test]
fn a_bug_of_every_release_shows_where_voters_change() {
    let exploration = |quirks| of(Profile::Membership, &[Release::V4_4_0], quirks);
    let found = exploration(Quirks::default()).seed(SEED_OF_VOTERS_AFTER_TRUNCATION);
    assert!(
        found.violations.iter().any(|one| one.id == "Q-1"),
        "{found:?}"
    );
    let holds =
        exploration(mended(&["VOTERS-AFTER-TRUNCATION"])).seed(SEED_OF_VOTERS_AFTER_TRUNCATION);
    assert_eq!(holds.violations, []);
}

#[test]
fn what_is_chosen_is_not_drawn() {
    let chosen = Selection {
        situations: vec![Situation::Split],
        voters: Some(3),
        quorum: Some(QuorumKind::Static),
    };
    let both = [Release::V4_3_1, Release::V4_4_0];
    let exploration = of(Profile::Quorum, &both, Quirks::default())
        .with(chosen)
        .unwrap();
    for seed in 1..=6 {
        let drawn = exploration.seed(seed).drawn;
        assert!(drawn.starts_with("static quorum of "), "{drawn}");
        assert!(
            drawn.contains("4.3.1") && drawn.contains("4.4.0"),
            "{drawn}"
        );
        assert!(drawn.contains(Situation::Split.words()), "{drawn}");
    }
    let impossible = Selection {
        situations: vec![Situation::CutWhileLed],
        voters: Some(4),
        quorum: None,
    };
    let exploration = of(Profile::Quorum, &[Release::V4_4_0], Quirks::default());
    assert!(exploration.with(impossible).is_err());
}

#[test]
fn every_situation_holds_with_three_voters_and_with_five() {
    for situation in Situation::ALL {
        for voters in [3, 5] {
            let chosen = Selection {
                situations: vec![situation],
                voters: Some(voters),
                quorum: None,
            };
            let exploration = of(Profile::Quorum, &[Release::V4_4_0], Quirks::default());
            let outcome = exploration.with(chosen).unwrap().seed(3);
            assert_eq!(outcome.violations, [], "{}: {outcome:?}", situation.name());
        }
    }
}

/// The run of a seed, written as a scenario and run as one, has the same events and the same hash.
fn seeds_are_scenarios(profile: Profile) {
    let both = [Release::V4_3_1, Release::V4_4_0];
    let exploration = of(profile, &both, planted());
    for seed in 1..=200 {
        let outcome = exploration.seed(seed);
        let text = outcome.scenario().to_string();
        let readable = |problem: Problem| problem.render("seed", &text);
        let scenario = parse(&text).map_err(readable).unwrap();
        let nothing = &mut |_: &str| Err("nothing is loaded".to_owned());
        let run = run(&scenario, &Options::default(), nothing);
        let run = run.map_err(readable).unwrap();
        assert_eq!(
            (run.events, run.simulated, run.hash, run.violations),
            (
                outcome.events,
                outcome.simulated,
                outcome.hash,
                outcome.violations
            ),
            "{profile}, seed {seed}:\n{text}"
        );
    }
}

#[test]
fn seeds_of_profile_bootstrap_are_scenarios() {
    seeds_are_scenarios(Profile::Bootstrap);
}

#[test]
fn seeds_of_profile_quorum_are_scenarios() {
    seeds_are_scenarios(Profile::Quorum);
}

#[test]
fn seeds_of_profile_membership_are_scenarios() {
    seeds_are_scenarios(Profile::Membership);
}
