use super::FieldType::{Array, Int16, Int32, Struct, Text, Uint16, Uuid};
use super::{Field, Shape};

static BEGIN_QUORUM_EPOCH_REQUEST_PARTITION_DATA: Shape = Shape::new(&[
    Field::new("partitionIndex", Int32),
    Field::new("voterDirectoryId", Uuid).since(1),
    Field::new("leaderId", Int32),
    Field::new("leaderEpoch", Int32),
]);

static BEGIN_QUORUM_EPOCH_REQUEST_TOPIC_DATA: Shape = Shape::new(&[
    Field::new("topicName", Text),
    Field::new(
        "partitions",
        Array(&Struct(&BEGIN_QUORUM_EPOCH_REQUEST_PARTITION_DATA)),
    ),
]);

static BEGIN_QUORUM_EPOCH_REQUEST_LEADER_ENDPOINT: Shape = Shape::new(&[
    Field::new("name", Text).since(1),
    Field::new("host", Text).since(1),
    Field::new("port", Uint16).since(1),
]);

pub(super) static BEGIN_QUORUM_EPOCH_REQUEST: Shape = Shape::new(&[
    Field::new("clusterId", Text).nullable(),
    Field::new("voterId", Int32).since(1),
    Field::new(
        "topics",
        Array(&Struct(&BEGIN_QUORUM_EPOCH_REQUEST_TOPIC_DATA)),
    ),
    Field::new(
        "leaderEndpoints",
        Array(&Struct(&BEGIN_QUORUM_EPOCH_REQUEST_LEADER_ENDPOINT)),
    )
    .since(1),
]);

static BEGIN_QUORUM_EPOCH_RESPONSE_PARTITION_DATA: Shape = Shape::new(&[
    Field::new("partitionIndex", Int32),
    Field::new("errorCode", Int16),
    Field::new("leaderId", Int32),
    Field::new("leaderEpoch", Int32),
]);

static BEGIN_QUORUM_EPOCH_RESPONSE_TOPIC_DATA: Shape = Shape::new(&[
    Field::new("topicName", Text),
    Field::new(
        "partitions",
        Array(&Struct(&BEGIN_QUORUM_EPOCH_RESPONSE_PARTITION_DATA)),
    ),
]);

static BEGIN_QUORUM_EPOCH_RESPONSE_NODE_ENDPOINT: Shape = Shape::new(&[
    Field::new("nodeId", Int32).since(1),
    Field::new("host", Text).since(1),
    Field::new("port", Uint16).since(1),
]);

pub(super) static BEGIN_QUORUM_EPOCH_RESPONSE: Shape = Shape::new(&[
    Field::new("errorCode", Int16),
    Field::new(
        "topics",
        Array(&Struct(&BEGIN_QUORUM_EPOCH_RESPONSE_TOPIC_DATA)),
    ),
    Field::new(
        "nodeEndpoints",
        Array(&Struct(&BEGIN_QUORUM_EPOCH_RESPONSE_NODE_ENDPOINT)),
    )
    .since(1)
    .tagged(0),
]);

static END_QUORUM_EPOCH_REQUEST_REPLICA_INFO: Shape = Shape::new(&[
    Field::new("candidateId", Int32).since(1),
    Field::new("candidateDirectoryId", Uuid).since(1),
]);

static END_QUORUM_EPOCH_REQUEST_PARTITION_DATA: Shape = Shape::new(&[
    Field::new("partitionIndex", Int32),
    Field::new("leaderId", Int32),
    Field::new("leaderEpoch", Int32),
    Field::new("preferredSuccessors", Array(&Int32)).until(0),
    Field::new(
        "preferredCandidates",
        Array(&Struct(&END_QUORUM_EPOCH_REQUEST_REPLICA_INFO)),
    )
    .since(1),
]);

static END_QUORUM_EPOCH_REQUEST_TOPIC_DATA: Shape = Shape::new(&[
    Field::new("topicName", Text),
    Field::new(
        "partitions",
        Array(&Struct(&END_QUORUM_EPOCH_REQUEST_PARTITION_DATA)),
    ),
]);

static END_QUORUM_EPOCH_REQUEST_LEADER_ENDPOINT: Shape = Shape::new(&[
    Field::new("name", Text).since(1),
    Field::new("host", Text).since(1),
    Field::new("port", Uint16).since(1),
]);

pub(super) static END_QUORUM_EPOCH_REQUEST: Shape = Shape::new(&[
    Field::new("clusterId", Text).nullable(),
    Field::new(
        "topics",
        Array(&Struct(&END_QUORUM_EPOCH_REQUEST_TOPIC_DATA)),
    ),
    Field::new(
        "leaderEndpoints",
        Array(&Struct(&END_QUORUM_EPOCH_REQUEST_LEADER_ENDPOINT)),
    )
    .since(1),
]);

static END_QUORUM_EPOCH_RESPONSE_PARTITION_DATA: Shape = Shape::new(&[
    Field::new("partitionIndex", Int32),
    Field::new("errorCode", Int16),
    Field::new("leaderId", Int32),
    Field::new("leaderEpoch", Int32),
]);

static END_QUORUM_EPOCH_RESPONSE_TOPIC_DATA: Shape = Shape::new(&[
    Field::new("topicName", Text),
    Field::new(
        "partitions",
        Array(&Struct(&END_QUORUM_EPOCH_RESPONSE_PARTITION_DATA)),
    ),
]);

static END_QUORUM_EPOCH_RESPONSE_NODE_ENDPOINT: Shape = Shape::new(&[
    Field::new("nodeId", Int32).since(1),
    Field::new("host", Text).since(1),
    Field::new("port", Uint16).since(1),
]);

pub(super) static END_QUORUM_EPOCH_RESPONSE: Shape = Shape::new(&[
    Field::new("errorCode", Int16),
    Field::new(
        "topics",
        Array(&Struct(&END_QUORUM_EPOCH_RESPONSE_TOPIC_DATA)),
    ),
    Field::new(
        "nodeEndpoints",
        Array(&Struct(&END_QUORUM_EPOCH_RESPONSE_NODE_ENDPOINT)),
    )
    .since(1)
    .tagged(0),
]);
