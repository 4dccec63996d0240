//! [`Capability`]: what a metadata.version switches on.

use super::{Line, MetadataVersion};

/// Something a controller or broker may do only from some metadata.version on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capability {
    /// `NoOpRecord`s are written.
    NoOpRecord,
    /// Fencing is a `BrokerRegistrationChangeRecord`.
    BrokerRegistrationChangeRecord,
    /// Brokers say that they shut down.
    InControlledShutdown,
    /// A migration from `ZooKeeper` is possible.
    ZkMigration,
    /// SCRAM credentials are in the log.
    Scram,
    /// Shrinking an ISR leaves the leader epoch as it is.
    LeaderEpochKeptOnIsrShrink,
    MetadataTransactions,
    /// Delegation tokens are in the log.
    DelegationTokens,
    ControllerRegistration,
    /// Replicas are assigned to log directories.
    DirectoryAssignment,
    /// Eligible leader replicas are in the log.
    ElrRecords,
    /// Brokers say which log directories take no new replicas.
    CordonedLogDirs,
    /// An access control entry may name a range of addresses.
    CidrAcl,
    ControllerUnregistration,
}

impl Capability {
    /// All of them.
    pub const ALL: [Capability; 14] = [
        Capability::NoOpRecord,
        Capability::BrokerRegistrationChangeRecord,
        Capability::InControlledShutdown,
        Capability::ZkMigration,
        Capability::Scram,
        Capability::LeaderEpochKeptOnIsrShrink,
        Capability::MetadataTransactions,
        Capability::DelegationTokens,
        Capability::ControllerRegistration,
        Capability::DirectoryAssignment,
        Capability::ElrRecords,
        Capability::CordonedLogDirs,
        Capability::CidrAcl,
        Capability::ControllerUnregistration,
    ];

    /// The first metadata.version with it on `line`; `None` if the line does not know it.
    ///
    /// Source: `…:server-common/src/main/java/org/apache/kafka/server/common/MetadataVersion.java` of each branch.
    pub(super) const fn since(self, line: Line) -> Option<MetadataVersion> {
        Some(MetadataVersion(match self {
            Capability::NoOpRecord => 5,
            Capability::BrokerRegistrationChangeRecord => 6,
            Capability::InControlledShutdown => 7,
            Capability::ZkMigration => 8,
            Capability::Scram => 11,
            Capability::LeaderEpochKeptOnIsrShrink => 12,
            Capability::MetadataTransactions => 13,
            Capability::DelegationTokens => 14,
            Capability::ControllerRegistration => 15,
            Capability::DirectoryAssignment => 17,
            Capability::ElrRecords if line.is_since(Line::V4_0) => 23,
            Capability::ElrRecords => 22,
            Capability::CordonedLogDirs if line.is_since(Line::V4_3) => 30,
            Capability::CidrAcl if line.is_since(Line::V4_4) => 32,
            Capability::ControllerUnregistration if line.is_since(Line::V4_4) => 33,
            Capability::CordonedLogDirs
            | Capability::CidrAcl
            | Capability::ControllerUnregistration => return None,
        }))
    }
}
