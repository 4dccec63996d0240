use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::judge::LivedVerdict;

/// What differs from real Kafka and is understood, or at least named.
#[derive(Clone, Debug, Default)]
pub struct KnownDifferences {
    reasons: BTreeMap<String, String>,
}

impl KnownDifferences {
    /// From tab separated lines `cell, reason` below one header line.
    pub fn parse(text: &str) -> Self {
        let lines = text
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once('\t'));
        let reasons = lines.map(|(id, reason)| (id.to_owned(), reason.to_owned()));
        KnownDifferences {
            reasons: reasons.collect(),
        }
    }

    /// Those that the repository admits to.
    pub fn of_repository() -> Self {
        Self::parse(include_str!("../../lived-differences.tsv"))
    }

    /// Why a cell differs.
    pub fn reason(&self, id: &str) -> Option<&str> {
        self.reasons.get(id).map(String::as_str)
    }

    /// Whether a verdict is the one that the repository stands by: agreement, or a difference with a reason.
    pub fn stand_by(&self, id: &str, verdict: &LivedVerdict) -> Result<(), String> {
        match (verdict.agrees(), self.reason(id)) {
            (true, None) | (false, Some(_)) => Ok(()),
            (false, None) => Err(verdict.differences().join("\n")),
            (true, Some(_)) => {
                Err("stands in tests/lived-differences.tsv and does not differ".to_owned())
            }
        }
    }
}

/// The verdicts as a page: `docs/agreement-lived.md`.
pub fn page(verdicts: &[(String, LivedVerdict)], known: &KnownDifferences) -> String {
    let mut text = String::from(OPENING);
    text.push_str("\n| cell | what | actions | agree | records made here | records given | checkpoints: same / at another offset | differs in |\n");
    text.push_str("|---|---|--:|--:|--:|--:|--:|--:|\n");
    let mut sum = Sum::default();
    for (id, verdict) in verdicts {
        let (same, elsewhere) = verdict.checkpoints;
        let differences = verdict.differences().len();
        let _ = writeln!(
            text,
            "| {id} | {} | {} | {} | {} | {} | {same} / {elsewhere} | {differences} |",
            verdict.title,
            verdict.actions.len(),
            verdict.agreeing(),
            verdict.made,
            verdict.given,
        );
        sum.add(verdict);
    }
    let _ = writeln!(
        text,
        "| all {} | {} agree in everything | {} | {} | {} | {} | {} / {} | {} |",
        verdicts.len(),
        sum.agree,
        sum.actions,
        sum.agreeing,
        sum.made,
        sum.given,
        sum.checkpoints.0,
        sum.checkpoints.1,
        sum.differences
    );
    differences(&mut text, verdicts, known);
    text
}

#[derive(Default)]
struct Sum {
    agree: usize,
    actions: usize,
    agreeing: usize,
    made: usize,
    given: usize,
    checkpoints: (usize, usize),
    differences: usize,
}

impl Sum {
    fn add(&mut self, verdict: &LivedVerdict) {
        self.agree += usize::from(verdict.agrees());
        self.actions += verdict.actions.len();
        self.agreeing += verdict.agreeing();
        self.made += verdict.made;
        self.given += verdict.given;
        self.checkpoints.0 += verdict.checkpoints.0;
        self.checkpoints.1 += verdict.checkpoints.1;
        self.differences += verdict.differences().len();
    }
}

fn differences(text: &mut String, verdicts: &[(String, LivedVerdict)], known: &KnownDifferences) {
    let differing: Vec<_> = verdicts
        .iter()
        .filter(|(_, verdict)| !verdict.agrees())
        .collect();
    if differing.is_empty() {
        return;
    }
    text.push_str("\n## Differences\n");
    for (id, verdict) in differing {
        let reason = known.reason(id).unwrap_or("No reason known.");
        let _ = writeln!(text, "\n**{id}**: {reason}\n");
        for what in verdict.differences() {
            let _ = writeln!(text, "* `{}`", what.replace('`', "'"));
        }
    }
}

