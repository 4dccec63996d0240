use super::logs::Logs;
use super::observation::Observation;

/// A rule that every run must keep, told what happens in order.
pub trait Invariant {
    /// Its id: `LOG-1`.
    fn id(&self) -> &'static str;
    /// What it says, in one sentence.
    fn sentence(&self) -> &'static str;
    /// Where it comes from.
    fn source(&self) -> &'static str;
    /// Takes in what happened; `logs` holds it already. What is wrong with it, in plain words.
    fn observe(&mut self, logs: &Logs, seen: &Observation<'_>) -> Result<(), String>;
}
