use super::FieldType::{Array, Boolean, Int16, Int32, Struct, Text, Uint16, Uuid};
use super::{Field, Shape};

static ADD_RAFT_VOTER_REQUEST_LISTENER: Shape = Shape::new(&[
    Field::new("name", Text),
    Field::new("host", Text),
    Field::new("port", Uint16),
]);

pub(super) static ADD_RAFT_VOTER_REQUEST: Shape = Shape::new(&[
    Field::new("clusterId", Text).nullable(),
    Field::new("timeoutMs", Int32),
    Field::new("voterId", Int32),
    Field::new("voterDirectoryId", Uuid),
    Field::new(
        "listeners",
        Array(&Struct(&ADD_RAFT_VOTER_REQUEST_LISTENER)),
    ),
    Field::new("ackWhenCommitted", Boolean).since(1),
]);

pub(super) static ADD_RAFT_VOTER_RESPONSE: Shape = Shape::new(&[
    Field::new("throttleTimeMs", Int32),
    Field::new("errorCode", Int16),
    Field::new("errorMessage", Text).nullable(),
]);

pub(super) static REMOVE_RAFT_VOTER_REQUEST: Shape = Shape::new(&[
    Field::new("clusterId", Text).nullable(),
    Field::new("voterId", Int32),
    Field::new("voterDirectoryId", Uuid),
]);

pub(super) static REMOVE_RAFT_VOTER_RESPONSE: Shape = Shape::new(&[
    Field::new("throttleTimeMs", Int32),
    Field::new("errorCode", Int16),
    Field::new("errorMessage", Text).nullable(),
]);

static UPDATE_RAFT_VOTER_REQUEST_LISTENER: Shape = Shape::new(&[
    Field::new("name", Text),
    Field::new("host", Text),
    Field::new("port", Uint16),
]);

static UPDATE_RAFT_VOTER_REQUEST_KRAFT_VERSION_FEATURE: Shape = Shape::new(&[
    Field::new("minSupportedVersion", Int16),
    Field::new("maxSupportedVersion", Int16),
]);

pub(super) static UPDATE_RAFT_VOTER_REQUEST: Shape = Shape::new(&[
    Field::new("clusterId", Text).nullable(),
    Field::new("currentLeaderEpoch", Int32),
    Field::new("voterId", Int32),
    Field::new("voterDirectoryId", Uuid),
    Field::new(
        "listeners",
        Array(&Struct(&UPDATE_RAFT_VOTER_REQUEST_LISTENER)),
    ),
    Field::new(
        "kRaftVersionFeature",
        Struct(&UPDATE_RAFT_VOTER_REQUEST_KRAFT_VERSION_FEATURE),
    ),
]);

static UPDATE_RAFT_VOTER_RESPONSE_CURRENT_LEADER: Shape = Shape::new(&[
    Field::new("leaderId", Int32),
    Field::new("leaderEpoch", Int32),
    Field::new("host", Text),
    Field::new("port", Int32),
]);

pub(super) static UPDATE_RAFT_VOTER_RESPONSE: Shape = Shape::new(&[
    Field::new("throttleTimeMs", Int32),
    Field::new("errorCode", Int16),
    Field::new(
        "currentLeader",
        Struct(&UPDATE_RAFT_VOTER_RESPONSE_CURRENT_LEADER),
    )
    .tagged(0),
]);
