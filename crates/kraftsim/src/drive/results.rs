//! What a controller answers, as Kafka's classes print it.

use quorum_controller::request::{
    ConfigSource, CreatedTopic, EffectiveConfig, FactorChange, HeartbeatReply, PartitionOutcome,
    PartitionOutcomes, PartitionStanding, TopicProperties,
};
use quorum_controller::{ApiError, ControllerResponse, ErrorCode, RequestError};
use records::Uuid;
use records::feature::Line;
use releases::Rules;
use releases::client::{ClientForms, ReplyText};
use serde_json::{Value, json};

/// What a request brought about.
pub(super) fn result(response: &ControllerResponse, rules: &Rules) -> Value {
    let line = rules.features.line;
    match response {
        ControllerResponse::Done => Value::Null,
        ControllerResponse::FeaturesUpdated => {
            json!({ "throttleTimeMs": 0, "errorCode": 0, "errorMessage": null })
        }
        ControllerResponse::Features(results) => {
            let told = results.iter().map(|(feature, outcome)| {
                let error = outcome.as_ref().err();
                json!({
                    "feature": feature,
                    "errorCode": error.map_or(0, |_| ErrorCode::InvalidUpdateVersion.code()),
                    "errorMessage": error.map(ToString::to_string),
                })
            });
            json!({
                "throttleTimeMs": 0, "errorCode": 0, "errorMessage": "",
                "results": told.collect::<Vec<_>>(),
            })
        }
        ControllerResponse::BrokerRegistered { epoch } => registration_reply(*epoch, line).into(),
        ControllerResponse::Heartbeat(reply) => heartbeat_reply(*reply, line).into(),
        ControllerResponse::TopicsCreated(topics) => {
            let topics = topics.iter().map(created_topic);
            json!({ "throttleTimeMs": 0, "topics": topics.collect::<Vec<_>>() })
        }
        ControllerResponse::Configs { resource, outcome } => {
            let kind = resource.kind.name();
            let name = format!("ConfigResource(type={kind}, name='{}')", resource.name);
            json!({ name: api_error(outcome) })
        }
        ControllerResponse::LeadersElected(topics) => {
            let topic = |(name, outcomes): &(String, Vec<PartitionOutcome<()>>)| {
                let partitions = outcomes.iter().map(|of| with_error("partitionId", of));
                json!({ "topic": name, "partitionResult": partitions.collect::<Vec<_>>() })
            };
            let topics: Vec<Value> = topics.iter().map(topic).collect();
            json!({ "throttleTimeMs": 0, "errorCode": 0, "replicaElectionResults": topics })
        }
        ControllerResponse::PartitionsAltered(topics) => altered(topics),
        ControllerResponse::Reassigned {
            replication_factor,
            topics,
        } => reassigned(*replication_factor, topics, line),
        ControllerResponse::ReplicasAssigned(directories) => assigned(directories),
        ControllerResponse::ProducerIds { first, count } => json!({
            "throttleTimeMs": 0, "errorCode": 0, "producerIdStart": first, "producerIdLen": count,
        }),
    }
}

fn api_error(outcome: &Result<(), ApiError>) -> String {
    match outcome {
        Ok(()) => "ApiError(error=NONE, message=null)".to_owned(),
        Err(error) => format!("ApiError(error={}, message={error})", error.error.name()),
    }
}

/// The driver prints Kafka's object, whose words changed when it became a Java record.
fn registration_reply(epoch: i64, line: Line) -> String {
    match ClientForms::of(line).broker_replies {
        ReplyText::Class => format!("BrokerRegistrationReply(epoch={epoch})"),
        ReplyText::Record => format!("BrokerRegistrationReply[epoch={epoch}]"),
    }
}

fn heartbeat_reply(reply: HeartbeatReply, line: Line) -> String {
    let HeartbeatReply {
        is_caught_up,
        is_fenced,
        in_controlled_shutdown,
        should_shut_down,
    } = reply;
    let first = format!(
        "isCaughtUp={is_caught_up}, isFenced={is_fenced}, inControlledShutdown={in_controlled_shutdown}"
    );
    match ClientForms::of(line).broker_replies {
        ReplyText::Class => {
            format!("BrokerHeartbeatReply({first}, shouldShutDown = {should_shut_down})")
        }
        ReplyText::Record => {
            format!("BrokerHeartbeatReply[{first}, shouldShutDown={should_shut_down}]")
        }
    }
}

fn created_topic(topic: &CreatedTopic) -> Value {
    match &topic.outcome {
        Ok(properties) => {
            let TopicProperties {
                id,
                partitions,
                replication_factor,
                configs,
            } = properties;
            json!({
                "name": topic.name,
                "topicId": id.to_string(),
                "errorCode": 0,
                "errorMessage": null,
                "numPartitions": partitions,
                "replicationFactor": replication_factor,
                "configs": configs.iter().map(config).collect::<Vec<_>>(),
            })
        }
        Err(error) => json!({
            "name": topic.name,
            "topicId": Uuid::ZERO.to_string(),
            "errorCode": error.error.code(),
            "errorMessage": error.to_string(),
            "numPartitions": -1,
            "replicationFactor": -1,
            "configs": [],
        }),
    }
}

