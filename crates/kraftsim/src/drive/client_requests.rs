//! What a client asks of a replica, as Kafka's own JSON converters read it: a field that the version has must be there.

use std::sync::Arc;

use raft::message::{
    AddRaftVoterRequest, ApiKey, BeginQuorumEpochRequest, EndQuorumEpochRequest, FetchRequest,
    FetchSnapshotRequest, RemoveRaftVoterRequest, Request, UpdateRaftVoterRequest, VoteRequest,
};
use raft::{Address, Endpoints, ListenerName, SupportedVersionRange};
use records::{NodeId, OffsetAndEpoch, ReplicaKey, Uuid};
use releases::Rules;
use releases::raft::PreVote;
use serde_json::Value;
use simulator::drive::Ask;

use super::bodies::{TOPIC, TOPIC_ID};
use super::exceptions::Exception;

/// The request of a command.
pub(super) fn parse(command: &Value, rules: &Rules) -> Result<Ask, Exception> {
    let name = command.get("api").ok_or(Exception::NullPointer)?;
    let name = name.as_str().unwrap_or_default();
    let known = ApiKey::ALL.into_iter().find(|api| api.name() == name);
    let api = known.ok_or_else(|| Exception::illegal_argument(format!("no API {name}")))?;
    let version = command["version"].as_i64();
    let version = version.map_or_else(|| api.latest_version(&rules.raft), |given| given as i16);
    let without_body =
        "java.lang.reflect.InvocationTargetException; java.lang.NullPointerException";
    let body = Fields {
        value: command
            .get("body")
            .ok_or(Exception::new(without_body, "no body"))?,
        version,
    };
    let request = match api {
        ApiKey::Vote => vote(&body, rules)?,
        ApiKey::BeginQuorumEpoch => begin(&body)?,
        ApiKey::EndQuorumEpoch => end(&body)?,
        ApiKey::Fetch => fetch(&body)?,
        ApiKey::FetchSnapshot => fetch_snapshot(&body)?,
        ApiKey::AddRaftVoter => Some(add(&body)?),
        ApiKey::RemoveRaftVoter => Some(remove(&body)?),
        ApiKey::UpdateRaftVoter => Some(update(&body)?),
        ApiKey::DescribeQuorum => describe(&body)?,
        ApiKey::ApiVersions => None,
    };
    Ok(match (request, api) {
        (Some(request), _) => Ask::Raft(request),
        (
            None,
            ApiKey::Vote | ApiKey::BeginQuorumEpoch | ApiKey::EndQuorumEpoch | ApiKey::Fetch,
        ) => {
            let cluster_id = body.value["clusterId"].as_str().map(Into::into);
            Ask::Misaddressed { api, cluster_id }
        }
        (None, _) => Ask::Unavailable(format!("{name} of other topics")),
    })
}

fn incomplete(field: &str) -> Exception {
    let class = "java.lang.reflect.InvocationTargetException; java.lang.RuntimeException";
    Exception::new(class, format!("no field {field}, or not of its type"))
}

/// The fields of an object, in a version.
struct Fields<'a> {
    value: &'a Value,
    version: i16,
}

