//! One replica.

mod unfinished;

use determinism::Time;
use disk::Disk;
use listener::{Event, ListenerId};
use records::NodeId;
use releases::Rules;

use crate::message::{Inbound, Outbound};
use crate::{Draws, RaftConfig, RaftFault};

/// One replica of the metadata partition: a value with methods.
#[derive(Clone, Debug)]
pub struct Replica {
    config: RaftConfig,
}

impl Replica {
    /// Opens the partition and takes up the role that the stored election state says (`KafkaRaftClient.initialize`).
    pub fn open<D: Disk>(
        config: RaftConfig,
        _rules: &Rules,
        _now: Time,
        _draws: Draws,
        _disk: &mut D,
    ) -> Result<Replica, RaftFault> {
        Ok(Replica { config })
    }

    /// Adds a listener; it is told from the next poll on.
    pub fn register(&mut self) -> ListenerId {
        ListenerId(0)
    }

    /// One turn of the raft thread: what the role has to do now, then at most one message.
    pub fn poll<D: Disk>(
        &mut self,
        _now: Time,
        _disk: &mut D,
        _inbound: Option<Inbound>,
    ) -> Result<(), RaftFault> {
        Ok(())
    }

    /// When [`Replica::poll`] wants to be called, even if no message came in.
    pub fn next_poll(&self) -> Time {
        Time::MAX
    }

    /// The next message to send.
    pub fn poll_message(&mut self) -> Option<Outbound> {
        None
    }

    /// The next event of a listener.
    pub fn poll_listener(&mut self, _listener: ListenerId) -> Option<Event> {
        None
    }

    /// The local node.
    pub fn node_id(&self) -> NodeId {
        self.config.node_id
    }
}
