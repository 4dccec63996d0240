//! Agreement with lived-in clusters: whole lives of clusters of real Kafka (`tests/lived`), lived again by a simulated one.
//!
//! A cell's actions are translated into commands of a scenario, one after the other, each said to a running
//! [`simulator::scenario::run::Session`]; the text of it is the scenario that stands in `simulations/lived`. What depends on time
//! in real life is steered to be as recorded: who leads, and when a controller gets to register. The records that brokers
//! and administrators' tools caused are given; everything else is the simulated cluster's own, and compared.
//!
//! Reading order: `recording` (a cell, and an action in parts), `header` (its world), `player` (the cluster beside its
//! recording), `deeds`, `failures` and `tools` (what was done, as
//! commands), `log`, `align`, `checkpoints`, `fold`, `directories`, `processes` (what is compared), `names` (what
//! stands for ids), `judge` (the verdict), `table` (the page).

mod align;
mod checkpoints;
mod deeds;
mod directories;
mod failures;
mod fold;
mod header;
mod judge;
mod log;
mod names;
mod player;
mod processes;
mod recording;
mod table;
mod tools;

pub use judge::{ActionVerdict, LivedVerdict, judge, judge_against};
pub use recording::Recording;
pub use table::{KnownDifferences, page};
