//! Where the quorum is: static voters and bootstrap servers.

use std::fmt;

use records::NodeId;

use super::{ConfigError, Entries, list};

const VOTERS: &str = "controller.quorum.voters";
const BOOTSTRAP_SERVERS: &str = "controller.quorum.bootstrap.servers";

/// An address as configured; the name is not looked up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostAndPort {
    /// Host name or address, without brackets.
    pub host: String,
    /// Port.
    pub port: u16,
}

impl HostAndPort {
    /// Reads `host:port`, `[v6]:port` or either behind `PROTOCOL://`.
    pub fn parse(text: &str) -> Option<Self> {
        let address = text.rsplit_once("://").map_or(text, |(_, address)| address);
        let (host, port) = address.rsplit_once(':')?;
        let host = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .unwrap_or(host);
        if !is_host(host) || port.is_empty() || !port.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        Some(HostAndPort {
            host: host.to_owned(),
            port: port.parse().ok()?,
        })
    }
}

impl fmt::Display for HostAndPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// The characters that a host name or address may have (4.4:clients/…/utils/Utils.java).
fn is_host(host: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '%' | ':');
    !host.is_empty() && host.chars().all(allowed)
}

pub(super) fn voters(entries: &Entries) -> Result<Vec<(NodeId, HostAndPort)>, ConfigError> {
    let mut voters: Vec<(NodeId, HostAndPort)> = Vec::new();
    for found in list(entries, VOTERS) {
        let voter = found.split_once('@').and_then(|(id, address)| {
            let id = id.trim().parse().ok().filter(|id: &i32| *id >= 0)?;
            Some((NodeId(id), HostAndPort::parse(address)?))
        });
        let Some((id, address)) = voter else {
            return Err(ConfigError::QuorumAddress {
                key: VOTERS,
                found,
                expected: "ID@HOST:PORT, and more after commas",
            });
        };
        match voters.iter_mut().find(|(listed, _)| *listed == id) {
            Some((_, earlier)) => *earlier = address,
            None => voters.push((id, address)),
        }
    }
    Ok(voters)
}

pub(super) fn bootstrap_servers(entries: &Entries) -> Result<Vec<HostAndPort>, ConfigError> {
    let mut servers = Vec::new();
    for found in list(entries, BOOTSTRAP_SERVERS) {
        let Some(server) = HostAndPort::parse(&found) else {
            let expected = "HOST:PORT, and more after commas";
            return Err(ConfigError::QuorumAddress {
                key: BOOTSTRAP_SERVERS,
                found,
                expected,
            });
        };
        servers.push(server);
    }
    Ok(servers)
}
