//! Kafka's error codes, as far as a controller answers with them (`4.4:clients/…/common/protocol/Errors.java`).

/// Declares the codes.
macro_rules! error_codes {
    ($($(#[doc = $about:literal])+ $variant:ident = $code:literal, $name:literal, $exception:literal;)+) => {
        /// What went wrong with a request, or with one part of it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ErrorCode { $($(#[doc = $about])+ $variant,)+ }

        impl ErrorCode {
            /// The number on the wire.
            pub fn code(self) -> i16 {
                match self { $(ErrorCode::$variant => $code,)+ }
            }

            /// Kafka's name of it.
            pub fn name(self) -> &'static str {
                match self { $(ErrorCode::$variant => $name,)+ }
            }

            /// Kafka's exception of it, without its package.
            pub fn exception(self) -> &'static str {
                match self { $(ErrorCode::$variant => $exception,)+ }
            }
        }
    };
}

error_codes! {
    /// Something that should not happen.
    UnknownServerError = -1, "UNKNOWN_SERVER_ERROR", "UnknownServerException";
    /// No such topic, or no such partition of it.
    UnknownTopicOrPartition = 3, "UNKNOWN_TOPIC_OR_PARTITION", "UnknownTopicOrPartitionException";
    /// The broker holds no replica of it.
    NotLeaderOrFollower = 6, "NOT_LEADER_OR_FOLLOWER", "NotLeaderOrFollowerException";
    /// A name that no topic may have.
    InvalidTopic = 17, "INVALID_TOPIC_EXCEPTION", "InvalidTopicException";
    /// The metadata.version is too old.
    UnsupportedVersion = 35, "UNSUPPORTED_VERSION", "UnsupportedVersionException";
    /// There is such a topic.
    TopicAlreadyExists = 36, "TOPIC_ALREADY_EXISTS", "TopicExistsException";
    /// A number of partitions that cannot be.
    InvalidPartitions = 37, "INVALID_PARTITIONS", "InvalidPartitionsException";
    /// A number of replicas that cannot be.
    InvalidReplicationFactor = 38, "INVALID_REPLICATION_FACTOR", "InvalidReplicationFactorException";
    /// Replicas that cannot be.
    InvalidReplicaAssignment = 39, "INVALID_REPLICA_ASSIGNMENT", "InvalidReplicaAssignmentException";
    /// A configuration that cannot be.
    InvalidConfig = 40, "INVALID_CONFIG", "InvalidConfigurationException";
    /// This controller does not know enough.
    NotController = 41, "NOT_CONTROLLER", "NotControllerException";
    /// The request contradicts itself, or the state.
    InvalidRequest = 42, "INVALID_REQUEST", "InvalidRequestException";
    /// Too much at once.
    PolicyViolation = 44, "POLICY_VIOLATION", "PolicyViolationException";
    /// The sender is no eligible replica (3.9, to old versions of a request).
    OperationNotAttempted = 55, "OPERATION_NOT_ATTEMPTED", "OperationNotAttemptedException";
    /// A leader of an earlier epoch.
    FencedLeaderEpoch = 74, "FENCED_LEADER_EPOCH", "FencedLeaderEpochException";
    /// A broker of an earlier registration.
    StaleBrokerEpoch = 77, "STALE_BROKER_EPOCH", "StaleBrokerEpochException";
    /// The preferred leader cannot lead.
    PreferredLeaderNotAvailable = 80, "PREFERRED_LEADER_NOT_AVAILABLE", "PreferredLeaderNotAvailableException";
    /// Nobody can lead.
    EligibleLeadersNotAvailable = 83, "ELIGIBLE_LEADERS_NOT_AVAILABLE", "EligibleLeadersNotAvailableException";
    /// The leader is who it should be.
    ElectionNotNeeded = 84, "ELECTION_NOT_NEEDED", "ElectionNotNeededException";
    /// There is nothing to cancel.
    NoReassignmentInProgress = 85, "NO_REASSIGNMENT_IN_PROGRESS", "NoReassignmentInProgressException";
    /// A change of an earlier state.
    InvalidUpdateVersion = 95, "INVALID_UPDATE_VERSION", "InvalidUpdateVersionException";
    /// No topic has that id.
    UnknownTopicId = 100, "UNKNOWN_TOPIC_ID", "UnknownTopicIdException";
    /// Another process is registered under that id.
    DuplicateBrokerRegistration = 101, "DUPLICATE_BROKER_REGISTRATION", "DuplicateBrokerRegistrationException";
    /// No such broker.
    BrokerIdNotRegistered = 102, "BROKER_ID_NOT_REGISTERED", "BrokerIdNotRegisteredException";
    /// A replica that may not be in sync.
    IneligibleReplica = 107, "INELIGIBLE_REPLICA", "IneligibleReplicaException";
    /// The change brought another leader about.
    NewLeaderElected = 108, "NEW_LEADER_ELECTED", "NewLeaderElectedException";
}

/// A refusal: a code, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ApiError {
    pub error: ErrorCode,
    /// Why, in plain words.
    pub reason: String,
}

impl ApiError {
    /// A refusal with its code, and why in our words.
    pub fn new(error: ErrorCode, reason: impl Into<String>) -> Self {
        ApiError {
            error,
            reason: reason.into(),
        }
    }
}
