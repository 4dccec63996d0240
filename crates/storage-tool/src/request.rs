//! What is asked of the formatter: the options of `kafka-storage format`, not yet judged.

/// The options of one call, next to the server's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatRequest {
    /// `--cluster-id`; of no particular shape.
    pub cluster_id: String,
    /// `--standalone`, `--initial-controllers` or `--no-initial-controllers`.
    pub quorum: QuorumFlag,
    /// `--release-version`: `4.0`, `4.0.1` or `4.0-IV3`.
    pub release_version: Option<String>,
    /// `--feature`, each as `NAME=LEVEL`; the last one of a name counts.
    pub features: Vec<String>,
    /// `--add-scram`, each as `MECHANISM=[…]`.
    pub scram: Vec<String>,
    /// `--ignore-formatted`, or not.
    pub already_formatted: AlreadyFormatted,
}

impl FormatRequest {
    /// A request without any option but the cluster id.
    pub fn new(cluster_id: impl Into<String>) -> Self {
        FormatRequest {
            cluster_id: cluster_id.into(),
            quorum: QuorumFlag::None,
            release_version: None,
            features: Vec::new(),
            scram: Vec::new(),
            already_formatted: AlreadyFormatted::Refused,
        }
    }
}

/// What the node is told about the first voters of its quorum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuorumFlag {
    /// Nothing: the voters are static, or the node is a broker.
    None,
    /// It is the only voter.
    Standalone,
    /// They are `ID@HOST:PORT:DIRECTORY-ID,…`.
    InitialControllers(String),
    /// It will hear of them from others.
    NoInitialControllers,
}

/// What becomes of directories that have a `meta.properties` already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlreadyFormatted {
    /// The whole call is refused.
    Refused,
    /// They are left as they are, and the others are formatted.
    Skipped,
}
