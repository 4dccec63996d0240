//! Dynamic configuration (`4.4:…/controller/ConfigurationControlManager.java`,
//! `core/…/server/ControllerConfigurationValidator.scala`).

use std::collections::BTreeMap;

use records::NodeId;
use records::feature::Capability;
use records::metadata::{ClearElrRecord, ConfigRecord, VersionedRecord};
use releases::replication::{ConfigurableNodes, CordonedLogDirs, LongConfigValues};
use releases::topic_configs::{ConfigKind, TopicConfig};

use crate::api_error::{ApiError, ErrorCode};
use crate::request::{ConfigResource, ControllerResponse, ResourceKind, SetConfigs};
use crate::result::{ControllerResult, WriteFailure};
use crate::topic_config::file_config;
use crate::topic_control::check_topic_name;
use crate::view::View;

const MIN_ISR: &str = "min.insync.replicas";
const CORDONED_LOG_DIRS: &str = "cordoned.log.dirs";
/// `Short.MAX_VALUE`
const MAX_VALUE_LENGTH: usize = 32_767;

pub(crate) fn set_configs(
    view: View<'_>,
    change: &SetConfigs,
) -> (ControllerResult, ControllerResponse) {
    let resource = change.resource.clone();
    let (records, outcome) = match config_records(view, change) {
        Ok(records) => (records, Ok(())),
        Err(error) => (Vec::new(), Err(error)),
    };
    let mut records = records;
    records.extend(elr_to_clear(view, &records));
    (
        ControllerResult::atomic(records),
        ControllerResponse::Configs { resource, outcome },
    )
}

fn config_records(view: View<'_>, change: &SetConfigs) -> Result<Vec<VersionedRecord>, ApiError> {
    let ConfigResource { kind, name } = &change.resource;
    let resource_type = *kind as i8;
    let configs = view.image().configs();
    let mut wanted: BTreeMap<&str, &str> = configs.of(resource_type, name).collect();
    let mut records = Vec::new();
    for (key, value) in &change.values {
        // Values of a node are written even where they stay as they are, so that it reads them again (KAFKA-14136).
        let is_same = configs.get(resource_type, name, key) == Some(value);
        if is_same && *kind != ResourceKind::Broker {
            continue;
        }
        check_value(view, &change.resource, key, value)?;
        wanted.insert(key, value);
        let record = ConfigRecord {
            resource_type,
            resource_name: name.clone(),
            name: key.clone(),
            value: Some(value.clone()),
            ..Default::default()
        };
        records.push(VersionedRecord::new(0, record));
    }
    check_resource(view, &change.resource, &wanted)?;
    Ok(records)
}

fn check_value(
    view: View<'_>,
    resource: &ConfigResource,
    key: &str,
    value: &str,
) -> Result<(), ApiError> {
    let invalid = |text: &str| Err(ApiError::new(ErrorCode::InvalidConfig, text));
    let is_node = resource.kind == ResourceKind::Broker;
    if is_node && key == MIN_ISR && !resource.name.is_empty() && view.has_eligible_leaders() {
        return invalid("one node cannot have its own while eligible leaders are enabled");
    }
    if is_node && key == CORDONED_LOG_DIRS {
        match view.rules.replication.cordoned_log_dirs {
            CordonedLogDirs::Unknown => {}
            CordonedLogDirs::Checked if !view.can(Capability::CordonedLogDirs) => {
                return invalid("the metadata.version is too old for it");
            }
            CordonedLogDirs::Checked => {
                let current = view.image().configs();
                let current = current.get(resource.kind as i8, &resource.name, key);
                if !takes_directories_out(current, value) {
                    return invalid("a controller only takes directories out of it");
                }
            }
        }
    }
    match view.rules.replication.long_config_values {
        LongConfigValues::Refused if value.encode_utf16().count() > MAX_VALUE_LENGTH => {
            invalid("the value is too long")
        }
        LongConfigValues::Refused | LongConfigValues::Accepted => Ok(()),
    }
}

