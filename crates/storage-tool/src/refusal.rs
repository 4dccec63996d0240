//! Why a directory is not formatted.

use disk::DiskError;

use crate::dynamic_voters::DynamicVotersError;
use crate::scram::ScramError;

/// A condition under which the release's own tool refuses too; nothing has been written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The configuration has no `process.roles`.
    #[error(
        "process.roles is not set: this is a configuration for ZooKeeper, and only nodes of a KRaft cluster are \
         formatted; set process.roles to broker, controller or both"
    )]
    NoRoles,
    /// `metadata.log.dir` is there and empty. Kafka formats the root of the file system then.
    #[error(
        "metadata.log.dir is empty, which kafka-storage takes for the root of the file system: name a directory, or \
         leave the line out"
    )]
    NoMetadataDirectory,
    /// Static voters, and an option for a dynamic quorum.
    #[error(
        "controller.quorum.voters is set, so the quorum is static, but {flag} makes a dynamic one: leave {flag} out, \
         or set controller.quorum.bootstrap.servers instead of controller.quorum.voters"
    )]
    StaticVoters { flag: &'static str },
    /// A controller of a dynamic quorum, and no word about its voters.
    #[error(
        "controller.quorum.voters is not set, so the quorum is dynamic and this controller must be told of its first \
         voters: add --standalone, --initial-controllers or --no-initial-controllers"
    )]
    NoQuorumFlag,
    /// A broker cannot be a quorum of one.
    #[error(
        "--standalone makes this node the only voter, but process.roles has no controller: leave it out"
    )]
    StandaloneBroker,
    /// Kafka cannot write down an IPv6 address, or a port that is none, for a quorum of one.
    #[error(
        "--standalone: the controller listener is advertised at host {host} and port {port}, which kafka-storage cannot \
         put into a voter by itself: advertise a host name, or name the voter with --initial-controllers"
    )]
    StandaloneAddress { host: String, port: i32 },
    /// The list of voters cannot be read.
    #[error("--initial-controllers: {0}")]
    InitialControllers(#[from] DynamicVotersError),
    /// A version that the release does not know.
    #[error("unknown metadata.version {found}: expected {expected}")]
    UnknownVersion {
        /// What was asked for, with the option or key that said so.
        found: String,
        /// What there is.
        expected: String,
    },
    /// A version that is not ready for production.
    #[error(
        "metadata.version {found} is not stable in this release, whose newest stable one is {newest}: choose that or an \
         older one, or set unstable.feature.versions.enable=true"
    )]
    UnstableVersion {
        found: &'static str,
        /// The newest stable one.
        newest: &'static str,
    },
    /// A version that bootstrap records cannot have.
    #[error(
        "metadata.version {found} is too old to start a cluster with: choose {minimum} or a newer one"
    )]
    VersionTooOld {
        found: &'static str,
        /// The oldest one that can.
        minimum: &'static str,
    },
    /// Two options say which metadata.version is meant.
    #[error(
        "--feature metadata.version and {other} both name a metadata.version: keep one of them"
    )]
    TwoVersions {
        /// The other option or key.
        other: &'static str,
    },
    /// A `--feature` that cannot be read.
    #[error("--feature {found}: expected NAME=LEVEL with a number of 16 bits")]
    FeatureSyntax { found: String },
    /// A feature that the release does not know.
    #[error("--feature {name}: this release has no such feature; it has {known}")]
    UnknownFeature {
        name: String,
        /// Those there are.
        known: String,
    },
    /// A level that the release does not know, or does not use yet.
    #[error("--feature {name}={found}: expected {expected}")]
    FeatureLevel {
        name: String,
        found: i16,
        /// The levels there are.
        expected: String,
    },
    /// A level that needs another feature at some level.
    #[error("{name}={level} needs {needed} at level {needed_level} or above, which is at {found}")]
    Dependency {
        name: String,
        level: i16,
        /// What it needs.
        needed: &'static str,
        /// The level it needs that at.
        needed_level: i16,
        /// The level that is.
        found: i16,
    },
    /// kraft.version 0 for a dynamic quorum.
    #[error(
        "kraft.version 0 was asked for, but a dynamic quorum needs 1: leave --feature kraft.version out"
    )]
    KRaftVersionOfDynamicQuorum,
    /// kraft.version 1 for static voters.
    #[error(
        "kraft.version {level} was asked for, but static voters need 0: leave --feature kraft.version out, or make the \
         quorum dynamic by removing controller.quorum.voters and adding --standalone, --initial-controllers or \
         --no-initial-controllers"
    )]
    KRaftVersionOfStaticQuorum { level: i16 },
    /// Credentials at a metadata.version without them.
    #[error(
        "--add-scram: metadata.version {found} has no SCRAM credentials; choose 3.5-IV2 or a newer one"
    )]
    ScramTooOld { found: &'static str },
    /// A credential that cannot be made.
    #[error(transparent)]
    Scram(#[from] ScramError),
    /// The bootstrap records do not fit into one batch.
    #[error(
        "the bootstrap records take {found} bytes, but must fit into one batch of {limit}: add fewer credentials"
    )]
    BatchTooLarge {
        /// Size that the batch would have.
        found: usize,
        /// The most bytes that fit.
        limit: usize,
    },
    /// A directory has a `meta.properties` already.
    #[error(
        "{directory} is formatted already: add --ignore-formatted to leave it as it is and format the others"
    )]
    AlreadyFormatted { directory: String },
    /// A `meta.properties` of another cluster or node.
    #[error(
        "{file}: expected {key} {expected}, found {found}: the directory belongs to another {owner}"
    )]
    Foreign {
        file: String,
        /// `cluster.id` or `node.id`.
        key: &'static str,
        /// What this call is for.
        expected: String,
        /// What the file says.
        found: String,
        /// `cluster` or `node`.
        owner: &'static str,
    },
    /// A `meta.properties` with a directory id that is not its own.
    #[error("{file}: directory.id {found} {problem}")]
    DirectoryId {
        file: String,
        found: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No directory can be read.
    #[error(
        "none of the directories can be formatted: the meta.properties of every one is unreadable ({first})"
    )]
    NoDirectory {
        /// What is wrong with the first.
        first: String,
    },
}

/// Why the formatter stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The release's own tool refuses too; nothing has been written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The disk failed, or the process ended at one of its operations; directories may be half written, and those
    /// without `meta.properties` count as unformatted.
    #[error(transparent)]
    Disk(#[from] DiskError),
}