const OPENING: &str = "\
# Agreement with lived-in clusters

`tests/lived` holds whole lives of clusters of real Kafka: three or four controllers, with brokers or without, to which things were done one
after the other. Each life is lived again by a simulated cluster, action by action, and compared after each. This page is the
output of

    cargo run --release -p kraftsim-tests --bin agree -- --lived --table --only l2- --only l3- --only l5- --only l6- tests/lived

and a test fails when it is not. Without `--table` the command names every difference, on any folder of such cells; `--write DIR` writes
the scenarios that come of them: those in `simulations/lived` were made so. One of l2 to l6 takes a tenth of a second.

**Done again.** Every action is translated into commands of a scenario: `format`, `start`, `crash`, `wipe`, `add-voter`, `describe-quorum`, … Who leads is
steered to be who led there (the others' requests for votes are lost), and a controller's registration comes when it came there (held back until
then). What proxies withheld between controllers is `drop data-fetch-response`.

**Given.** Brokers are not simulated, nor what administrators' tools change in topics, configurations, users. The records that came of those are
written by the simulated active controller as they were recorded, one recorded batch at a time, and those which the killed leader lost are
written while it is cut off. They go through its controller and its raft like any others: appended, replayed, replicated, committed, truncated, in checkpoints.

**Made here, and compared**, all of it at the end of the whole life as well as after each action: every record that raft or the controllers write by
themselves, with type, version and all fields (leader changes with voters, `KRaftVersion`, `KRaftVoters` with directories, endpoints and ranges, bootstrap transactions, feature
levels, no-ops, registrations of controllers with endpoints and features, unregistrations); the order of all records, their offsets, the size of each batch; the voters in force after each action; what was cut from the
log of a killed leader; what the tools said: status and replication of the quorum field by field, error codes of what was refused, finalized features; from where each process bootstrapped, and how
many records; which processes ended by themselves; the directories at every `save` and at the end: `quorum-state`, `leader-epoch-checkpoint`, `meta.properties`, `partition.metadata`,
segments, checkpoints; every checkpoint with its header, control records and metadata.

**Chance in real life, and how it is left out**

* Epochs are counted, not named: the third epoch in which a leader wrote is the third here. An epoch without a leader does not count, and a `quorum-state` that
  names one is not compared. Who granted a vote, and `votedId`, are not compared. Times are not.
* Ids that processes draw are named by the order in which a node has them: `<dir-3.2>` is the second directory of node 3.
* In which batch registrations come together is not compared, nor their place among other records, but for the offsets that follow from it. A process whose registration was written, and
  whose leader died before it answered, registers again: that record does not count.
* Each node cleans its log in its own time: of two directories the part is compared that both still have.
* A node writes a checkpoint when enough bytes have come since the last; it counts from where its process began to publish, and publishes several batches at once if they come so. Where a checkpoint was due by the recorded
  sizes, but came one batch later there, it counts as \"at another offset\". Whatever its offset, a recorded checkpoint must hold exactly what our image makes of the recorded log up to there.
* Within a checkpoint, metadata records count as a set: Kafka walks through maps in the order of identity hashes.
* Brokers among the observers of a quorum are not compared, as there are none.

**Their directories.** Beyond that, a test opens every directory that a recorder saved (`controllers.tar.xz`) with every release, and finds the end of the log, the epochs and the voters that stand there; and
lets a simulated cluster go on from each cell's last ones, on the release that left them and on 4.4.0: one controller becomes active, and every batch is still there, byte for byte. The same test holds `quorum-state` and `leader-epoch-checkpoint` of the
golden cells of three controllers against ours (`tests/tests/lived_directories.rs`). That each of these files is read and written back byte for byte is another (`tests/tests/bytes_of_kafka.rs`).
";
