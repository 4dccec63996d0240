use crate::run::action::QuorumKind;

use super::situation::Situation;

/// What is chosen instead of drawn; empty where the seed draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The situations of profile `quorum`.
    pub situations: Vec<Situation>,
    /// How many controllers.
    pub voters: Option<u64>,
    /// How nodes learn the voters.
    pub quorum: Option<QuorumKind>,
}

impl Selection {
    /// The situations that such a number of voters can be in, of those that were chosen or of all.
    pub(super) fn possible(&self) -> Vec<Situation> {
        let mut possible = match self.situations.as_slice() {
            [] => Situation::ALL.to_vec(),
            chosen => chosen.to_vec(),
        };
        possible.retain(|one| self.voters.is_none_or(|voters| one.takes(voters)));
        possible
    }
}
