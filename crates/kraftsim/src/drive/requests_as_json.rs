//! Requests to a controller that are given whole, in the JSON of Kafka's own converters.

use quorum_controller::request::{
    AlterPartition, AlterPartitionForm, AlteredTopic, AssignReplicas, BrokerWish, ElectLeaders,
    ElectionKind, FactorChange, InSync, Reassign,
};
use quorum_controller::{BrokerHeartbeat, ControllerRequest};
use records::feature::Line;
use records::{NodeId, Uuid};
use releases::client::{ClientForms, FixedReplicationFactor, TopicNaming};
use serde_json::Value;

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn int(value: &Value, default: i32) -> i32 {
    value.as_i64().map_or(default, |number| number as i32)
}

fn integers(value: &Value) -> Vec<i32> {
    array(value).map(|number| int(number, 0)).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn uuid(value: &Value) -> Uuid {
    let parsed = value.as_str().and_then(|text| text.parse().ok());
    parsed.unwrap_or(Uuid::ZERO)
}

fn uuids(value: &Value) -> Vec<Uuid> {
    array(value).map(uuid).collect()
}

/// What the operation asks; `None` for one that is not there.
pub(super) fn request(operation: &str, request: &Value, line: Line) -> Option<ControllerRequest> {
    Some(match operation {
        "allocateProducerIds" => ControllerRequest::AllocateProducerIds {
            broker: NodeId(int(&request["brokerId"], 0)),
            broker_epoch: request["brokerEpoch"].as_i64().unwrap_or(-1),
        },
        "processBrokerHeartbeat" => ControllerRequest::BrokerHeartbeat(heartbeat(request)),
        "electLeaders" if request["topicPartitions"].is_array() => {
            ControllerRequest::ElectLeaders(elect_leaders(request)?)
        }
        "alterPartition" => ControllerRequest::AlterPartition(alter_partition(request, line)),
        "alterPartitionReassignments" => ControllerRequest::Reassign(reassign(request, line)),
        "assignReplicasToDirs" => ControllerRequest::AssignReplicas(assign_replicas(request)),
        _ => return None,
    })
}

/// What a broker that fences or shuts down says.
pub(super) fn wish(fence: bool, shutdown: bool) -> BrokerWish {
    match (fence, shutdown) {
        (false, false) => BrokerWish::Serve,
        (true, false) => BrokerWish::Fence,
        (false, true) => BrokerWish::ShutDown,
        (true, true) => BrokerWish::FenceAndShutDown,
    }
}

fn heartbeat(request: &Value) -> BrokerHeartbeat {
    let flag = |key: &str| request[key].as_bool().unwrap_or(false);
    BrokerHeartbeat {
        broker_id: NodeId(int(&request["brokerId"], 0)),
        broker_epoch: request["brokerEpoch"].as_i64().unwrap_or(-1),
        metadata_offset: request["currentMetadataOffset"].as_i64().unwrap_or(0),
        wish: wish(flag("wantFence"), flag("wantShutDown")),
        offline_log_dirs: uuids(&request["offlineLogDirs"]),
        cordoned_log_dirs: request["cordonedLogDirs"]
            .is_array()
            .then(|| uuids(&request["cordonedLogDirs"])),
    }
}

fn elect_leaders(request: &Value) -> Option<ElectLeaders> {
    let partitions = array(&request["topicPartitions"]);
    Some(ElectLeaders {
        kind: match request["electionType"].as_i64() {
            Some(0) => ElectionKind::Preferred,
            Some(1) => ElectionKind::Unclean,
            _ => return None,
        },
        partitions: partitions
            .map(|topic| (text(&topic["topic"]), integers(&topic["partitions"])))
            .collect(),
    })
}

/// The driver's requests count as of version 0, whatever version their JSON is in.
fn alter_partition(request: &Value, line: Line) -> AlterPartition {
    let in_sync = |partition: &Value| InSync {
        partition: int(&partition["partitionIndex"], 0),
        leader_epoch: int(&partition["leaderEpoch"], 0),
        partition_epoch: int(&partition["partitionEpoch"], 0),
        isr: integers(&partition["newIsr"])
            .into_iter()
            .map(|broker| (broker, -1))
            .collect(),
        recovery_state: int(&partition["leaderRecoveryState"], 0) as i8,
    };
    AlterPartition {
        broker: int(&request["brokerId"], 0),
        broker_epoch: request["brokerEpoch"].as_i64().unwrap_or(-1),
        form: match ClientForms::of(line).alter_partition_topics {
            TopicNaming::ByName => AlterPartitionForm::ByName,
            TopicNaming::ById => AlterPartitionForm::ById,
        },
        topics: array(&request["topics"])
            .map(|topic| AlteredTopic {
                name: text(&topic["topicName"]),
                id: uuid(&topic["topicId"]),
                partitions: array(&topic["partitions"]).map(in_sync).collect(),
            })
            .collect(),
    }
}

fn reassign(request: &Value, line: Line) -> Reassign {
    let may_change = request["allowReplicationFactorChange"].as_bool();
    let partition = |partition: &Value| {
        let replicas = &partition["replicas"];
        (
            int(&partition["partitionIndex"], 0),
            replicas.is_array().then(|| integers(replicas)),
        )
    };
    Reassign {
        replication_factor: match (ClientForms::of(line).fixed_replication_factor, may_change) {
            (FixedReplicationFactor::Known, Some(false)) => FactorChange::Refused,
            (FixedReplicationFactor::Unknown, _) | (_, None | Some(true)) => FactorChange::Allowed,
        },
        topics: array(&request["topics"])
            .map(|topic| {
                let partitions = array(&topic["partitions"]).map(partition);
                (text(&topic["name"]), partitions.collect())
            })
            .collect(),
    }
}

fn assign_replicas(request: &Value) -> AssignReplicas {
    let topic = |topic: &Value| {
        let partitions = array(&topic["partitions"]);
        let partitions = partitions.map(|partition| int(&partition["partitionIndex"], 0));
        (uuid(&topic["topicId"]), partitions.collect())
    };
    AssignReplicas {
        broker: int(&request["brokerId"], 0),
        broker_epoch: request["brokerEpoch"].as_i64().unwrap_or(-1),
        directories: array(&request["directories"])
            .map(|of| (uuid(&of["id"]), array(&of["topics"]).map(topic).collect()))
            .collect(),
    }
}
