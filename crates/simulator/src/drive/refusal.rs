use records::NodeId;

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such node.
    #[error("no node {0}")]
    NoSuchNode(NodeId),
    /// It is not up, or a fault has ended it.
    #[error("node {0} is down")]
    Down(NodeId),
    /// Nobody listens to that address.
    #[error("nobody listens at {0}")]
    NobodyThere(String),
    /// There is no message of that number.
    #[error("message {0} is not in flight")]
    NotInFlight(u64),
    /// The node has no controller.
    #[error("node {0} has no controller")]
    NoController(NodeId),
    /// The model does not have it.
    #[error("not available yet: {0}")]
    Unavailable(String),
    /// The part that was asked said no.
    #[error("{0}")]
    Refused(String),
}

impl Refusal {
    /// The part that was asked said no, in its words.
    pub(super) fn refused(error: impl std::fmt::Display) -> Self {
        Refusal::Refused(error.to_string())
    }
}
