//! Rules that join several lines of a configuration, in Kafka's order
//! (4.4:core/src/main/scala/kafka/server/KafkaConfig.scala, `validateValues`, and what its constructor looks at before).

use records::feature::{FeatureTable, Line};
use releases::Rules;
use releases::config::{InterBrokerListenerOfController, UnadvertisedController, ZooKeeperServer};

use super::listeners::{self, Listener, normalised, security_protocol};
use super::values::{Values, trim};
use super::{ConfigError, ProcessRole, ServerConfig, limits, list_of_names, quorum};

const VERSION: &str = "inter.broker.protocol.version";
const CONTROL_PLANE: &str = "control.plane.listener.name";

/// Listeners that start early must be there.
pub(super) fn early_start_listeners(
    values: &Values,
    listeners: &[Listener],
) -> Result<(), ConfigError> {
    const KEY: &str = "early.start.listeners";
    let Some(text) = values.text(KEY) else {
        return Ok(());
    };
    let names = text.split(',').map(trim).filter(|name| !name.is_empty());
    for name in names {
        if !listeners.iter().any(|listener| listener.name == name) {
            return Err(ConfigError::Value {
                key: KEY.to_owned(),
                found: name.to_owned(),
                expected: "names of listeners".to_owned(),
            });
        }
    }
    Ok(())
}

/// The classic protocol cannot be switched off; the new one is nothing for a cluster on ZooKeeper.
pub(super) fn rebalance_protocols(
    values: &Values,
    roles: &[ProcessRole],
) -> Result<(), ConfigError> {
    const KEY: &str = "group.coordinator.rebalance.protocols";
    let Some(protocols) = values.list(KEY) else {
        return Ok(());
    };
    let has = |name: &str| {
        protocols
            .iter()
            .any(|protocol| protocol.eq_ignore_ascii_case(name))
    };
    let is_zookeeper = roles.is_empty() && values.rules.zookeeper_server == ZooKeeperServer::Known;
    if !has("classic") || (is_zookeeper && has("consumer")) {
        return Err(ConfigError::Value {
            key: KEY.to_owned(),
            found: protocols.join(","),
            expected: "classic among them, and consumer only where process.roles is set".to_owned(),
        });
    }
    Ok(())
}

/// What 3.9 asks of the id, and of a server of the ZooKeeper days.
pub(super) fn zookeeper_days(
    values: &Values,
    roles: &[ProcessRole],
    id: i32,
) -> Result<(), ConfigError> {
    let migrates = values.is_on("zookeeper.metadata.migration.enable");
    let has_zookeeper = values.text("zookeeper.connect").is_some();
    if !roles.is_empty() {
        if id < 0 {
            return Err(ConfigError::Missing { key: "node.id" });
        }
        let table = FeatureTable::of(Line::V3_9);
        if let Some(found) = values.entries.get(VERSION)
            && table.metadata_version_named(trim(found)).is_none()
        {
            return Err(ConfigError::Value {
                key: VERSION.to_owned(),
                found: found.clone(),
                expected: "a version of KRaft, 3.0-IV1 or later".to_owned(),
            });
        }
        if migrates && !has_zookeeper {
            return Err(ConfigError::Missing {
                key: "zookeeper.connect",
            });
        }
        return Ok(());
    }
    if !has_zookeeper {
        return Err(ConfigError::Missing {
            key: "zookeeper.connect",
        });
    }
    let generates = values.is_on("broker.id.generation.enable");
    let greatest = values.int("reserved.broker.max.id", i32::MAX);
    let range = match (generates, migrates) {
        (true, false) => -1..=greatest,
        (true, true) => 0..=greatest,
        (false, _) => 0..=i32::MAX,
    };
    if !range.contains(&id) {
        return inconsistent(
            format!("broker.id={id}"),
            "it must be an id that broker.id.generation.enable and reserved.broker.max.id allow",
        );
    }
    Ok(())
}

