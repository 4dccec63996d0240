//! Rules that join several lines of a configuration (4.4:core/src/main/scala/kafka/server/KafkaConfig.scala).

use super::{ConfigError, Entries, Listener, ProcessRole, ServerConfig, Unadvertised, listeners};

pub(super) fn validate(config: &ServerConfig, entries: &Entries) -> Result<(), ConfigError> {
    let controller = config.has_role(ProcessRole::Controller);
    let broker = config.has_role(ProcessRole::Broker);
    if !controller && !broker {
        return Ok(());
    }
    if config.quorum_voters.is_empty() && config.quorum_bootstrap_servers.is_empty() {
        return Err(ConfigError::NoQuorum);
    }
    if config.controller_listener_names.is_empty() {
        return Err(ConfigError::Missing {
            key: "controller.listener.names",
        });
    }
    if controller {
        validate_controller(config)?;
    } else {
        validate_broker_only(config)?;
    }
    if controller && !broker {
        validate_controller_only(config, entries)?;
    }
    let inter_broker = inter_broker_listener(config, entries)?;
    if broker {
        validate_broker(config, &inter_broker)?;
    }
    Ok(())
}

/// The name of the listener between brokers, which must stand for a security protocol even where there is no broker.
fn inter_broker_listener(config: &ServerConfig, entries: &Entries) -> Result<String, ConfigError> {
    let protocol = entries.get("security.inter.broker.protocol");
    let Some(name) = entries.get("inter.broker.listener.name") else {
        return Ok(protocol
            .map_or("PLAINTEXT", |protocol| protocol.trim())
            .to_owned());
    };
    let name = name.trim().to_uppercase();
    if protocol.is_some() {
        return Err(broken(
            "inter.broker.listener.name and security.inter.broker.protocol are both set".to_owned(),
            "keep one of them",
        ));
    }
    let roles = &config.process_roles;
    let protocols = listeners::protocol_map(entries, roles, &config.controller_listener_names)?;
    if !protocols.contains_key(&name) {
        return Err(broken(
            format!(
                "inter.broker.listener.name={name}, but listener.security.protocol.map has no {name}"
            ),
            "name a listener that the map has",
        ));
    }
    Ok(name)
}

fn validate_controller(config: &ServerConfig) -> Result<(), ConfigError> {
    let (id, voters) = (config.node_id, &config.quorum_voters);
    if !voters.is_empty() && config.quorum_voter(id).is_none() {
        return inconsistent(
            format!(
                "process.roles contains controller, but node {id} is not in controller.quorum.voters={}",
                ids(config)
            ),
            "add the node to controller.quorum.voters, or correct node.id",
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
    if config
        .advertised_listeners
        .iter()
        .flatten()
        .any(|listener| listener.host.as_deref() == Some("0.0.0.0"))
    {
        return inconsistent(
            "advertised.listeners holds 0.0.0.0, which no one can connect to".to_owned(),
            "advertise an address that others reach",
        );
    }
    Ok(())
}

fn validate_controller_only(config: &ServerConfig, entries: &Entries) -> Result<(), ConfigError> {
    if config
        .effective_advertised_controller_listeners(Unadvertised::AtMachineName)
        .len()
        != config.listeners.len()
    {
        return inconsistent(
            "process.roles=controller, but listeners holds one that is not in controller.listener.names".to_owned(),
            "a controller has no listeners but those",
        );
    }
    match entries.get("inter.broker.listener.name") {
        Some(name) if config.controller_listener_names.contains(name) => inconsistent(
            format!("inter.broker.listener.name={name} is in controller.listener.names"),
            "leave it out where process.roles=controller",
        ),
        _ => Ok(()),
    }
}

fn validate_broker_only(config: &ServerConfig) -> Result<(), ConfigError> {
    let id = config.node_id;
    if config.quorum_voter(id).is_some() {
        return inconsistent(
            format!(
                "process.roles=broker, but node {id} is in controller.quorum.voters={}",
                ids(config)
            ),
            "give the broker an id of its own, or add the controller role",
        );
    }
    if config.controller_listeners().next().is_some() {
        return inconsistent(
            "process.roles=broker, but listeners holds one of controller.listener.names".to_owned(),
            "a broker does not listen as a controller",
        );
    }
    Ok(())
}

fn validate_broker(config: &ServerConfig, inter_broker: &str) -> Result<(), ConfigError> {
    let advertised = config
        .advertised_listeners
        .as_ref()
        .unwrap_or(&config.listeners);
    let mut advertised = advertised
        .iter()
        .filter(|l| !config.controller_listener_names.contains(&l.name))
        .peekable();
    if advertised.peek().is_none() {
        return inconsistent(
            "process.roles contains broker, but every listener is in controller.listener.names"
                .to_owned(),
            "a broker needs a listener for brokers and clients",
        );
    }
    let advertised: Vec<&Listener> = advertised.collect();
    if !advertised
        .iter()
        .any(|listener| listener.name == inter_broker)
    {
        return inconsistent(
            format!("the listener between brokers is {inter_broker}, which is not advertised"),
            "set inter.broker.listener.name to a listener that is",
        );
    }
    for listener in advertised {
        if !config
            .listeners
            .iter()
            .any(|bound| bound.name == listener.name)
        {
            return inconsistent(
                format!(
                    "advertised.listeners holds {}, which is not among listeners",
                    listener.name
                ),
                "advertise only what listens",
            );
        }
        if listener.host.as_deref() == Some("0.0.0.0") {
            return inconsistent(
                format!(
                    "the broker would advertise {}://0.0.0.0, which no one can connect to",
                    listener.name
                ),
                "set advertised.listeners to an address that others reach",
            );
        }
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

fn inconsistent(problem: String, remedy: &str) -> Result<(), ConfigError> {
    Err(broken(problem, remedy))
}

fn broken(problem: String, remedy: &str) -> ConfigError {
    ConfigError::Inconsistent {
        problem,
        remedy: remedy.to_owned(),
    }
}
