use serde_json::{Value, json};
use simulator::explore::SeedOutcome;

use super::arguments::ExploreArgs;
use super::summary::Summary;
use crate::json;
use simulator::run::action::QuorumKind;

/// The whole exploration.
pub(super) fn document(args: &ExploreArgs, summary: &Summary) -> Value {
    let releases = args.kafka.iter().flat_map(|set| &set.0);
    let releases: Vec<&str> = releases.map(|one| one.name()).collect();
    let failures: Vec<Value> = summary
        .failures
        .iter()
        .map(|outcome| failure(args, outcome))
        .collect();
    json!({
        "profile": args.profile.name(),
        "kafka": releases,
        "situations": args.situations.iter().map(|one| one.name()).collect::<Vec<_>>(),
        "voters": args.voters,
        "quorum": args.quorum.map(QuorumKind::name),
        "with": args.quirks.planted,
        "without": args.quirks.mended,
        "seeds": { "from": args.seeds.from, "to": args.seeds.to },
        "ran": summary.ran,
        "interrupted": summary.interrupted,
        "held": summary.ran - summary.failed,
        "failed": summary.failed,
        "violations": summary.by_invariant,
        "events": summary.events,
        "messages": summary.messages,
        "faults": summary.faults,
        "simulated_us": summary.simulated_us,
        "slowest_recovery": summary.slowest.map(|(took, seed)| json!({ "us": took.as_micros(), "seed": seed })),
        "hash": format!("{:016x}", summary.hash()),
        "failures": failures,
    })
}

fn failure(args: &ExploreArgs, outcome: &SeedOutcome) -> Value {
    json!({
        "seed": outcome.seed,
        "hash": format!("{:016x}", outcome.hash),
        "drawn": outcome.drawn,
        "violations": outcome.violations.iter().map(json::violation).collect::<Vec<Value>>(),
        "faults": outcome.faults,
        "command": args.again(&args.releases(), &args.selection(), outcome.seed),
    })
}
