//! Why a `server.properties` is refused.

/// What is wrong with a configuration, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A required line is not there.
    #[error("{key} is missing: it is required where process.roles is set")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A number that is none, or is out of range.
    #[error("{key}={found}: expected {expected}")]
    NotANumber {
        /// The key.
        key: String,
        /// The value.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// A role that does not exist.
    #[error("process.roles holds `{found}`: the roles are broker and controller")]
    UnknownRole {
        /// The item.
        found: String,
    },
    /// Both ids are set, and differ.
    #[error("node.id={node} but broker.id={broker}: set node.id alone, or both to the same value")]
    TwoNodeIds {
        /// `node.id`.
        node: i32,
        /// `broker.id`.
        broker: i32,
    },
    /// An empty list of log directories.
    #[error("log.dirs is empty: name at least one directory in log.dirs or log.dir")]
    NoLogDirectory,
    /// A listener that cannot be read.
    #[error("{key} holds `{found}`: {expected}")]
    Listener {
        /// The key.
        key: &'static str,
        /// The item.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// An address of the quorum that cannot be read.
    #[error("{key} holds `{found}`: expected {expected}")]
    QuorumAddress {
        /// The key.
        key: &'static str,
        /// The item.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// Neither way of finding the quorum is configured.
    #[error(
        "process.roles is set, but neither controller.quorum.bootstrap.servers nor controller.quorum.voters names a \
         controller: set one of them"
    )]
    NoQuorum,
    /// A rule that joins several lines is broken.
    #[error("{problem}: {remedy}")]
    Inconsistent {
        /// What is found.
        problem: String,
        /// What would be right.
        remedy: String,
    },
}
