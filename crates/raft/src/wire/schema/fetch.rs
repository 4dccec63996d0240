use super::FieldType::{Array, Int8, Int16, Int32, Int64, Records, Struct, Text, Uuid};
use super::{Field, Shape};

static FETCH_REQUEST_FETCH_PARTITION: Shape = Shape::new(&[
    Field::new("partition", Int32),
    Field::new("currentLeaderEpoch", Int32).since(9),
    Field::new("fetchOffset", Int64),
    Field::new("lastFetchedEpoch", Int32).since(12),
    Field::new("logStartOffset", Int64).since(5),
    Field::new("partitionMaxBytes", Int32),
    Field::new("replicaDirectoryId", Uuid).since(17).tagged(0),
    Field::new("highWatermark", Int64).since(18).tagged(1),
]);

static FETCH_REQUEST_REPLICA_STATE: Shape = Shape::new(&[
    Field::new("replicaId", Int32).since(15),
    Field::new("replicaEpoch", Int64).since(15),
]);

static FETCH_REQUEST_FETCH_TOPIC: Shape = Shape::new(&[
    Field::new("topic", Text).until(12),
    Field::new("topicId", Uuid).since(13),
    Field::new("partitions", Array(&Struct(&FETCH_REQUEST_FETCH_PARTITION))),
]);

static FETCH_REQUEST_FORGOTTEN_TOPIC: Shape = Shape::new(&[
    Field::new("topic", Text).since(7).until(12),
    Field::new("topicId", Uuid).since(13),
    Field::new("partitions", Array(&Int32)).since(7),
]);

pub(super) static FETCH_REQUEST: Shape = Shape::new(&[
    Field::new("clusterId", Text).since(12).nullable().tagged(0),
    Field::new("replicaId", Int32).until(14),
    Field::new("replicaState", Struct(&FETCH_REQUEST_REPLICA_STATE))
        .since(15)
        .tagged(1),
    Field::new("maxWaitMs", Int32),
    Field::new("minBytes", Int32),
    Field::new("maxBytes", Int32).since(3),
    Field::new("isolationLevel", Int8).since(4),
    Field::new("sessionId", Int32).since(7),
    Field::new("sessionEpoch", Int32).since(7),
    Field::new("topics", Array(&Struct(&FETCH_REQUEST_FETCH_TOPIC))),
    Field::new(
        "forgottenTopicsData",
        Array(&Struct(&FETCH_REQUEST_FORGOTTEN_TOPIC)),
    )
    .since(7),
    Field::new("rackId", Text).since(11),
]);

static FETCH_RESPONSE_EPOCH_END_OFFSET: Shape = Shape::new(&[
    Field::new("epoch", Int32).since(12),
    Field::new("endOffset", Int64).since(12),
]);

static FETCH_RESPONSE_LEADER_ID_AND_EPOCH: Shape = Shape::new(&[
    Field::new("leaderId", Int32).since(12),
    Field::new("leaderEpoch", Int32).since(12),
]);

static FETCH_RESPONSE_SNAPSHOT_ID: Shape =
    Shape::new(&[Field::new("endOffset", Int64), Field::new("epoch", Int32)]);

static FETCH_RESPONSE_ABORTED_TRANSACTION: Shape = Shape::new(&[
    Field::new("producerId", Int64).since(4),
    Field::new("firstOffset", Int64).since(4),
]);

static FETCH_RESPONSE_PARTITION_DATA: Shape = Shape::new(&[
    Field::new("partitionIndex", Int32),
    Field::new("errorCode", Int16),
    Field::new("highWatermark", Int64),
    Field::new("lastStableOffset", Int64).since(4),
    Field::new("logStartOffset", Int64).since(5),
    Field::new("divergingEpoch", Struct(&FETCH_RESPONSE_EPOCH_END_OFFSET))
        .since(12)
        .tagged(0),
    Field::new("currentLeader", Struct(&FETCH_RESPONSE_LEADER_ID_AND_EPOCH))
        .since(12)
        .tagged(1),
    Field::new("snapshotId", Struct(&FETCH_RESPONSE_SNAPSHOT_ID))
        .since(12)
        .tagged(2),
    Field::new(
        "abortedTransactions",
        Array(&Struct(&FETCH_RESPONSE_ABORTED_TRANSACTION)),
    )
    .since(4)
    .nullable(),
    Field::new("preferredReadReplica", Int32).since(11),
    Field::new("records", Records).nullable(),
]);

static FETCH_RESPONSE_FETCHABLE_TOPIC_RESPONSE: Shape = Shape::new(&[
    Field::new("topic", Text).until(12),
    Field::new("topicId", Uuid).since(13),
    Field::new("partitions", Array(&Struct(&FETCH_RESPONSE_PARTITION_DATA))),
]);

static FETCH_RESPONSE_NODE_ENDPOINT: Shape = Shape::new(&[
    Field::new("nodeId", Int32).since(16),
    Field::new("host", Text).since(16),
    Field::new("port", Int32).since(16),
    Field::new("rack", Text).since(16).nullable(),
]);

pub(super) static FETCH_RESPONSE: Shape = Shape::new(&[
    Field::new("throttleTimeMs", Int32).since(1),
    Field::new("errorCode", Int16).since(7),
    Field::new("sessionId", Int32).since(7),
    Field::new(
        "responses",
        Array(&Struct(&FETCH_RESPONSE_FETCHABLE_TOPIC_RESPONSE)),
    ),
    Field::new(
        "nodeEndpoints",
        Array(&Struct(&FETCH_RESPONSE_NODE_ENDPOINT)),
    )
    .since(16)
    .tagged(0),
]);
