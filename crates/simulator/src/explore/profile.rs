use std::fmt;
use std::str::FromStr;

/// What kind of run a seed is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// The first start of a quorum of one to five controllers, with faults at every stage of it.
    Bootstrap,
    /// One of ten situations, after Kafka's simulation of raft, then random faults.
    Quorum,
    /// Voters are added, removed and moved, and kraft.version is upgraded, while faults strike.
    Membership,
}

impl Profile {
    pub const ALL: [Profile; 3] = [Profile::Bootstrap, Profile::Quorum, Profile::Membership];

    /// `bootstrap`, `quorum`, `membership`.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Bootstrap => "bootstrap",
            Profile::Quorum => "quorum",
            Profile::Membership => "membership",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No such profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown profile `{0}`: there are bootstrap, quorum and membership")]
pub struct UnknownProfile(String);

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        let found = Profile::ALL.into_iter().find(|one| one.name() == text);
        found.ok_or_else(|| UnknownProfile(text.to_owned()))
    }
}
