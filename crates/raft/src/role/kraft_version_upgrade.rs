use crate::VoterSet;

/// How far a leader is with raising kraft.version from 0 to 1 (4.1+).
///
/// Source: `4.4:raft/…/internals/KRaftVersionUpgrade.java`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KRaftVersionUpgrade {
    /// kraft.version is 1 already, or the release cannot raise it.
    Nothing,
    /// kraft.version is 0: the voters with what they told of themselves to this leader.
    CollectsVoters(VoterSet),
    /// This version was asked for and its records are on their way.
    Requested(i16),
}

impl KRaftVersionUpgrade {
    /// The version that was asked for.
    pub(crate) fn requested(&self) -> Option<i16> {
        match self {
            KRaftVersionUpgrade::Requested(version) => Some(*version),
            _ => None,
        }
    }
}
