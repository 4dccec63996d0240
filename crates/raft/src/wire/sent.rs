use crate::message::{Errors, FetchSnapshotResponse, Response};

/// What a Kafka server makes of an answer of raft's before it leaves the process.
///
/// A partition error of `FETCH_SNAPSHOT` never leaves it: the answer has no records then, its schema does not let them be
/// null, and the serialisation throws. The server answers the exception instead, which is a top level
/// `UNKNOWN_SERVER_ERROR`. So a follower is told neither that the checkpoint is gone nor who leads. Source:
/// `handleFetchSnapshotRequest` in `4.4:raft/…/KafkaRaftClient.java`, `handleRaftRequest` in
/// `4.4:core/…/ControllerApis.scala`; controllers of 3.9.2 and 4.4.0 that were asked for a checkpoint they do not have
/// answered `00000007 00 00000000 ffff 01 00`. Everything else leaves as it is.
pub fn as_sent(response: Response) -> Response {
    match response {
        Response::FetchSnapshot(FetchSnapshotResponse {
            partition: Some(partition),
            ..
        }) if partition.error_code != Errors::NONE => {
            Response::FetchSnapshot(FetchSnapshotResponse::failed(Errors::UNKNOWN_SERVER_ERROR))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use records::OffsetAndEpoch;

    use super::as_sent;
    use crate::message::{Errors, FetchSnapshotPartitionResponse, FetchSnapshotResponse, Response};
    use crate::wire::{self, Message};

    fn response(error_code: Errors) -> Response {
        let partition = FetchSnapshotPartitionResponse {
            error_code,
            snapshot_id: OffsetAndEpoch {
                offset: 0,
                epoch: 0,
            },
            leader_id: 1,
            leader_epoch: 1,
            size: 0,
            position: 0,
            unaligned_records: Bytes::new(),
        };
        Response::FetchSnapshot(FetchSnapshotResponse {
            error_code: Errors::NONE,
            partition: Some(partition),
            node_endpoint: None,
        })
    }

    #[test]
    fn refusals_of_fetch_snapshot_leave_as_server_errors() {
        let sent = as_sent(response(Errors::SNAPSHOT_NOT_FOUND));
        let bytes = wire::encode(&Message::Response(sent), 1).unwrap();
        // As a real controller answered.
        assert_eq!(bytes[..], [0, 0, 0, 0, 0xff, 0xff, 1, 0]);
        let fine = response(Errors::NONE);
        assert_eq!(as_sent(fine.clone()), fine);
    }
}
