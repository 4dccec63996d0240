//! Requests made by hand, right in most of their fields.

use determinism::Rng;
use raft::message::ApiKey;
use records::feature::Line;
use releases::Rules;
use serde_json::{Value, json};

use super::view::View;

/// Makes requests for a node, with an eye on how it stands.
pub(super) struct Crafted<'a> {
    pub rng: &'a mut Rng,
    pub view: &'a View,
    pub rules: &'a Rules,
    pub nodes: &'a [i32],
    pub cluster_id: &'a str,
}

const TOPIC: &str = "__cluster_metadata";
const TOPIC_ID: &str = "AAAAAAAAAAAAAAAAAAAAAQ";

/// The directory id that the driver gives a node.
pub(super) fn directory_id(node: i32) -> String {
    use base64::Engine as _;
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&0x4b72_6166_7453_6d00_u64.to_be_bytes());
    bytes[8..].copy_from_slice(&i64::from(node).to_be_bytes());
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

impl Crafted<'_> {
    /// A request to a node.
    pub fn request(&mut self, node: i32) -> Value {
        let api = *self
            .rng
            .pick(&[
                ApiKey::Vote,
                ApiKey::Vote,
                ApiKey::BeginQuorumEpoch,
                ApiKey::EndQuorumEpoch,
                ApiKey::Fetch,
                ApiKey::Fetch,
                ApiKey::FetchSnapshot,
                ApiKey::AddRaftVoter,
                ApiKey::RemoveRaftVoter,
                ApiKey::UpdateRaftVoter,
                ApiKey::DescribeQuorum,
            ])
            .unwrap_or(&ApiKey::Vote);
        let latest = api.latest_version(&self.rules.raft);
        let lowest = if api == ApiKey::Fetch { 12 } else { 0 };
        let version = if self.rng.chance(6, 10) {
            latest
        } else {
            lowest + self.rng.below((latest - lowest + 1) as u64) as i16
        };
        let body = match api {
            ApiKey::Vote => self.vote(node, version),
            ApiKey::BeginQuorumEpoch => self.begin(node, version),
            ApiKey::EndQuorumEpoch => self.end(node, version),
            ApiKey::Fetch => self.fetch(node, version),
            ApiKey::FetchSnapshot => self.fetch_snapshot(node, version),
            ApiKey::AddRaftVoter => self.add(version),
            ApiKey::RemoveRaftVoter => self.remove(),
            ApiKey::UpdateRaftVoter => self.update(node),
            _ => {
                json!({ "topics": [{ "topicName": TOPIC, "partitions": [{ "partitionIndex": 0 }] }] })
            }
        };
        json!({ "cmd": "request", "node": node, "api": api.name(), "version": version, "body": body })
    }

    fn cluster(&mut self) -> Value {
        match self.rng.below(12) {
            0 => Value::Null,
            1 => "d3JvbmctY2x1c3Rlci1pZA".into(),
            _ => self.cluster_id.into(),
        }
    }

    fn someone(&mut self) -> i32 {
        match self.rng.below(12) {
            0 => -1,
            1 => 99,
            _ => *self.rng.pick(self.nodes).unwrap_or(&1),
        }
    }

    fn directory(&mut self, of: i32) -> String {
        match self.rng.below(8) {
            0 => "AAAAAAAAAAAAAAAAAAAAAA".to_owned(),
            1 => directory_id(of + 50),
            _ => directory_id(of),
        }
    }

    fn around(&mut self, value: i64) -> i64 {
        match self.rng.below(8) {
            0 => value - 1,
            1 => value + 1,
            2 => value - 2,
            _ => value,
        }
    }

    fn epoch(&mut self, node: i32) -> i64 {
        let epoch = i64::from(self.view.of(node).epoch);
        self.around(epoch)
    }

    fn endpoints(&mut self, of: i32) -> Value {
        let name = if self.rng.chance(1, 10) {
            "OTHER"
        } else {
            "CONTROLLER"
        };
        let port = if self.nodes.contains(&of) {
            9000 + of
        } else {
            9000 + self.nodes[0]
        };
        if self.rng.chance(1, 10) {
            return json!([]);
        }
        json!([{ "name": name, "host": "localhost", "port": port }])
    }

    fn topic(partition: &Value) -> Value {
        json!([{ "topicName": TOPIC, "partitions": [partition] }])
    }

    fn vote(&mut self, node: i32, version: i16) -> Value {
        let of = if self.rules.features.line == Line::V3_9 {
            "candidate"
        } else {
            "replica"
        };
        let (candidate, receiver) = (
            self.someone(),
            if self.rng.chance(1, 8) {
                self.someone()
            } else {
                node
            },
        );
        let (log_end, last_epoch) = (self.view.of(node).log_end, self.view.last_epoch(node));
        let mut partition = json!({
            "partitionIndex": 0,
            "lastOffsetEpoch": self.around(last_epoch),
            "lastOffset": self.around(log_end),
        });
        let epoch = self.epoch(node) + i64::from(self.rng.chance(1, 2));
        partition[format!("{of}Epoch")] = epoch.into();
        partition[format!("{of}Id")] = candidate.into();
        let mut body = json!({ "clusterId": self.cluster() });
        if version >= 1 {
            partition[format!("{of}DirectoryId")] = self.directory(candidate).into();
            partition["voterDirectoryId"] = self.directory(receiver).into();
            body["voterId"] = receiver.into();
        }
        if version >= 2 {
            partition["preVote"] = self.rng.chance(1, 2).into();
        }
        body["topics"] = Self::topic(&partition);
        if self.rng.chance(1, 25) {
            body["topics"] = json!([]);
        }
        body
    }

    fn leader_of(&mut self, node: i32) -> i32 {
        let leader = self.view.of(node).leader;
        if leader >= 0 && self.rng.chance(7, 10) {
            leader
        } else {
            self.someone()
        }
    }

    fn begin(&mut self, node: i32, version: i16) -> Value {
        let leader = self.leader_of(node);
        let mut partition =
            json!({ "partitionIndex": 0, "leaderId": leader, "leaderEpoch": self.epoch(node) });
        let mut body = json!({ "clusterId": self.cluster() });
        if version >= 1 {
            partition["voterDirectoryId"] = self.directory(node).into();
            body["voterId"] = node.into();
            body["leaderEndpoints"] = self.endpoints(leader);
        }
        body["topics"] = Self::topic(&partition);
        body
    }

    fn end(&mut self, node: i32, version: i16) -> Value {
        let leader = self.leader_of(node);
        let mut partition =
            json!({ "partitionIndex": 0, "leaderId": leader, "leaderEpoch": self.epoch(node) });
        let mut body = json!({ "clusterId": self.cluster() });
        let mut nodes = self.nodes.to_vec();
        self.rng.shuffle(&mut nodes);
        if version >= 1 {
            let candidates = nodes.iter().map(
                |id| json!({ "candidateId": id, "candidateDirectoryId": self.directory(*id) }),
            );
            partition["preferredCandidates"] = candidates.collect();
            body["leaderEndpoints"] = self.endpoints(leader);
        } else {
            partition["preferredSuccessors"] = json!(nodes);
        }
        body["topics"] = Self::topic(&partition);
        body
    }

    fn fetch(&mut self, node: i32, version: i16) -> Value {
        let replica = self.someone();
        let (log_end, last_epoch) = (self.view.of(node).log_end, self.view.last_epoch(node));
        let back = self.rng.below(4) as i64;
        let mut partition = json!({
            "partition": 0,
            "currentLeaderEpoch": self.epoch(node),
            "fetchOffset": if self.rng.chance(1, 4) { self.rng.below(4) as i64 } else { log_end - back },
            "lastFetchedEpoch": self.around(last_epoch),
            "logStartOffset": -1,
            "partitionMaxBytes": 0,
        });
        if version >= 17 && self.rng.chance(3, 4) {
            partition["replicaDirectoryId"] = self.directory(replica).into();
        }
        if version >= 18 && self.rng.chance(3, 4) {
            let high_watermark = self.view.of(node).high_watermark;
            partition["highWatermark"] = self.around(high_watermark).into();
        }
        let mut topic = json!({ "partitions": [partition] });
        if version >= 13 {
            topic["topicId"] = TOPIC_ID.into();
        } else {
            topic["topic"] = TOPIC.into();
        }
        let mut body = json!({
            "maxWaitMs": *self.rng.pick(&[0, 100, 500, -1]).unwrap_or(&0), "minBytes": 0,
            "maxBytes": *self.rng.pick(&[0, 1, 200, 1_000_000]).unwrap_or(&0),
            "isolationLevel": 0, "sessionId": 0, "sessionEpoch": -1, "topics": [topic],
            "forgottenTopicsData": [], "rackId": "",
        });
        if self.rng.chance(9, 10) {
            body["clusterId"] = self.cluster();
        }
        if version >= 15 {
            body["replicaState"] = json!({ "replicaId": replica, "replicaEpoch": -1 });
        } else {
            body["replicaId"] = replica.into();
        }
        body
    }

    fn fetch_snapshot(&mut self, node: i32, version: i16) -> Value {
        let replica = self.someone();
        let known = self.view.of(node).snapshot;
        let (offset, epoch) = known
            .as_deref()
            .and_then(|id| id.split_once('-'))
            .unwrap_or(("3", "1"));
        let number = |text: &str| text.parse::<i64>().unwrap_or(0);
        let (offset, epoch) = (number(offset), number(epoch));
        let mut partition = json!({
            "partition": 0,
            "currentLeaderEpoch": self.epoch(node),
            "snapshotId": { "endOffset": self.around(offset), "epoch": epoch },
            "position": *self.rng.pick(&[0, 0, 5, 100, -1, 100_000]).unwrap_or(&0),
        });
        if version >= 1 && self.rng.chance(3, 4) {
            partition["replicaDirectoryId"] = self.directory(replica).into();
        }
        let mut body = json!({
            "replicaId": replica, "maxBytes": *self.rng.pick(&[0, 50, 10_000]).unwrap_or(&0),
            "topics": [{ "name": TOPIC, "partitions": [partition] }],
        });
        if self.rng.chance(9, 10) {
            body["clusterId"] = self.cluster();
        }
        body
    }

    fn add(&mut self, version: i16) -> Value {
        let voter = self.someone();
        let mut body = json!({
            "clusterId": self.cluster(), "timeoutMs": *self.rng.pick(&[0, 100, 1000]).unwrap_or(&0),
            "voterId": voter, "voterDirectoryId": self.directory(voter), "listeners": self.endpoints(voter),
        });
        if version >= 1 {
            body["ackWhenCommitted"] = self.rng.chance(1, 2).into();
        }
        body
    }

    fn remove(&mut self) -> Value {
        let voter = self.someone();
        json!({ "clusterId": self.cluster(), "voterId": voter, "voterDirectoryId": self.directory(voter) })
    }

    fn update(&mut self, node: i32) -> Value {
        let voter = self.someone();
        let (min, max) = *self
            .rng
            .pick(&[(0, 1), (0, 1), (0, 0), (1, 1), (2, 3)])
            .unwrap_or(&(0, 1));
        json!({
            "clusterId": self.cluster(), "currentLeaderEpoch": self.epoch(node), "voterId": voter,
            "voterDirectoryId": self.directory(voter), "listeners": self.endpoints(voter),
            "kRaftVersionFeature": { "minSupportedVersion": min, "maxSupportedVersion": max },
        })
    }
}
