use determinism::Time;

/// What one seed came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedOutcome {
    /// The seed.
    pub seed: u64,
    /// What was drawn, in words: the quorum, the releases, the situation, the kinds of faults.
    pub drawn: String,
    /// What did not hold, in order, each invariant at most once.
    pub findings: Vec<Finding>,
    /// The faults that were done, in order, with their times.
    pub faults: Vec<String>,
    /// How long it took from the last fault to an active controller; `None` where there was none.
    pub recovered_in: Option<Time>,
    /// The determinism hash.
    pub hash: u64,
    /// Events handled.
    pub events: u64,
    /// Messages sent.
    pub messages: u64,
    /// Simulated time.
    pub simulated: Time,
}

/// An invariant that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its id.
    pub id: &'static str,
    /// When.
    pub at: Time,
    /// What was seen, in plain words.
    pub what: String,
    /// What the invariant says.
    pub sentence: &'static str,
}