pub(super) fn validate(
    config: &ServerConfig,
    rules: &Rules,
    values: &Values,
) -> Result<(), ConfigError> {
    let controller = config.has_role(ProcessRole::Controller);
    let broker = config.has_role(ProcessRole::Broker);
    let unadvertised = rules.config.unadvertised_controller;
    if (controller || broker)
        && config.quorum_voters.is_empty()
        && config.quorum_bootstrap_servers.is_empty()
    {
        return Err(ConfigError::NoQuorum);
    }
    if let (true, Some(name)) = (controller || broker, values.text(CONTROL_PLANE)) {
        normalised(CONTROL_PLANE, name)?;
        return inconsistent(
            format!("{CONTROL_PLANE} is set"),
            "leave it out where process.roles is set",
        );
    }
    if controller {
        for name in &config.controller_listener_names {
            normalised("controller.listener.names", name)?;
        }
        routable_voters(config, unadvertised)?;
    }
    match (controller, broker) {
        (false, false) => no_controller_names(config, values)?,
        (false, true) => broker_only(config, values)?,
        (true, false) => {
            controller_only(config, rules, values, unadvertised)?;
            any_controller(config, unadvertised)?;
        }
        (true, true) => any_controller(config, unadvertised)?,
    }
    let advertised = config
        .advertised_listeners
        .as_ref()
        .unwrap_or(&config.listeners);
    let advertised: Vec<&Listener> = advertised
        .iter()
        .filter(|listener| !config.controller_listener_names.contains(&listener.name))
        .collect();
    let is_zookeeper =
        config.process_roles.is_empty() && rules.config.zookeeper_server == ZooKeeperServer::Known;
    if broker || is_zookeeper {
        advertised_by_broker(config, values, &advertised)?;
    }
    let of_controllers = config.effective_advertised_controller_listeners(unadvertised);
    let mut all = advertised.iter().copied().chain(&of_controllers);
    if all.any(|listener| listener.host.as_deref() == Some("0.0.0.0")) {
        return inconsistent(
            "a listener would be advertised at 0.0.0.0, which no one can connect to".to_owned(),
            "set advertised.listeners to an address that others reach",
        );
    }
    limits::sasl(values)?;
    limits::connections(values)
}

/// A server of the ZooKeeper days has no controllers' listeners, unless it migrates.
fn no_controller_names(config: &ServerConfig, values: &Values) -> Result<(), ConfigError> {
    if values.is_on("zookeeper.metadata.migration.enable") {
        return match (
            config.quorum_voters.is_empty(),
            config.quorum_bootstrap_servers.is_empty(),
        ) {
            (true, true) => Err(ConfigError::NoQuorum),
            _ if config.controller_listener_names.is_empty() => Err(ConfigError::Missing {
                key: "controller.listener.names",
            }),
            _ => Ok(()),
        };
    }
    if !config.controller_listener_names.is_empty() && values.is_given("zookeeper.connect") {
        return inconsistent(
            "controller.listener.names is set without process.roles".to_owned(),
            "leave it out, or set process.roles",
        );
    }
    Ok(())
}

/// The name of the listener between brokers and its protocol, which must be known even where there is no broker.
pub(super) fn inter_broker_listener(
    values: &Values,
) -> Result<(String, &'static str), ConfigError> {
    const KEY: &str = "inter.broker.listener.name";
    const PROTOCOL: &str = "security.inter.broker.protocol";
    let Some(name) = values.text(KEY) else {
        let protocol = security_protocol(PROTOCOL, values.text(PROTOCOL).unwrap_or(""))?;
        return Ok((protocol.to_owned(), protocol));
    };
    if values.is_given(PROTOCOL) {
        return Err(broken(
            format!("{KEY} and {PROTOCOL} are both set"),
            "keep one of them",
        ));
    }
    let name = normalised(KEY, name)?;
    // The roles matter to a server of the ZooKeeper days alone, whose own map is the same.
    let protocols = listeners::protocols(values, &[ProcessRole::Broker])?;
    match protocols.get(&name) {
        Some(protocol) => Ok((name, protocol)),
        None => Err(broken(
            format!("{KEY}={name}, but listener.security.protocol.map has no {name}"),
            "name a listener that the map has",
        )),
    }
}

fn any_controller(
    config: &ServerConfig,
    unadvertised: UnadvertisedController,
) -> Result<(), ConfigError> {
    let (id, voters) = (config.node_id, &config.quorum_voters);
    if !voters.is_empty() && config.quorum_voter(id).is_none() {
        return inconsistent(
            format!(
                "process.roles contains controller, but node {id} is not in {}={}",
                quorum::VOTERS,
                ids(config)
            ),
            "add the node to controller.quorum.voters, or correct node.id",
        );
    }
    if config
        .effective_advertised_controller_listeners(unadvertised)
        .is_empty()
    {
        return inconsistent(
            "controller.listener.names holds no listener".to_owned(),
            "name at least one of listeners",
        );
    }
    for name in &config.controller_listener_names {
        if !config
            .listeners
            .iter()
            .any(|listener| listener.name == *name)
        {
            return inconsistent(
                format!("controller.listener.names holds {name}, which is not among listeners"),
                "name only listeners of this controller",
            );
        }
    }
    Ok(())
}

/// The voters' addresses are looked at only where one of them is to be advertised.
fn routable_voters(
    config: &ServerConfig,
    unadvertised: UnadvertisedController,
) -> Result<(), ConfigError> {
    let of =
        |listener: &&Listener| Some(&listener.name) == config.controller_listener_names.first();
    let is_advertised = config
        .advertised_listeners
        .iter()
        .flatten()
        .any(|one| of(&one));
    let listener = config.listeners.iter().find(of);
    let needs_voter = unadvertised == UnadvertisedController::AtItsVoterAddress
        && !is_advertised
        && listener.is_some_and(Listener::binds_everywhere);
    let mut voters = config.quorum_voters.iter();
    if needs_voter && voters.any(|(_, address)| address.host == "0.0.0.0") {
        return inconsistent(
            "controller.quorum.voters holds 0.0.0.0".to_owned(),
            "name an address that others reach",
        );
    }
    Ok(())
}

