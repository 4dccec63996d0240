//! Configuration of topics as it is in force (`4.4:metadata/…/metadata/KafkaConfigSchema.java`).

use image::parts::configs::{BROKER, TOPIC};
use releases::topic_configs::TopicConfig;

use crate::request::{ConfigSource, EffectiveConfig};
use crate::result::WriteFailure;
use crate::view::View;

/// A topic's configuration in force: its own, else the controller's dynamic one, else that of all nodes, else the
/// file's (`4.4:metadata/…/metadata/KafkaConfigSchema.java`).
pub(crate) fn effective_config(
    view: View<'_>,
    config: &'static TopicConfig,
    topic: Option<&str>,
) -> EffectiveConfig {
    let configs = view.image().configs();
    let found = |value: Option<String>, source| EffectiveConfig {
        name: config.name,
        value,
        source,
    };
    if let Some(value) = topic.and_then(|topic| configs.get(TOPIC, topic, config.name)) {
        return found(Some(value.to_owned()), ConfigSource::Topic);
    }
    let own = view.config.node_id.to_string();
    let look_up = |source: ConfigSource, name: &str| match source {
        ConfigSource::Node => configs.get(BROKER, &own, name).map(str::to_owned),
        ConfigSource::Cluster => configs.get(BROKER, "", name).map(str::to_owned),
        ConfigSource::File => view.config.static_config.get(name).cloned(),
        ConfigSource::Topic | ConfigSource::Default => None,
    };
    for source in [
        ConfigSource::Node,
        ConfigSource::Cluster,
        ConfigSource::File,
    ] {
        for synonym in config.synonyms {
            if let Some(value) = look_up(source, synonym.name) {
                return found(Some(converted(value, synonym.factor)), source);
            }
        }
    }
    found(config.default.map(str::to_owned), ConfigSource::Default)
}

/// A topic's configuration by the controller's file alone.
pub(crate) fn file_config(view: View<'_>, config: &'static TopicConfig) -> Option<String> {
    let lines = &view.config.static_config;
    let given = config.synonyms.iter().find_map(|of| {
        let value = lines.get(of.name)?.clone();
        Some(converted(value, of.factor))
    });
    given.or_else(|| config.default.map(str::to_owned))
}

fn topic_config(view: View<'_>, topic: &str, name: &str) -> String {
    let config = TopicConfig::named(view.rules.features.line, name);
    config
        .and_then(|config| effective_config(view, config, Some(topic)).value)
        .unwrap_or_default()
}

pub(crate) fn allows_unclean_elections(view: View<'_>, topic: &str) -> bool {
    let value = topic_config(view, topic, "unclean.leader.election.enable");
    value.eq_ignore_ascii_case("true")
}

pub(crate) fn min_isr(view: View<'_>, topic: &str) -> Result<i32, WriteFailure> {
    let value = topic_config(view, topic, "min.insync.replicas");
    let configured: i32 = value.parse().map_err(|_| {
        WriteFailure::Unexpected(format!("min.insync.replicas of {topic} is {value:?}"))
    })?;
    let first = view.image().topics().named(topic);
    let first = first.and_then(|topic| topic.partition(0));
    let replicas = first.map_or(0, |partition| partition.replicas.len() as i32);
    Ok(configured.min(replicas))
}

/// What a topic would say where a node says `value`.
fn converted(value: String, factor: Option<i64>) -> String {
    match factor.zip(value.trim().parse::<i64>().ok()) {
        Some((factor, number)) => number.saturating_mul(factor).to_string(),
        None => value,
    }
}
