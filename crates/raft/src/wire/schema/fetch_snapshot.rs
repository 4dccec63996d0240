use super::FieldType::{Array, Int16, Int32, Int64, Records, Struct, Text, Uint16, Uuid};
use super::{Field, Shape};

static FETCH_SNAPSHOT_REQUEST_SNAPSHOT_ID: Shape =
    Shape::new(&[Field::new("endOffset", Int64), Field::new("epoch", Int32)]);

static FETCH_SNAPSHOT_REQUEST_PARTITION_SNAPSHOT: Shape = Shape::new(&[
    Field::new("partition", Int32),
    Field::new("currentLeaderEpoch", Int32),
    Field::new("snapshotId", Struct(&FETCH_SNAPSHOT_REQUEST_SNAPSHOT_ID)),
    Field::new("position", Int64),
    Field::new("replicaDirectoryId", Uuid).since(1).tagged(0),
]);

static FETCH_SNAPSHOT_REQUEST_TOPIC_SNAPSHOT: Shape = Shape::new(&[
    Field::new("name", Text),
    Field::new(
        "partitions",
        Array(&Struct(&FETCH_SNAPSHOT_REQUEST_PARTITION_SNAPSHOT)),
    ),
]);

pub(super) static FETCH_SNAPSHOT_REQUEST: Shape = Shape::new(&[
    Field::new("clusterId", Text).nullable().tagged(0),
    Field::new("replicaId", Int32),
    Field::new("maxBytes", Int32),
    Field::new(
        "topics",
        Array(&Struct(&FETCH_SNAPSHOT_REQUEST_TOPIC_SNAPSHOT)),
    ),
]);

static FETCH_SNAPSHOT_RESPONSE_SNAPSHOT_ID: Shape =
    Shape::new(&[Field::new("endOffset", Int64), Field::new("epoch", Int32)]);

static FETCH_SNAPSHOT_RESPONSE_LEADER_ID_AND_EPOCH: Shape = Shape::new(&[
    Field::new("leaderId", Int32),
    Field::new("leaderEpoch", Int32),
]);

static FETCH_SNAPSHOT_RESPONSE_PARTITION_SNAPSHOT: Shape = Shape::new(&[
    Field::new("index", Int32),
    Field::new("errorCode", Int16),
    Field::new("snapshotId", Struct(&FETCH_SNAPSHOT_RESPONSE_SNAPSHOT_ID)),
    Field::new(
        "currentLeader",
        Struct(&FETCH_SNAPSHOT_RESPONSE_LEADER_ID_AND_EPOCH),
    )
    .tagged(0),
    Field::new("size", Int64),
    Field::new("position", Int64),
    Field::new("unalignedRecords", Records),
]);

static FETCH_SNAPSHOT_RESPONSE_TOPIC_SNAPSHOT: Shape = Shape::new(&[
    Field::new("name", Text),
    Field::new(
        "partitions",
        Array(&Struct(&FETCH_SNAPSHOT_RESPONSE_PARTITION_SNAPSHOT)),
    ),
]);

static FETCH_SNAPSHOT_RESPONSE_NODE_ENDPOINT: Shape = Shape::new(&[
    Field::new("nodeId", Int32).since(1),
    Field::new("host", Text).since(1),
    Field::new("port", Uint16).since(1),
]);

pub(super) static FETCH_SNAPSHOT_RESPONSE: Shape = Shape::new(&[
    Field::new("throttleTimeMs", Int32),
    Field::new("errorCode", Int16),
    Field::new(
        "topics",
        Array(&Struct(&FETCH_SNAPSHOT_RESPONSE_TOPIC_SNAPSHOT)),
    ),
    Field::new(
        "nodeEndpoints",
        Array(&Struct(&FETCH_SNAPSHOT_RESPONSE_NODE_ENDPOINT)),
    )
    .since(1)
    .tagged(0),
]);
