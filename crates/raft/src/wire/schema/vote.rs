use super::FieldType::{Array, Boolean, Int16, Int32, Int64, Struct, Text, Uint16, Uuid};
use super::{Field, Shape};

static VOTE_REQUEST_PARTITION_DATA: Shape = Shape::new(&[
    Field::new("partitionIndex", Int32),
    Field::new("replicaEpoch", Int32),
    Field::new("replicaId", Int32),
    Field::new("replicaDirectoryId", Uuid).since(1),
    Field::new("voterDirectoryId", Uuid).since(1),
    Field::new("lastOffsetEpoch", Int32),
    Field::new("lastOffset", Int64),
    Field::new("preVote", Boolean).since(2),
]);

static VOTE_REQUEST_TOPIC_DATA: Shape = Shape::new(&[
    Field::new("topicName", Text),
    Field::new("partitions", Array(&Struct(&VOTE_REQUEST_PARTITION_DATA))),
]);

pub(super) static VOTE_REQUEST: Shape = Shape::new(&[
    Field::new("clusterId", Text).nullable(),
    Field::new("voterId", Int32).since(1),
    Field::new("topics", Array(&Struct(&VOTE_REQUEST_TOPIC_DATA))),
]);

static VOTE_RESPONSE_PARTITION_DATA: Shape = Shape::new(&[
    Field::new("partitionIndex", Int32),
    Field::new("errorCode", Int16),
    Field::new("leaderId", Int32),
    Field::new("leaderEpoch", Int32),
    Field::new("voteGranted", Boolean),
]);

static VOTE_RESPONSE_TOPIC_DATA: Shape = Shape::new(&[
    Field::new("topicName", Text),
    Field::new("partitions", Array(&Struct(&VOTE_RESPONSE_PARTITION_DATA))),
]);

static VOTE_RESPONSE_NODE_ENDPOINT: Shape = Shape::new(&[
    Field::new("nodeId", Int32).since(1),
    Field::new("host", Text).since(1),
    Field::new("port", Uint16).since(1),
]);

pub(super) static VOTE_RESPONSE: Shape = Shape::new(&[
    Field::new("errorCode", Int16),
    Field::new("topics", Array(&Struct(&VOTE_RESPONSE_TOPIC_DATA))),
    Field::new(
        "nodeEndpoints",
        Array(&Struct(&VOTE_RESPONSE_NODE_ENDPOINT)),
    )
    .since(1)
    .tagged(0),
]);
