use super::FieldType::{Array, Int16, Int32, Int64, Struct, Text, Uint16, Uuid};
use super::{Field, Shape};

static DESCRIBE_QUORUM_REQUEST_PARTITION_DATA: Shape =
    Shape::new(&[Field::new("partitionIndex", Int32)]);

static DESCRIBE_QUORUM_REQUEST_TOPIC_DATA: Shape = Shape::new(&[
    Field::new("topicName", Text),
    Field::new(
        "partitions",
        Array(&Struct(&DESCRIBE_QUORUM_REQUEST_PARTITION_DATA)),
    ),
]);

pub(super) static DESCRIBE_QUORUM_REQUEST: Shape = Shape::new(&[Field::new(
    "topics",
    Array(&Struct(&DESCRIBE_QUORUM_REQUEST_TOPIC_DATA)),
)]);

static DESCRIBE_QUORUM_RESPONSE_REPLICA_STATE: Shape = Shape::new(&[
    Field::new("replicaId", Int32),
    Field::new("replicaDirectoryId", Uuid).since(2),
    Field::new("logEndOffset", Int64),
    Field::new("lastFetchTimestamp", Int64).since(1),
    Field::new("lastCaughtUpTimestamp", Int64).since(1),
]);

static DESCRIBE_QUORUM_RESPONSE_PARTITION_DATA: Shape = Shape::new(&[
    Field::new("partitionIndex", Int32),
    Field::new("errorCode", Int16),
    Field::new("errorMessage", Text).since(2).nullable(),
    Field::new("leaderId", Int32),
    Field::new("leaderEpoch", Int32),
    Field::new("highWatermark", Int64),
    Field::new(
        "currentVoters",
        Array(&Struct(&DESCRIBE_QUORUM_RESPONSE_REPLICA_STATE)),
    ),
    Field::new(
        "observers",
        Array(&Struct(&DESCRIBE_QUORUM_RESPONSE_REPLICA_STATE)),
    ),
]);

static DESCRIBE_QUORUM_RESPONSE_LISTENER: Shape = Shape::new(&[
    Field::new("name", Text).since(2),
    Field::new("host", Text).since(2),
    Field::new("port", Uint16).since(2),
]);

static DESCRIBE_QUORUM_RESPONSE_TOPIC_DATA: Shape = Shape::new(&[
    Field::new("topicName", Text),
    Field::new(
        "partitions",
        Array(&Struct(&DESCRIBE_QUORUM_RESPONSE_PARTITION_DATA)),
    ),
]);

static DESCRIBE_QUORUM_RESPONSE_NODE: Shape = Shape::new(&[
    Field::new("nodeId", Int32).since(2),
    Field::new(
        "listeners",
        Array(&Struct(&DESCRIBE_QUORUM_RESPONSE_LISTENER)),
    )
    .since(2),
]);

pub(super) static DESCRIBE_QUORUM_RESPONSE: Shape = Shape::new(&[
    Field::new("errorCode", Int16),
    Field::new("errorMessage", Text).since(2).nullable(),
    Field::new(
        "topics",
        Array(&Struct(&DESCRIBE_QUORUM_RESPONSE_TOPIC_DATA)),
    ),
    Field::new("nodes", Array(&Struct(&DESCRIBE_QUORUM_RESPONSE_NODE))).since(2),
]);