fn check_resource(
    view: View<'_>,
    resource: &ConfigResource,
    wanted: &BTreeMap<&str, &str>,
) -> Result<(), ApiError> {
    let refuse = |error, text: String| Err(ApiError::new(error, text));
    let name = &resource.name;
    match resource.kind {
        ResourceKind::Unknown | ResourceKind::BrokerLogger => refuse(
            ErrorCode::InvalidRequest,
            format!("{resource} has no configuration in the metadata log"),
        ),
        ResourceKind::Topic if name.is_empty() => refuse(
            ErrorCode::InvalidRequest,
            "there is no configuration of all topics".to_owned(),
        ),
        ResourceKind::Topic => {
            check_topic_name(name)?;
            check_topic_configs(view, wanted)?;
            if view.is_name_taken(name) {
                return Ok(());
            }
            let text = format!("there is no topic {name}");
            refuse(ErrorCode::UnknownTopicOrPartition, text)
        }
        ResourceKind::Broker if name.is_empty() => Ok(()),
        ResourceKind::Broker => match name.parse() {
            Ok(id) if id >= 0 && is_known_node(view, NodeId(id)) => Ok(()),
            Ok(id) if id >= 0 => refuse(
                ErrorCode::BrokerIdNotRegistered,
                format!("there is no node {id}"),
            ),
            _ => refuse(
                ErrorCode::InvalidRequest,
                format!("no node is called {name}"),
            ),
        },
    }
}

/// Whether all configurations of a topic exist, and have values that they can have.
fn check_topic_configs(view: View<'_>, wanted: &BTreeMap<&str, &str>) -> Result<(), ApiError> {
    let line = view.rules.features.line;
    let invalid = |text: String| Err(ApiError::new(ErrorCode::InvalidConfig, text));
    for (name, value) in wanted {
        let Some(config) = TopicConfig::named(line, name) else {
            return invalid(format!("topics have no configuration {name}"));
        };
        if !can_be(config.kind, value) {
            return invalid(format!("{name} cannot be {value:?}"));
        }
    }
    let number = |name: &str| -> i64 {
        let own = wanted.get(name).map(|value| (*value).to_owned());
        let value = own.or_else(|| {
            let config = TopicConfig::named(line, name)?;
            file_config(view, config)
        });
        value
            .and_then(|value| value.trim().parse().ok())
            .unwrap_or(0)
    };
    if number("min.compaction.lag.ms") > number("max.compaction.lag.ms") {
        return invalid("min.compaction.lag.ms is above max.compaction.lag.ms".to_owned());
    }
    let is_remote = wanted.get("remote.storage.enable");
    if is_remote.is_some_and(|value| value.trim().eq_ignore_ascii_case("true")) {
        return invalid("tiered storage is disabled".to_owned());
    }
    Ok(())
}

/// With eligible leaders, another `min.insync.replicas` begins without any of them.
fn elr_to_clear(view: View<'_>, records: &[VersionedRecord]) -> Vec<VersionedRecord> {
    if !view.has_eligible_leaders() {
        return Vec::new();
    }
    let configs = records.iter().filter_map(|record| match &record.record {
        records::metadata::MetadataRecord::Config(config) => Some(config),
        _ => None,
    });
    let configs = configs.filter(|config| config.name == MIN_ISR);
    let cleared = configs.map(|config| {
        let is_topic = config.resource_type == ResourceKind::Topic as i8;
        let record = ClearElrRecord {
            topic_name: if is_topic {
                config.resource_name.clone()
            } else {
                String::new()
            },
            ..Default::default()
        };
        VersionedRecord::new(0, record)
    });
    cleared.collect()
}

/// Whether a node is one that can be configured.
fn is_known_node(view: View<'_>, id: NodeId) -> bool {
    let cluster = view.image().cluster();
    let is_voter = view.config.quorum_node_ids.contains(&id);
    cluster.broker(id).is_some() || is_voter || is_registered_controller(view, id)
}

fn is_registered_controller(view: View<'_>, id: NodeId) -> bool {
    match view.rules.replication.configurable_nodes {
        ConfigurableNodes::BrokersAndVoters => false,
        ConfigurableNodes::RegisteredControllersToo => {
            view.image().cluster().controller(id).is_some()
        }
    }
}

