//! The typed content of raft's messages as words of a digest.

use std::fmt::{self, Write as _};

use determinism::Digest;
use raft::message::{
    FetchPartitionResponse, FetchRequest, FetchSnapshotPartitionResponse, FetchSnapshotRequest,
    Request, Response, VoteRequest,
};
use raft_log::batch::Batch;
use records::{OffsetAndEpoch, Uuid};

/// Bytes of a batch up to its records; the CRC in them stands for the rest.
const BATCH_HEADER: usize = 61;

pub(crate) fn of_request(request: &Request, digest: &mut Digest) {
    match request {
        Request::Vote(vote) => of_vote(vote, digest),
        Request::Fetch(fetch) => of_fetch(fetch, digest),
        Request::FetchSnapshot(fetch) => of_fetch_snapshot(fetch, digest),
        Request::BeginQuorumEpoch(begin) => {
            pair(begin.leader_id, begin.leader_epoch, digest);
            digest.write_i64(i64::from(begin.voter_id));
            uuid(begin.voter_directory_id, digest);
        }
        Request::EndQuorumEpoch(end) => {
            pair(end.leader_id, end.leader_epoch, digest);
            for candidate in &end.preferred_candidates {
                digest.write_i64(i64::from(candidate.id.0));
                uuid(candidate.directory_id_or_zero(), digest);
            }
        }
        // Rare ones: their debug text has every field.
        Request::ApiVersions
        | Request::AddRaftVoter(_)
        | Request::RemoveRaftVoter(_)
        | Request::UpdateRaftVoter(_)
        | Request::DescribeQuorum => text(request, digest),
    }
}

pub(crate) fn of_response(response: &Response, digest: &mut Digest) {
    digest.write_i64(i64::from(response.top_level_error().0));
    match response {
        Response::Vote(vote) => {
            if let Some(partition) = &vote.partition {
                digest.write_i64(
                    i64::from(partition.error_code.0) << 1 | i64::from(partition.vote_granted),
                );
                pair(partition.leader_id, partition.leader_epoch, digest);
            }
        }
        Response::BeginQuorumEpoch(answer) | Response::EndQuorumEpoch(answer) => {
            if let Some(partition) = &answer.partition {
                digest.write_i64(i64::from(partition.error_code.0));
                pair(partition.leader_id, partition.leader_epoch, digest);
            }
        }
        Response::Fetch(fetch) => {
            if let Some(partition) = &fetch.partition {
                of_fetched(partition, digest);
            }
        }
        Response::FetchSnapshot(fetch) => {
            if let Some(partition) = &fetch.partition {
                of_snapshot_piece(partition, digest);
            }
        }
        Response::ApiVersions(_)
        | Response::AddRaftVoter(_)
        | Response::RemoveRaftVoter(_)
        | Response::UpdateRaftVoter(_)
        | Response::DescribeQuorum(_) => text(response, digest),
    }
}

fn of_vote(vote: &VoteRequest, digest: &mut Digest) {
    pair(vote.voter_id, vote.replica_epoch, digest);
    pair(vote.replica_id, vote.last_offset_epoch, digest);
    digest.write_i64(vote.last_offset << 1 | i64::from(vote.pre_vote));
    uuid(vote.replica_directory_id, digest);
    uuid(vote.voter_directory_id, digest);
}

fn of_fetch(fetch: &FetchRequest, digest: &mut Digest) {
    pair(fetch.replica_id, fetch.current_leader_epoch, digest);
    pair(fetch.max_wait_ms, fetch.last_fetched_epoch, digest);
    digest.write_i64(fetch.fetch_offset);
    digest.write_i64(fetch.high_watermark);
    digest.write_i64(i64::from(fetch.max_bytes));
    uuid(fetch.replica_directory_id, digest);
}

fn of_fetched(partition: &FetchPartitionResponse, digest: &mut Digest) {
    pair(partition.leader_id, partition.leader_epoch, digest);
    digest.write_i64(i64::from(partition.error_code.0));
    digest.write_i64(partition.high_watermark);
    digest.write_i64(partition.log_start_offset);
    if let Some(diverging) = partition.diverging_epoch {
        digest.write_i64(diverging.end_offset);
        digest.write_i64(i64::from(diverging.epoch));
    }
    snapshot_id(partition.snapshot_id, digest);
    for batch in &partition.records {
        digest.write_bytes(header(batch));
    }
}

fn of_fetch_snapshot(fetch: &FetchSnapshotRequest, digest: &mut Digest) {
    pair(fetch.replica_id, fetch.current_leader_epoch, digest);
    snapshot_id(Some(fetch.snapshot_id), digest);
    digest.write_i64(fetch.position);
    digest.write_i64(i64::from(fetch.max_bytes));
    uuid(fetch.replica_directory_id, digest);
}

fn of_snapshot_piece(partition: &FetchSnapshotPartitionResponse, digest: &mut Digest) {
    pair(partition.leader_id, partition.leader_epoch, digest);
    digest.write_i64(i64::from(partition.error_code.0));
    snapshot_id(Some(partition.snapshot_id), digest);
    digest.write_i64(partition.size);
    digest.write_i64(partition.position);
    digest.write_bytes(&partition.unaligned_records);
}

fn header(batch: &Batch) -> &[u8] {
    let bytes = batch.bytes();
    &bytes[..BATCH_HEADER.min(bytes.len())]
}

fn pair(high: i32, low: i32, digest: &mut Digest) {
    digest.write_i64(i64::from(high) << 32 | i64::from(low.cast_unsigned()));
}

fn uuid(id: Uuid, digest: &mut Digest) {
    digest.write_bytes(id.as_bytes());
}

fn snapshot_id(id: Option<OffsetAndEpoch>, digest: &mut Digest) {
    let id = id.unwrap_or(OffsetAndEpoch::new(-1, -1));
    digest.write_i64(id.offset);
    digest.write_i64(i64::from(id.epoch));
}

fn text(value: &impl fmt::Debug, digest: &mut Digest) {
    struct Sink<'a>(&'a mut Digest);
    impl fmt::Write for Sink<'_> {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0.write_bytes(part.as_bytes());
            Ok(())
        }
    }
    write!(Sink(digest), "{value:?}").expect("a digest takes any text");
}
