//! Where a process listens, and as what.

use std::collections::BTreeMap;

use super::{ConfigError, Entries, ProcessRole, list};

const SECURITY_PROTOCOLS: [&str; 4] = ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"];
const PROTOCOL_MAP: &str = "listener.security.protocol.map";

/// One item of `listeners` or `advertised.listeners`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listener {
    /// Its name in capitals.
    pub name: String,
    /// `PLAINTEXT`, `SSL`, `SASL_PLAINTEXT` or `SASL_SSL`.
    pub security_protocol: String,
    /// Host; `None` where the item has none, which binds to every address.
    pub host: Option<String>,
    /// Port.
    pub port: u16,
}

impl Listener {
    /// Whether it binds to every address of the machine.
    pub fn binds_everywhere(&self) -> bool {
        self.host.as_deref().is_none_or(|host| host == "0.0.0.0")
    }
}

/// Which security protocol each listener name stands for. Where no map is configured and no listener is named after
/// another protocol, the controllers' listeners are plain text.
pub(super) fn protocol_map(
    entries: &Entries,
    roles: &[ProcessRole],
    controller_names: &[String],
) -> Result<BTreeMap<String, String>, ConfigError> {
    let mut map: BTreeMap<String, String> = BTreeMap::new();
    if entries.contains_key(PROTOCOL_MAP) {
        for found in list(entries, PROTOCOL_MAP) {
            let pair = found
                .split_once(':')
                .map(|(name, protocol)| (name.trim(), protocol.trim()));
            match pair {
                Some((name, protocol)) if SECURITY_PROTOCOLS.contains(&protocol) => {
                    map.insert(name.to_uppercase(), protocol.to_owned());
                }
                _ => {
                    let expected = format!(
                        "expected NAME:PROTOCOL with one of {}",
                        SECURITY_PROTOCOLS.join(", ")
                    );
                    return Err(ConfigError::Listener {
                        key: PROTOCOL_MAP,
                        found,
                        expected,
                    });
                }
            }
        }
        return Ok(map);
    }
    map.extend(
        SECURITY_PROTOCOLS
            .iter()
            .map(|name| ((*name).to_owned(), (*name).to_owned())),
    );
    let secured = |name: &str| {
        name != "PLAINTEXT" && SECURITY_PROTOCOLS.contains(&name.to_uppercase().as_str())
    };
    let names = list(entries, "listeners");
    let listener_secured = names
        .iter()
        .any(|item| item.split_once(':').is_some_and(|(name, _)| secured(name)));
    if !roles.is_empty() && !listener_secured && !controller_names.iter().any(|name| secured(name))
    {
        for name in controller_names {
            map.entry(name.to_uppercase())
                .or_insert_with(|| "PLAINTEXT".to_owned());
        }
    }
    Ok(map)
}

/// The items of `listeners` or `advertised.listeners`.
pub(super) fn parse(
    entries: &Entries,
    key: &'static str,
    protocols: &BTreeMap<String, String>,
) -> Result<Vec<Listener>, ConfigError> {
    let items = match entries.get(key) {
        Some(_) => list(entries, key),
        None => vec!["PLAINTEXT://:9092".to_owned()],
    };
    let mut listeners: Vec<Listener> = Vec::new();
    for found in items {
        let Some((name, host, port)) = split(&found) else {
            return Err(ConfigError::Listener {
                key,
                found,
                expected: "expected NAME://HOST:PORT".to_owned(),
            });
        };
        let Some(security_protocol) = protocols.get(&name) else {
            let expected = format!(
                "{PROTOCOL_MAP} gives no security protocol for {name}: add {name}:PLAINTEXT or another"
            );
            return Err(ConfigError::Listener {
                key,
                found,
                expected,
            });
        };
        if listeners.iter().any(|other| other.name == name) {
            return Err(ConfigError::Listener {
                key,
                found,
                expected: "each listener must have a name of its own".to_owned(),
            });
        }
        listeners.push(Listener {
            name,
            security_protocol: security_protocol.clone(),
            host,
            port,
        });
    }
    Ok(listeners)
}

fn split(item: &str) -> Option<(String, Option<String>, u16)> {
    let (name, address) = item.split_once("://")?;
    let (host, port) = address.rsplit_once(':')?;
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    let host_ok = host
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '%' | ':'));
    if name.is_empty() || !host_ok {
        return None;
    }
    Some((
        name.to_uppercase(),
        (!host.is_empty()).then(|| host.to_owned()),
        port.parse().ok()?,
    ))
}