/// What enabling eligible leaders writes first: `min.insync.replicas` for all nodes, and for none alone.
pub(crate) fn elr_safety_records(view: View<'_>) -> Result<Vec<VersionedRecord>, WriteFailure> {
    let node = ResourceKind::Broker as i8;
    let config = |name: &str, value: Option<String>| {
        let record = ConfigRecord {
            resource_type: node,
            resource_name: name.to_owned(),
            name: MIN_ISR.to_owned(),
            value,
            ..Default::default()
        };
        VersionedRecord::new(0, record)
    };
    let configs = view.image().configs();
    let mut records = Vec::new();
    if configs.get(node, "", MIN_ISR).is_none() {
        records.push(config(
            "",
            Some(view.config.min_insync_replicas.to_string()),
        ));
    }
    for (id, ()) in view.state.configured_nodes.in_order() {
        let name = id.to_string();
        let mut own = configs.of(node, &name).peekable();
        if own.peek().is_none() {
            // The node was configured under another name for its number, such as 007: Kafka meets a null.
            let text = format!("node {id} has no configuration under the name {name}");
            return Err(WriteFailure::Unexpected(text));
        }
        if own.any(|(config, _)| config == MIN_ISR) {
            records.push(config(&name, None));
        }
    }
    Ok(records)
}

/// Whether `value` names only directories that `current` names.
fn takes_directories_out(current: Option<&str>, value: &str) -> bool {
    fn parts(text: &str) -> Vec<&str> {
        text.trim().split(',').map(str::trim).collect()
    }
    let current = current.map(parts).unwrap_or_default();
    value.trim().is_empty() || parts(value).iter().all(|part| current.contains(part))
}

/// Whether a configuration of that kind can have the value.
fn can_be(kind: ConfigKind, value: &str) -> bool {
    let value = value.trim();
    let number = value.strip_prefix('+').unwrap_or(value).parse::<i64>().ok();
    let items = || value.split(',').map(str::trim);
    match kind {
        ConfigKind::Boolean => {
            value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false")
        }
        ConfigKind::Number(min, max) => number.is_some_and(|of| min <= of && of <= max),
        ConfigKind::NumberOr(min, max, other) => {
            number.is_some_and(|of| (min <= of && of <= max) || of == other)
        }
        ConfigKind::Ratio => {
            let ratio = value.parse::<f64>();
            ratio.is_ok_and(|of| (0.0..=1.0).contains(&of))
        }
        ConfigKind::OneOf(words) => words.contains(&value),
        ConfigKind::ListOf(words) => value.is_empty() || items().all(|item| words.contains(&item)),
        ConfigKind::ThrottledReplicas => {
            let is_pair = |item: &str| {
                let pair = item.split_once(':');
                let is_number =
                    |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                item.is_empty()
                    || pair.is_some_and(|(one, other)| is_number(one) && is_number(other))
            };
            // Empty items do not count (4.4:storage/…/log/ThrottledReplicaListValidator.java).
            items().all(is_pair) || items().collect::<String>() == "*"
        }
        ConfigKind::Text => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_a_configuration_can_have() {
        assert!(can_be(ConfigKind::Number(-1, 9), " -1 "));
        assert!(!can_be(ConfigKind::Number(0, 9), "10"));
        assert!(can_be(ConfigKind::NumberOr(1, 9, -1), "-1"));
        assert!(!can_be(ConfigKind::NumberOr(1, 9, -1), "0"));
        assert!(can_be(ConfigKind::Boolean, "TRUE") && !can_be(ConfigKind::Boolean, "yes"));
        let policies = ConfigKind::ListOf(&["compact", "delete"]);
        assert!(can_be(policies, "compact, delete") && !can_be(policies, "keep"));
        assert!(can_be(ConfigKind::ThrottledReplicas, "0:1,1:2"));
        assert!(!can_be(ConfigKind::ThrottledReplicas, "0:1,x"));
        assert!(can_be(ConfigKind::ThrottledReplicas, "0:1,, 1:2,"));
        assert!(can_be(ConfigKind::ThrottledReplicas, "*,"));
        assert!(!can_be(ConfigKind::ThrottledReplicas, "*,0:1"));
    }

    #[test]
    fn directories_are_only_taken_out() {
        assert!(takes_directories_out(Some("/a, /b"), "/b"));
        assert!(!takes_directories_out(Some("/a"), "/b"));
        assert!(takes_directories_out(None, " "));
    }
}
