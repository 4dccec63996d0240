//! Who leads and what is committed: one replica as a pure state machine

mod config;
mod draws;
mod endpoints;
mod fault;
mod java_order;
pub mod message;
mod replica;
mod voter_set;

pub use config::{AutoJoinSetting, RaftConfig, VoterAbility, WallClock};
pub use draws::{Draw, Draws};
pub use endpoints::{Address, Endpoints, ListenerName};
pub use fault::RaftFault;
pub use replica::Replica;
pub use voter_set::{SupportedVersionRange, VoterNode, VoterSet};
