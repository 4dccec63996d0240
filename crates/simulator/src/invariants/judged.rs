/// An invariant that no single event shows: an agent that waits judges it, by what happened within a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    pub id: &'static str,
    /// What it says, in one sentence.
    pub sentence: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// The invariants that waiting judges: `run until … within … else LIVE-1`.
pub const JUDGED: [Judged; 2] = [
    Judged {
        id: "LDR-3",
        sentence: "Where the release has pre-vote, a leader that a majority of the voters reaches stays leader (KIP-996).",
        source: "KIP-996; StableLeadership in the public TLA+ specification of KRaft",
    },
    Judged {
        id: "LIVE-1",
        sentence: "Within 60 simulated seconds after the last fault a controller is active, the committed log holds a \
                   metadata.version, and the high watermark moves.",
        source: "Kafka's own simulation of raft (`4.4:raft/src/test/…/RaftEventSimulationTest.java`), and the bound of this one",
    },
];
