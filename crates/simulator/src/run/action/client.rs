use super::NodeSelector;
use crate::run::Spanned;

/// What an administrator can ask of the leader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientAction {
    /// `add-voter N`: the directory on its disk, at the address that it is configured with.
    AddVoter(Spanned<NodeSelector>),
    /// `remove-voter N [directory ID]`: without one, the directory that is a voter; if none is, the one on its disk.
    RemoveVoter {
        node: Spanned<NodeSelector>,
        /// An id, or the part it plays: `"<dir 3>"`.
        directory: Option<Spanned<String>>,
    },
    /// `upgrade-feature NAME LEVEL`, `downgrade-feature NAME LEVEL [unsafe]`
    UpdateFeature {
        feature: Spanned<String>,
        /// A number, or the name of a metadata.version.
        level: Spanned<String>,
        /// In which direction.
        change: Change,
    },
    /// `unregister-controller N`
    UnregisterController(Spanned<NodeSelector>),
    /// `describe-quorum`: how the leader sees the quorum.
    DescribeQuorum,
}

/// How a feature may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The level may only rise.
    Upgrade,
    /// Downwards, if nothing is lost.
    Downgrade,
    /// Downwards, whatever is lost.
    UnsafeDowngrade,
}
