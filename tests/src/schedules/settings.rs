//! Properties and features of the clusters that schedules are about.

use determinism::Rng;
use records::feature::Line;
use serde_json::{Value, json};

use super::profile::{Family, Profile};

/// The properties of an ordinary cluster.
pub(super) fn plain(profile: &Profile, rng: &mut Rng) -> Value {
    let mut props =
        json!({ "metadata.max.idle.interval.ms": if rng.chance(1, 6) { "500" } else { "0" } });
    let mut set = |chance: u64, of: u64, key: &str, values: &[&str], rng: &mut Rng| {
        if rng.chance(chance, of) {
            props[key] = (*rng.pick(values).unwrap_or(&"1")).into();
        }
    };
    let linger = "controller.quorum.append.linger.ms";
    set(1, 5, linger, &["0", "5", "100"], rng);
    set(1, 6, "controller.quorum.fetch.timeout.ms", &["600"], rng);
    if profile.has(Family::Brokers) {
        let timeouts = ["1500", "1501", "3001", "9000", "9001"];
        set(1, 1, "broker.session.timeout.ms", &timeouts, rng);
        let seconds = "leader.imbalance.check.interval.seconds";
        set(1, 2, seconds, &["1", "2"], rng);
        set(1, 5, "min.insync.replicas", &["2"], rng);
        set(1, 6, "unclean.leader.election.enable", &["true"], rng);
    }
    if profile.has(Family::Snapshots) {
        set(1, 2, "metadata.max.retention.bytes", &["100", "1500"], rng);
        set(1, 3, "metadata.max.retention.ms", &["100", "60000"], rng);
    }
    props
}

/// Makes a cluster odd.
pub(super) fn twist(profile: &Profile, line: Line, init: &mut Value, rng: &mut Rng) {
    properties(line, &mut init["props"], rng);
    if rng.chance(3, 10) {
        let names = [
            "3.9-IV0", "3.8-IV0", "3.7-IV4", "3.3-IV3", "4.0-IV3", "4.0-IV1", "4.1-IV1", "4.2-IV1",
            "4.3-IV0",
        ];
        let known = match line {
            Line::V3_9 => &names[..4],
            Line::V4_0 => &names[..5],
            Line::V4_1 => &names[..7],
            _ => &names[..],
        };
        init["release_version"] = (*rng.pick(known).unwrap_or(&"3.9-IV0")).into();
        if let Some(init) = init.as_object_mut() {
            // Older levels do not go together with newer features.
            init.remove("features");
        }
    } else if rng.chance(3, 10) && profile.is_dynamic {
        init["features"] = json!({ "kraft.version": 1 });
    } else if rng.chance(3, 10) && line != Line::V3_9 {
        init["features"] =
            json!({ "group.version": rng.below(2), "transaction.version": rng.below(3) });
    }
    if rng.chance(2, 10) {
        init["unstable"] = true.into();
    }
    if rng.chance(3, 10) {
        init["clock"] = (1_600_000_000_000_i64 + rng.below(1_000_000) as i64).into();
    }
    if rng.chance(3, 10) {
        init["cluster_id"] = "b3RoZXItY2x1c3Rlci1pZA".into();
    }
    if rng.chance(3, 10) {
        init["start"] = false.into();
    }
}

fn properties(line: Line, props: &mut Value, rng: &mut Rng) {
    let mut set = |chance: u64, key: &str, values: &[&str], rng: &mut Rng| {
        if rng.chance(chance, 10) {
            props[key] = (*rng.pick(values).unwrap_or(&"1")).into();
        }
    };
    let quorum = |name: &str| format!("controller.quorum.{name}");
    let election = ["300", "1500", "50"];
    set(3, &quorum("election.timeout.ms"), &election, rng);
    let backoff = ["50", "300", "5000"];
    set(3, &quorum("election.backoff.max.ms"), &backoff, rng);
    let fetch = ["400", "1000", "5000"];
    set(3, &quorum("fetch.timeout.ms"), &fetch, rng);
    let request = ["200", "700", "4000"];
    set(3, &quorum("request.timeout.ms"), &request, rng);
    set(3, &quorum("retry.backoff.ms"), &["0", "5", "100"], rng);
    set(3, &quorum("append.linger.ms"), &["0", "10", "200"], rng);
    let segment = match line {
        Line::V3_9 | Line::V4_0 => "metadata.log.segment.bytes",
        _ => "internal.metadata.log.segment.bytes",
    };
    set(6, segment, &["500", "1200", "9000"], rng);
    set(3, "metadata.log.segment.ms", &["100", "2000"], rng);
    set(4, "metadata.max.retention.bytes", &["400", "1500"], rng);
    set(4, "metadata.max.retention.ms", &["100", "2000"], rng);
    if matches!(line, Line::V4_3 | Line::V4_4) {
        set(3, &quorum("fetch.max.bytes"), &["1", "300"], rng);
        let snapshot = ["1", "100", "400"];
        set(3, &quorum("fetch.snapshot.max.bytes"), &snapshot, rng);
    }
    if matches!(line, Line::V3_9 | Line::V4_0) {
        props["metadata.log.segment.min.bytes"] = "100".into();
    }
}
