//! `kraftsim drive` beside the driver of Kafka's own classes: the same schedules, the same answers.
//!
//! Reading order: [`compare`] (what counts as a difference), [`Recording`] (what real Kafka answered, on file),
//! [`ours`] (a schedule through kraftsim), [`Kafka`] (a schedule through real Kafka), [`Generator`] (schedules from a
//! seed: `profile` and `settings` say what cluster it is and what is done to it, `processes`, `appends`, `features`, `brokers`,
//! `late` and `odd_commands` do it, with `crafted` requests and `made_records`), [`shrink`] (fewer commands, the same trouble).

mod appends;
mod brokers;
pub mod compare;
mod crafted;
mod features;
mod generator;
mod kafka;
mod late;
mod made_records;
mod odd_commands;
mod processes;
mod profile;
mod recording;
mod settings;
mod shrink;
mod view;

pub use compare::{Difference, first_difference};
pub use generator::Generator;
pub use kafka::{Answered, End, Kafka, KafkaError, is_endless};
pub use profile::{Family, Pace, Profile, Setting};
pub use recording::Recording;
pub use shrink::shrink;

use kraftsim::drive::DrivenSchedule;
use releases::Release;
use serde_json::Value;

/// What kraftsim answers to a schedule.
pub fn ours(release: Release, schedule: &[Value]) -> Vec<Value> {
    let mut session = DrivenSchedule::new(release.rules());
    schedule
        .iter()
        .map(|command| session.obey(command))
        .collect()
}

/// Whether an answer says that the model lacks what was asked for.
pub fn is_unavailable(answer: &Value) -> bool {
    answer["error"]
        .as_str()
        .is_some_and(|error| error.starts_with("not available yet"))
}
