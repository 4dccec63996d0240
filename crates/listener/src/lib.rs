//! What a client of raft is told, and when, and what it may ask.
//!
//! Deliberately knows neither how raft elects and replicates nor what a controller does with what it is told: it is
//! the seam between the two, and checks that both keep to it.
//!
//! Reading order: [`Event`] (the callbacks), [`LeaderAndEpoch`], [`Dispatcher`] (which event comes next, per listener
//! and release), [`Contract`] (checks a stream of events against CB-1 to CB-3), [`RaftClient`] (what a listener may ask).
//!
//! ```
//! use listener::{Dispatcher, Event, LeaderAndEpoch};
//! use records::NodeId;
//!
//! let mut dispatcher = Dispatcher::new(NodeId(1));
//! dispatcher.leader_changed(LeaderAndEpoch::new(Some(NodeId(2)), 7));
//! assert_eq!(dispatcher.poll(), Some(Event::LeaderChange(LeaderAndEpoch::new(Some(NodeId(2)), 7))));
//! // The same leader is not announced twice.
//! dispatcher.leader_changed(LeaderAndEpoch::new(Some(NodeId(2)), 7));
//! assert_eq!(dispatcher.poll(), None);
//! ```

mod contract;
mod dispatcher;
mod event;
mod leader_and_epoch;
mod raft_client;

pub use contract::{BrokenContract, Contract};
pub use dispatcher::{Dispatcher, ReadMode};
pub use event::{CommitSource, CommittedBatches, Event, ListenerId, SnapshotReader};
pub use leader_and_epoch::LeaderAndEpoch;
pub use raft_client::{AppendError, RaftClient, ResignError, UpgradeError, UpgradeMode};
