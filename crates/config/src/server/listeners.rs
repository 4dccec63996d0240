//! Where a process listens, and as what.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, Ipv6Addr};

use releases::config::{ListenerMapDuplicates, ZooKeeperServer};

use super::error::brief;
use super::quorum::is_host_letter;
use super::values::{Values, trim};
use super::{ConfigError, ProcessRole, list_of_names};

const SECURITY_PROTOCOLS: [&str; 4] = ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"];
const PROTOCOL_MAP: &str = "listener.security.protocol.map";

/// One item of `listeners` or `advertised.listeners`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listener {
    /// Its name in capitals.
    pub name: String,
    /// `PLAINTEXT`, `SSL`, `SASL_PLAINTEXT` or `SASL_SSL`.
    pub security_protocol: &'static str,
    /// Host; `None` where the item has none, which binds to every address.
    pub host: Option<String>,
    /// Port; a process that starts refuses one that is none.
    pub port: i32,
}

impl Listener {
    /// Whether it binds to every address of the machine.
    pub fn binds_everywhere(&self) -> bool {
        self.host.as_deref().is_none_or(|host| host == "0.0.0.0")
    }
}

/// Which security protocol each listener name stands for.
pub(super) type Protocols = BTreeMap<String, &'static str>;

/// Whether two listeners of a list may share a port.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ports {
    Distinct,
    Any,
}

/// The protocol of that name, in any case.
pub(super) fn security_protocol(
    key: &'static str,
    name: &str,
) -> Result<&'static str, ConfigError> {
    let known = SECURITY_PROTOCOLS
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(name));
    known.ok_or_else(|| ConfigError::Value {
        key: key.to_owned(),
        found: brief(name),
        expected: format!("a protocol: {}", SECURITY_PROTOCOLS.join(", ")),
    })
}

/// A listener's name in capitals.
pub(super) fn normalised(key: &'static str, name: &str) -> Result<String, ConfigError> {
    if trim(name).is_empty() {
        return Err(listener_error(key, name, "a listener must have a name"));
    }
    Ok(name.to_uppercase())
}

/// The configured map. Where none is given and no listener is named after another protocol, the controllers' listeners
/// are plain text under the names as they are written (4.4:server/…/AbstractKafkaConfig.java).
pub(super) fn protocols(values: &Values, roles: &[ProcessRole]) -> Result<Protocols, ConfigError> {
    let duplicates = values.rules.listener_map_duplicates;
    let mut protocols = Protocols::new();
    for (name, protocol) in values.map(PROTOCOL_MAP)? {
        let protocol = security_protocol(PROTOCOL_MAP, &protocol)?;
        let earlier = protocols.insert(normalised(PROTOCOL_MAP, &name)?, protocol);
        if earlier.is_some() && duplicates == ListenerMapDuplicates::Refused {
            return Err(listener_error(
                PROTOCOL_MAP,
                &name,
                "a listener must stand once in it",
            ));
        }
    }
    let of_zookeeper = values.rules.zookeeper_server == ZooKeeperServer::Known && roles.is_empty();
    if values.is_given(PROTOCOL_MAP) || of_zookeeper {
        return Ok(protocols);
    }
    let is_secured = |name: &str| name != "PLAINTEXT" && SECURITY_PROTOCOLS.contains(&name);
    let names = list_of_names(values);
    if names.iter().any(|name| is_secured(name)) {
        return Ok(protocols);
    }
    for item in values.list("listeners").unwrap_or_default() {
        let Some((name, _)) = item.split_once(':') else {
            return Err(listener_error(
                "listeners",
                &item,
                "expected NAME://HOST:PORT",
            ));
        };
        if is_secured(&name.to_uppercase()) {
            return Ok(protocols);
        }
    }
    let mut added = BTreeSet::new();
    for name in names.into_iter().filter(|name| name != "PLAINTEXT") {
        if !added.insert(name.clone()) && duplicates == ListenerMapDuplicates::Refused {
            let expected = "a listener must stand once in it";
            return Err(listener_error("controller.listener.names", &name, expected));
        }
        protocols.insert(name, "PLAINTEXT");
    }
    Ok(protocols)
}

/// The items of `listeners` or `advertised.listeners`; `None` where there are none.
pub(super) fn parse(
    values: &Values,
    key: &'static str,
    protocols: &Protocols,
    ports: Ports,
) -> Result<Option<Vec<Listener>>, ConfigError> {
    let Some(items) = values.list(key) else {
        return Ok(None);
    };
    let mut listeners: Vec<Listener> = Vec::new();
    for found in items {
        let Some((name, host, port)) = split(&found) else {
            return Err(listener_error(key, &found, "expected NAME://HOST:PORT"));
        };
        let name = normalised(key, name)?;
        let Some(security_protocol) = protocols.get(&name) else {
            let name = brief(&name);
            let expected = format!(
                "{PROTOCOL_MAP} gives no security protocol for {name}: add {name}:PLAINTEXT or another"
            );
            return Err(listener_error(key, &found, &expected));
        };
        listeners.push(Listener {
            name,
            security_protocol,
            host: (!host.is_empty()).then(|| host.to_owned()),
            port,
        });
    }
    let mut names = BTreeSet::new();
    let mut on_ports: BTreeMap<i32, Vec<&Listener>> = BTreeMap::new();
    for listener in &listeners {
        let shown = format!("{}://…:{}", brief(&listener.name), listener.port);
        let earlier = on_ports.entry(listener.port).or_default();
        if !names.insert(&listener.name) {
            return Err(listener_error(
                key,
                &shown,
                "each listener must have a name of its own",
            ));
        }
        if ports == Ports::Distinct && !earlier.iter().all(|other| may_share(other, listener)) {
            let expected =
                "each listener must have a port of its own, but for one IPv4 and one IPv6 address";
            return Err(listener_error(key, &shown, expected));
        }
        earlier.push(listener);
    }
    Ok(Some(listeners))
}

/// Whether two listeners may stand side by side: on two ports, on port 0, or on an IPv4 and an IPv6 address.
fn may_share(one: &Listener, other: &Listener) -> bool {
    one.port != other.port || one.port == 0 || {
        let versions = (ip_version(one), ip_version(other));
        matches!(versions, (Some(4), Some(6)) | (Some(6), Some(4)))
    }
}

fn ip_version(listener: &Listener) -> Option<u8> {
    let host = listener.host.as_deref()?;
    let v4 = host.parse::<Ipv4Addr>().ok().map(|_| 4);
    // A zone after `%` may be anything.
    let bare = host.split_once('%').map_or(host, |(address, _)| address);
    v4.or_else(|| bare.parse::<Ipv6Addr>().ok().map(|_| 6))
}

/// Name, host and port of `NAME://HOST:PORT`, as a pattern with brackets of which either may be missing.
fn split(item: &str) -> Option<(&str, &str, i32)> {
    let (name, address) = item.rsplit_once("://")?;
    let (host, port) = address.rsplit_once(':')?;
    let host = host.strip_prefix('[').unwrap_or(host);
    let host = host.strip_suffix(']').unwrap_or(host);
    let digits = port.strip_prefix('-').unwrap_or(port);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let fits = is_number && host.chars().all(is_host_letter);
    fits.then(|| port.parse().ok())
        .flatten()
        .map(|port| (name, host, port))
}

fn listener_error(key: &'static str, found: &str, expected: &str) -> ConfigError {
    ConfigError::Listener {
        key,
        found: brief(found),
        expected: expected.to_owned(),
    }
}
