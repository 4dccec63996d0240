//! What is chance in real Kafka: every outcome that was recorded comes about under some seed, no other does, and a seed
//! decides.

use std::collections::BTreeSet;
use std::fs;

use kraftsim_tests::agree::Kraftsim;
use kraftsim_tests::cli::golden_work;
use kraftsim_tests::repository::root;
use serde::Deserialize;
use serde_json::Value;

/// Starts of g-zero-scram-4.0.2's second phase, whose loader meets a log without metadata.version and ends the process.
#[derive(Debug, Deserialize)]
struct Starts {
    release: String,
    seen: Vec<Outcome>,
}

/// What became of one start.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome {
    /// Whether the controller began its activation before the process had ended.
    activated: bool,
    /// Size of the log afterwards: with the activation's batch, or without.
    log_bytes: u64,
}

fn start(config: &str, release: &str, seed: u64) -> (Outcome, Vec<u8>) {
    let kraftsim = Kraftsim::in_process();
    let seed = seed.to_string();
    let args = [
        "rehearse", "-c", config, "--on", release, "--seed", &seed, "--json",
    ];
    let answer = kraftsim.ask(&args.map(str::to_owned));
    let document: Value = serde_json::from_slice(&answer.out).expect("a document is printed");
    let phase = &document["phases"][0];
    assert_eq!(phase["outcome"], "exited", "seed {seed} on {release}");
    let batches = phase["log"]["1"].as_array().into_iter().flatten();
    let outcome = Outcome {
        activated: phase["nodes"]["1"]["bootstrap_source"] != "none",
        log_bytes: batches.filter_map(|batch| batch["size"].as_u64()).sum(),
    };
    (outcome, answer.out)
}

#[test]
fn a_controller_activates_or_not_between_a_loaders_fault_and_the_end_of_the_process() {
    let recorded = root().join("tests/fixtures/chance/loader-fault.json");
    let recorded = fs::read_to_string(recorded).expect("the repository carries what was recorded");
    let recorded: Vec<Starts> = serde_json::from_str(&recorded).expect("starts, by release");
    assert_eq!(recorded.len(), 2);
    let work = golden_work("g-zero-scram-4.0.2");
    let config = work.config("phase-2/node-1");
    for starts in recorded {
        let release = starts.release;
        let recorded: BTreeSet<Outcome> = starts.seen.into_iter().collect();
        assert_eq!(
            recorded.len(),
            3,
            "{release}: none, begun, and written were seen"
        );
        let mut found = BTreeSet::new();
        for seed in 1..=64 {
            let (outcome, document) = start(&config, &release, seed);
            let again = start(&config, &release, seed);
            assert_eq!(
                (outcome.clone(), document),
                again,
                "seed {seed} on {release}"
            );
            found.insert(outcome);
        }
        assert_eq!(found, recorded, "{release}");
    }
}
