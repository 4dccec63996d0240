//! What can be done to a world: the one vocabulary of scenarios, random runs, rehearsals and replays.
//!
//! An [`Action`] happens at one moment of simulated time. It names its nodes by number, or by the part that they play at
//! that moment. [`Declaration`]s say what the world is made of. How both are written as text is the
//! [scenario](crate::scenario) language's.

mod client;
mod declaration;
mod disk;
mod file_ref;
mod network;
mod nodes;
mod process;

pub use client::{Change, ClientAction};
pub use declaration::{Declaration, QuorumKind};
pub use disk::{DiskAction, Format, FormatVoters, Formatted, Keep};
pub use file_ref::FileRef;
pub use network::{DropWhich, LinkEnds, MessageKind, NetworkAction};
pub use nodes::{NodeSelector, Nodes};
pub use process::{DiskPoint, ProcessAction};

/// Something that can be done to a world, at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// To disks, while their nodes are down.
    Disk(DiskAction),
    Process(ProcessAction),
    Network(NetworkAction),
    /// To the leader, by an administrator.
    Client(ClientAction),
}

impl From<DiskAction> for Action {
    fn from(action: DiskAction) -> Self {
        Action::Disk(action)
    }
}

impl From<ProcessAction> for Action {
    fn from(action: ProcessAction) -> Self {
        Action::Process(action)
    }
}

impl From<NetworkAction> for Action {
    fn from(action: NetworkAction) -> Self {
        Action::Network(action)
    }
}

impl From<ClientAction> for Action {
    fn from(action: ClientAction) -> Self {
        Action::Client(action)
    }
}
