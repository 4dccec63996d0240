//! Why a `server.properties` is refused.

/// What is wrong with a configuration, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A required line is not there.
    #[error("{key} is missing: it is required")]
    Missing { key: &'static str },
    /// A value that the key does not take.
    #[error("{key}={found}: expected {expected}")]
    Value {
        key: String,
        found: String,
        /// What would be right.
        expected: String,
    },
    /// A role that is named twice.
    #[error("process.roles holds `{found}` twice: name each role once")]
    DuplicateRole { found: String },
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
        key: &'static str,
        found: String,
        /// What would be right.
        expected: String,
    },
    /// Neither way of finding the quorum is configured.
    #[error(
        "process.roles is set, but neither controller.quorum.bootstrap.servers nor controller.quorum.voters names a \
         controller: set one of them"
    )]
    NoQuorum,
    /// A config provider that cannot give what is asked of it.
    #[error("config provider: {problem}")]
    Provider {
        /// What is wrong.
        problem: String,
    },
    /// Kafka might read it, and kraftsim does not.
    #[error("{what}, and at most {most} are read")]
    TooMuch {
        /// What there is too much of.
        what: String,
        most: usize,
    },
    /// A rule that joins several lines is broken.
    #[error("{problem}: {remedy}")]
    Inconsistent {
        /// What is found.
        problem: String,
        /// What would be right.
        remedy: String,
    },
}

/// Longer values are shown in part, in characters.
const MOST_SHOWN: usize = 200;

/// A value as an error shows it.
pub(super) fn brief(value: &str) -> String {
    match value.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &value[..end], value.len()),
        None => value.to_owned(),
    }
}

impl ConfigError {
    /// The error with the id's key that stands among the lines, where Kafka names the other one.
    pub(super) fn of_lines(mut self, lines: &super::Entries) -> Self {
        if let ConfigError::Value { key, .. } = &mut self
            && !lines.contains_key(key.as_str())
        {
            match key.as_str() {
                "broker.id" => "node.id".clone_into(key),
                "node.id" => "broker.id".clone_into(key),
                _ => {}
            }
        }
        self
    }
}