impl<'a> Fields<'a> {
    fn field(&self, name: &str) -> Result<&'a Value, Exception> {
        self.value.get(name).ok_or_else(|| incomplete(name))
    }

    fn integer(&self, name: &str) -> Result<i64, Exception> {
        self.field(name)?.as_i64().ok_or_else(|| incomplete(name))
    }

    fn int(&self, name: &str) -> Result<i32, Exception> {
        i32::try_from(self.integer(name)?).map_err(|_| incomplete(name))
    }

    fn boolean(&self, name: &str) -> Result<bool, Exception> {
        self.field(name)?.as_bool().ok_or_else(|| incomplete(name))
    }

    fn text(&self, name: &str) -> Result<&'a str, Exception> {
        self.field(name)?.as_str().ok_or_else(|| incomplete(name))
    }

    fn uuid(&self, name: &str) -> Result<Uuid, Exception> {
        self.text(name)?.parse().map_err(|_| incomplete(name))
    }

    fn array(&self, name: &str) -> Result<&'a [Value], Exception> {
        let array = self.field(name)?.as_array();
        array.map(Vec::as_slice).ok_or_else(|| incomplete(name))
    }

    fn inside(&self, value: &'a Value) -> Fields<'a> {
        Fields {
            value,
            version: self.version,
        }
    }

    /// A field that is read from some version on.
    fn since<T: Default>(
        &self,
        version: i16,
        read: impl FnOnce() -> Result<T, Exception>,
    ) -> Result<T, Exception> {
        if self.version >= version {
            read()
        } else {
            Ok(T::default())
        }
    }

    fn tagged_uuid(&self, name: &str) -> Result<Uuid, Exception> {
        match self.value.get(name) {
            Some(_) => self.uuid(name),
            None => Ok(Uuid::ZERO),
        }
    }

    /// May be null.
    fn cluster_id(&self) -> Result<Option<Arc<str>>, Exception> {
        match self.field("clusterId")? {
            Value::Null => Ok(None),
            _ => Ok(Some(self.text("clusterId")?.into())),
        }
    }

    /// May be left out.
    fn tagged_cluster_id(&self) -> Result<Option<Arc<str>>, Exception> {
        match self.value.get("clusterId") {
            Some(_) => self.cluster_id(),
            None => Ok(None),
        }
    }

    /// The only partition of the only topic, if it is the metadata's.
    fn partition(&self, name: &str, index: &str) -> Result<Option<Fields<'a>>, Exception> {
        let [topic] = self.array("topics")? else {
            return Ok(None);
        };
        let topic = self.inside(topic);
        let is_metadata = match name {
            "topicId" => topic.text(name)? == TOPIC_ID,
            // Raft knows its partition by id.
            "topic" => false,
            _ => topic.text(name)? == TOPIC,
        };
        let [partition] = topic.array("partitions")? else {
            return Ok(None);
        };
        let partition = self.inside(partition);
        let is_first = partition.int(index)? == 0;
        Ok((is_metadata && is_first).then_some(partition))
    }

    fn endpoints(&self, name: &str) -> Result<Endpoints, Exception> {
        let mut endpoints = Vec::new();
        for at in self.array(name)? {
            let at = self.inside(at);
            let listener = ListenerName::normalised(at.text("name")?);
            let port = u16::try_from(at.integer("port")?).map_err(|_| incomplete("port"))?;
            endpoints.push((listener, Address::new(at.text("host")?, port)));
        }
        Ok(Endpoints::new(endpoints))
    }
}

fn vote(body: &Fields<'_>, rules: &Rules) -> Result<Option<Request>, Exception> {
    let of = match rules.raft.pre_vote {
        PreVote::Absent => "candidate",
        PreVote::Asked => "replica",
    };
    let cluster_id = body.cluster_id()?;
    let voter_id = if body.version >= 1 {
        body.int("voterId")?
    } else {
        -1
    };
    let Some(partition) = body.partition("topicName", "partitionIndex")? else {
        return Ok(None);
    };
    Ok(Some(Request::Vote(VoteRequest {
        cluster_id,
        voter_id,
        replica_epoch: partition.int(&format!("{of}Epoch"))?,
        replica_id: partition.int(&format!("{of}Id"))?,
        replica_directory_id: partition.since(1, || partition.uuid(&format!("{of}DirectoryId")))?,
        voter_directory_id: partition.since(1, || partition.uuid("voterDirectoryId"))?,
        last_offset_epoch: partition.int("lastOffsetEpoch")?,
        last_offset: partition.integer("lastOffset")?,
        pre_vote: partition.since(2, || partition.boolean("preVote"))?,
    })))
}

fn begin(body: &Fields<'_>) -> Result<Option<Request>, Exception> {
    let cluster_id = body.cluster_id()?;
    let voter_id = if body.version >= 1 {
        body.int("voterId")?
    } else {
        -1
    };
    let leader_endpoints = match body.version {
        ..1 => Endpoints::empty(),
        _ => body.endpoints("leaderEndpoints")?,
    };
    let Some(partition) = body.partition("topicName", "partitionIndex")? else {
        return Ok(None);
    };
    Ok(Some(Request::BeginQuorumEpoch(BeginQuorumEpochRequest {
        cluster_id,
        voter_id,
        voter_directory_id: partition.since(1, || partition.uuid("voterDirectoryId"))?,
        leader_id: partition.int("leaderId")?,
        leader_epoch: partition.int("leaderEpoch")?,
        leader_endpoints,
    })))
}

fn end(body: &Fields<'_>) -> Result<Option<Request>, Exception> {
    let cluster_id = body.cluster_id()?;
    let leader_endpoints = match body.version {
        ..1 => Endpoints::empty(),
        _ => body.endpoints("leaderEndpoints")?,
    };
    let Some(partition) = body.partition("topicName", "partitionIndex")? else {
        return Ok(None);
    };
    let mut preferred_candidates = Vec::new();
    if body.version >= 1 {
        for candidate in partition.array("preferredCandidates")? {
            let candidate = body.inside(candidate);
            let id = NodeId(candidate.int("candidateId")?);
            let directory = candidate.uuid("candidateDirectoryId")?;
            preferred_candidates.push(ReplicaKey::new(id, directory));
        }
    } else {
        for successor in partition.array("preferredSuccessors")? {
            let id = successor
                .as_i64()
                .ok_or_else(|| incomplete("preferredSuccessors"))?;
            preferred_candidates.push(ReplicaKey::new(NodeId(id as i32), Uuid::ZERO));
        }
    }
    Ok(Some(Request::EndQuorumEpoch(EndQuorumEpochRequest {
        cluster_id,
        leader_id: partition.int("leaderId")?,
        leader_epoch: partition.int("leaderEpoch")?,
        preferred_candidates,
        leader_endpoints,
    })))
}

