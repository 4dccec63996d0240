use releases::{Release, Rules};

use super::{Exploration, Profile, QuorumKind, Selection, Situation};

/// The range in which the planted bug must show: about one seed in six hundred does.
const PLANTED_WITHIN: std::ops::Range<u64> = 850..870;

/// About one seed in a hundred of profile membership is one.
const SEED_OF_VOTERS_AFTER_TRUNCATION: u64 = 157;

fn planted() -> Rules {
    let rules = Release::V4_4_0.rules();
    rules.with("KAFKA-20839").expect("it is a known quirk")
}

fn bootstrap(rules: Rules) -> Exploration {
    Exploration::new(Profile::Bootstrap, vec![rules])
}

#[test]
fn a_planted_bug_is_found_and_its_mended_seed_holds() {
    let exploration = bootstrap(planted());
    let found = PLANTED_WITHIN
        .map(|seed| exploration.seed(seed))
        .find(|outcome| !outcome.findings.is_empty())
        .expect("some seed shows KAFKA-20839");
    assert!(
        found
            .findings
            .iter()
            .all(|one| one.id == "LIVE-1" || one.id == "BOOT-1" || one.id == "BOOT-3"),
        "{found:?}"
    );
    let mended = bootstrap(Release::V4_4_0.rules()).seed(found.seed);
    assert_eq!(mended.findings, []);
}

#[test]
fn a_sample_of_each_profile_holds() {
    for profile in Profile::ALL {
        for release in [Release::V3_9_2, Release::V4_4_0] {
            let rules = release.rules().without("KAFKA-20839").unwrap();
            let rules = rules.without("VOTERS-AFTER-TRUNCATION").unwrap();
            let exploration = Exploration::new(profile, vec![rules]);
            for seed in 1..=10 {
                let outcome = exploration.seed(seed);
                assert_eq!(outcome.findings, [], "{profile} {release}: {outcome:?}");
            }
        }
    }
}

#[test]
fn a_seed_is_a_run() {
    for profile in Profile::ALL {
        let exploration = Exploration::new(profile, vec![Release::V4_3_1.rules(), planted()]);
        let one = exploration.seed(7);
        assert_eq!(one, exploration.seed(7));
        assert_ne!(one.hash, exploration.seed(8).hash);
    }
}

#[test]
fn a_bug_of_every_release_shows_where_voters_change() {
    let exploration = |rules| Exploration::new(Profile::Membership, vec![rules]);
    let rules = Release::V4_4_0.rules();
    let found = exploration(rules.clone()).seed(SEED_OF_VOTERS_AFTER_TRUNCATION);
    assert!(
        found.findings.iter().any(|one| one.id == "Q-1"),
        "{found:?}"
    );
    let mended = rules.without("VOTERS-AFTER-TRUNCATION").unwrap();
    let holds = exploration(mended).seed(SEED_OF_VOTERS_AFTER_TRUNCATION);
    assert_eq!(holds.findings, []);
}

#[test]
fn what_is_chosen_is_not_drawn() {
    let chosen = Selection {
        situations: vec![Situation::Split],
        voters: Some(3),
        quorum: Some(QuorumKind::Static),
    };
    let both = vec![Release::V4_3_1.rules(), Release::V4_4_0.rules()];
    let exploration = Exploration::new(Profile::Quorum, both)
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
    let exploration = Exploration::new(Profile::Quorum, vec![Release::V4_4_0.rules()]);
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
            let exploration = Exploration::new(Profile::Quorum, vec![Release::V4_4_0.rules()]);
            let outcome = exploration.with(chosen).unwrap().seed(3);
            assert_eq!(outcome.findings, [], "{}: {outcome:?}", situation.name());
        }
    }
}