fn code<T>(of: &PartitionOutcome<T>) -> i16 {
    of.outcome
        .as_ref()
        .err()
        .map_or(0, |error| error.error.code())
}

fn with_error(key: &str, of: &PartitionOutcome<()>) -> Value {
    let words = of.outcome.as_ref().err().map(ToString::to_string);
    json!({ key: of.partition, "errorCode": code(of), "errorMessage": words })
}

fn altered(topics: &PartitionOutcomes<Uuid, PartitionStanding>) -> Value {
    let partition = |of: &PartitionOutcome<PartitionStanding>| {
        let standing = of.outcome.as_ref().ok();
        json!({
            "partitionIndex": of.partition,
            "errorCode": code(of),
            "leaderId": standing.map_or(0, |of| of.leader),
            "leaderEpoch": standing.map_or(0, |of| of.leader_epoch),
            "isr": standing.map(|of| of.isr.clone()).unwrap_or_default(),
            "leaderRecoveryState": standing.map_or(0, |of| of.recovery_state),
            "partitionEpoch": standing.map_or(0, |of| of.partition_epoch),
        })
    };
    let topics = topics.iter().map(|(id, outcomes)| {
        let partitions: Vec<Value> = outcomes.iter().map(partition).collect();
        json!({ "topicId": id.to_string(), "partitions": partitions })
    });
    json!({ "throttleTimeMs": 0, "errorCode": 0, "topics": topics.collect::<Vec<_>>() })
}

fn reassigned(factor: FactorChange, topics: &PartitionOutcomes<String, ()>, line: Line) -> Value {
    let topics = topics.iter().map(|(name, outcomes)| {
        let partitions = outcomes.iter().map(|of| with_error("partitionIndex", of));
        json!({ "name": name, "partitions": partitions.collect::<Vec<_>>() })
    });
    let mut told = json!({
        "throttleTimeMs": 0, "errorCode": 0, "errorMessage": null,
        "responses": topics.collect::<Vec<_>>(),
    });
    if !matches!(line, Line::V3_9 | Line::V4_0) {
        told["allowReplicationFactorChange"] = (factor == FactorChange::Allowed).into();
    }
    told
}

fn assigned(directories: &[(Uuid, PartitionOutcomes<Uuid, ()>)]) -> Value {
    let topic = |(id, outcomes): &(Uuid, Vec<PartitionOutcome<()>>)| {
        let partitions = outcomes
            .iter()
            .map(|of| json!({ "partitionIndex": of.partition, "errorCode": code(of) }));
        json!({ "topicId": id.to_string(), "partitions": partitions.collect::<Vec<_>>() })
    };
    let directories = directories.iter().map(|(id, topics)| {
        let topics: Vec<Value> = topics.iter().map(topic).collect();
        json!({ "id": id.to_string(), "topics": topics })
    });
    json!({ "throttleTimeMs": 0, "errorCode": 0, "directories": directories.collect::<Vec<_>>() })
}

/// `DescribeConfigsResponse.ConfigSource`
fn config(config: &EffectiveConfig) -> Value {
    let source = match config.source {
        ConfigSource::Topic => 1,
        ConfigSource::Node => 2,
        ConfigSource::Cluster => 3,
        ConfigSource::File => 4,
        ConfigSource::Default => 5,
    };
    json!({
        "name": config.name, "value": config.value, "readOnly": false, "configSource": source,
        "isSensitive": false,
    })
}

/// A refusal that Kafka's controller answers as a result.
pub(super) fn refusal(error: &RequestError) -> Option<Value> {
    match error {
        RequestError::InvalidUpdateVersion { .. } => Some(json!({
            "throttleTimeMs": 0,
            "errorCode": ErrorCode::InvalidUpdateVersion.code(),
            "errorMessage": error.to_string(),
        })),
        _ => None,
    }
}

/// The class of the exception that Kafka's controller answers with, and our words.
pub(super) fn error(error: &RequestError) -> String {
    let exception = match error {
        RequestError::NotController { .. } => "NotControllerException",
        RequestError::TimedOut => "TimeoutException",
        RequestError::UnsupportedVersion { .. } => "UnsupportedVersionException",
        RequestError::InvalidUpdateVersion { .. } => "InvalidUpdateVersionException",
        RequestError::InvalidRegistration { .. } => "InvalidRegistrationException",
        RequestError::Refused(refusal) => refusal.error.exception(),
        RequestError::ControllerIdNotRegistered { .. } => "ControllerIdNotRegisteredException",
        RequestError::InvalidRequest { .. } => "InvalidRequestException",
        RequestError::PolicyViolation { .. } => "PolicyViolationException",
        RequestError::Unknown(_) => "UnknownServerException",
    };
    format!("org.apache.kafka.common.errors.{exception}: {error}")
}