fn fetch(body: &Fields<'_>) -> Result<Option<Request>, Exception> {
    let cluster_id = body.tagged_cluster_id()?;
    let replica_id = if body.version >= 15 {
        match body.value.get("replicaState") {
            Some(state) => body.inside(state).int("replicaId")?,
            None => -1,
        }
    } else {
        body.int("replicaId")?
    };
    let (max_wait_ms, max_bytes) = (body.int("maxWaitMs")?, body.int("maxBytes")?);
    for field in ["minBytes", "isolationLevel", "sessionId", "sessionEpoch"] {
        body.int(field)?;
    }
    body.array("forgottenTopicsData")?;
    body.text("rackId")?;
    let name = if body.version >= 13 {
        "topicId"
    } else {
        "topic"
    };
    let Some(partition) = body.partition(name, "partition")? else {
        return Ok(None);
    };
    partition.integer("logStartOffset")?;
    partition.int("partitionMaxBytes")?;
    Ok(Some(Request::Fetch(FetchRequest {
        cluster_id,
        replica_id,
        replica_directory_id: partition
            .since(17, || partition.tagged_uuid("replicaDirectoryId"))?,
        max_wait_ms,
        max_bytes,
        current_leader_epoch: partition.int("currentLeaderEpoch")?,
        fetch_offset: partition.integer("fetchOffset")?,
        last_fetched_epoch: partition.int("lastFetchedEpoch")?,
        high_watermark: match partition.value.get("highWatermark") {
            Some(_) if body.version >= 18 => partition.integer("highWatermark")?,
            _ => i64::MAX,
        },
    })))
}

fn fetch_snapshot(body: &Fields<'_>) -> Result<Option<Request>, Exception> {
    let cluster_id = body.tagged_cluster_id()?;
    let (replica_id, max_bytes) = (body.int("replicaId")?, body.int("maxBytes")?);
    let Some(partition) = body.partition("name", "partition")? else {
        return Ok(None);
    };
    let id = partition.inside(partition.field("snapshotId")?);
    Ok(Some(Request::FetchSnapshot(FetchSnapshotRequest {
        cluster_id,
        replica_id,
        replica_directory_id: partition.since(1, || partition.tagged_uuid("replicaDirectoryId"))?,
        max_bytes,
        current_leader_epoch: partition.int("currentLeaderEpoch")?,
        snapshot_id: OffsetAndEpoch::new(id.integer("endOffset")?, id.int("epoch")?),
        position: partition.integer("position")?,
    })))
}

fn add(body: &Fields<'_>) -> Result<Request, Exception> {
    Ok(Request::AddRaftVoter(AddRaftVoterRequest {
        cluster_id: body.cluster_id()?,
        timeout_ms: body.int("timeoutMs")?,
        voter_id: body.int("voterId")?,
        voter_directory_id: body.uuid("voterDirectoryId")?,
        listeners: body.endpoints("listeners")?,
        ack_when_committed: match body.version {
            ..1 => true,
            _ => body.boolean("ackWhenCommitted")?,
        },
    }))
}

fn remove(body: &Fields<'_>) -> Result<Request, Exception> {
    Ok(Request::RemoveRaftVoter(RemoveRaftVoterRequest {
        cluster_id: body.cluster_id()?,
        voter_id: body.int("voterId")?,
        voter_directory_id: body.uuid("voterDirectoryId")?,
    }))
}

fn update(body: &Fields<'_>) -> Result<Request, Exception> {
    let range = body.inside(body.field("kRaftVersionFeature")?);
    Ok(Request::UpdateRaftVoter(UpdateRaftVoterRequest {
        cluster_id: body.cluster_id()?,
        current_leader_epoch: body.int("currentLeaderEpoch")?,
        voter_id: body.int("voterId")?,
        voter_directory_id: body.uuid("voterDirectoryId")?,
        listeners: body.endpoints("listeners")?,
        kraft_version_feature: SupportedVersionRange {
            min: range.int("minSupportedVersion")? as i16,
            max: range.int("maxSupportedVersion")? as i16,
        },
    }))
}

fn describe(body: &Fields<'_>) -> Result<Option<Request>, Exception> {
    let partition = body.partition("topicName", "partitionIndex")?;
    Ok(partition.map(|_| Request::DescribeQuorum))
}