fn controller_only(
    config: &ServerConfig,
    rules: &Rules,
    values: &Values,
    unadvertised: UnadvertisedController,
) -> Result<(), ConfigError> {
    let listeners = config.effective_advertised_controller_listeners(unadvertised);
    if listeners.len() != config.listeners.len() {
        return inconsistent(
            "process.roles=controller, but listeners holds one that is not in controller.listener.names"
                .to_owned(),
            "a controller has no listeners but those",
        );
    }
    match rules.config.inter_broker_listener_of_controller {
        InterBrokerListenerOfController::Any => Ok(()),
        InterBrokerListenerOfController::NoControllerListener => {
            if values.text("inter.broker.listener.name").is_none() {
                return Ok(());
            }
            let (name, _) = inter_broker_listener(values)?;
            if !config.controller_listener_names.contains(&name) {
                return Ok(());
            }
            inconsistent(
                format!("inter.broker.listener.name={name} is in controller.listener.names"),
                "leave it out where process.roles=controller",
            )
        }
    }
}

fn broker_only(config: &ServerConfig, values: &Values) -> Result<(), ConfigError> {
    let id = config.node_id;
    if config.quorum_voter(id).is_some() {
        return inconsistent(
            format!(
                "process.roles=broker, but node {id} is in {}={}",
                quorum::VOTERS,
                ids(config)
            ),
            "give the broker an id of its own, or add the controller role",
        );
    }
    if config.controller_listener_names.is_empty() {
        return Err(ConfigError::Missing {
            key: "controller.listener.names",
        });
    }
    if config.controller_listeners().next().is_some() {
        return inconsistent(
            "process.roles=broker, but listeners holds one of controller.listener.names".to_owned(),
            "a broker does not listen as a controller",
        );
    }
    let protocols = listeners::protocols(values, &config.process_roles)?;
    for name in list_of_names(values) {
        let name = normalised("controller.listener.names", &name)?;
        if !protocols.contains_key(&name) {
            return inconsistent(
                format!("listener.security.protocol.map has no {name}"),
                "add the controllers' listeners to the map",
            );
        }
    }
    if values.is_on("controller.quorum.auto.join.enable") {
        return inconsistent(
            "controller.quorum.auto.join.enable is set for process.roles=broker".to_owned(),
            "a broker does not join the voters",
        );
    }
    Ok(())
}

fn advertised_by_broker(
    config: &ServerConfig,
    values: &Values,
    advertised: &[&Listener],
) -> Result<(), ConfigError> {
    if advertised.is_empty() {
        return inconsistent(
            "process.roles contains broker, but every listener is in controller.listener.names"
                .to_owned(),
            "a broker needs a listener for brokers and clients",
        );
    }
    let (inter_broker, _) = inter_broker_listener(values)?;
    if !advertised
        .iter()
        .any(|listener| listener.name == inter_broker)
    {
        return inconsistent(
            format!("the listener between brokers is {inter_broker}, which is not advertised"),
            "set inter.broker.listener.name to a listener that is",
        );
    }
    let is_bound = |name: &str| config.listeners.iter().any(|bound| bound.name == name);
    if let Some(listener) = advertised.iter().find(|listener| !is_bound(&listener.name)) {
        return inconsistent(
            format!(
                "advertised.listeners holds {}, which is not among listeners",
                listener.name
            ),
            "advertise only what listens",
        );
    }
    let cordoned = values.list("cordoned.log.dirs").unwrap_or_default();
    let is_known = |dir: &String| config.log_dirs.contains(dir);
    let all = cordoned.iter().any(|dir| dir == "*");
    if if all {
        cordoned.len() > 1
    } else {
        !cordoned.iter().all(is_known)
    } {
        return inconsistent(
            format!("cordoned.log.dirs={}", cordoned.join(",")),
            "it must be `*` alone, or directories of log.dirs",
        );
    }
    Ok(())
}

fn ids(config: &ServerConfig) -> String {
    let ids: Vec<String> = config
        .quorum_voters
        .iter()
        .map(|(id, _)| id.to_string())
        .collect();
    format!("{{{}}}", ids.join(", "))
}

pub(super) fn inconsistent(problem: String, remedy: &str) -> Result<(), ConfigError> {
    Err(broken(problem, remedy))
}

fn broken(problem: String, remedy: &str) -> ConfigError {
    ConfigError::Inconsistent {
        problem,
        remedy: remedy.to_owned(),
    }
}
