//! Where the quorum is: static voters and bootstrap servers.

use std::collections::BTreeMap;
use std::fmt;

use determinism::java::HashTable;
use records::NodeId;
use releases::config::HostPrefix;

use super::error::brief;
use super::values::Values;
use crate::whole_number;

pub(super) const VOTERS: &str = "controller.quorum.voters";
const BOOTSTRAP_SERVERS: &str = "controller.quorum.bootstrap.servers";

/// An address as configured; the name is not looked up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostAndPort {
    /// Host name or address, without brackets; may be empty.
    pub host: String,
    pub port: u16,
}

impl HostAndPort {
    /// Reads `host:port`, `[v6]:port` or either behind what `prefix` says (4.4:clients/…/utils/Utils.java, `getHost`,
    /// `getPort`).
    fn parse(text: &str, prefix: HostPrefix) -> Option<Self> {
        let (before, port) = text.rsplit_once(':')?;
        if port.is_empty() || !port.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let host = match prefix {
            HostPrefix::AnyText => {
                let bare = before.strip_suffix(']').unwrap_or(before);
                bare.rsplit(|letter| !is_host_letter(letter)).next()?
            }
            HostPrefix::Protocol => {
                let is_protocol = |name: &str| name.chars().all(|c| is_host_letter(c) && c != ':');
                let bare = before
                    .split_once("://")
                    .filter(|(name, _)| is_protocol(name));
                host(bare.map_or(before, |(_, address)| address))?
            }
        };
        Some(HostAndPort {
            host: host.to_owned(),
            port: port.parse().ok()?,
        })
    }
}

/// The host in `host` or `[host]`.
fn host(text: &str) -> Option<&str> {
    let host = text.strip_prefix('[').unwrap_or(text);
    let host = host.strip_suffix(']').unwrap_or(host);
    host.chars().all(is_host_letter).then_some(host)
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

/// The characters that a host name or address may have.
pub(super) fn is_host_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_' | '%' | ':')
}

/// The static voters in the order of the map that Kafka reads them into (`4.4:raft/…/QuorumConfig.java`,
/// `parseVoterConnections`), the last address of an id; an error says what an entry should be.
pub(super) fn voters(values: &Values) -> Result<Vec<(NodeId, HostAndPort)>, String> {
    let mut voters: Vec<(NodeId, HostAndPort)> = Vec::new();
    let mut places = BTreeMap::new();
    for found in values.list(VOTERS).unwrap_or_default() {
        // Java's `split` leaves out empty parts at the end.
        let mut parts = found.trim_end_matches('@').split('@');
        let voter = match (parts.next(), parts.next(), parts.next()) {
            (Some(id), Some(address), None) => {
                whole_number(id).zip(HostAndPort::parse(address, values.rules.host_prefix))
            }
            _ => None,
        };
        let Some((id, address)) = voter else {
            return Err(format!(
                "ID@HOST:PORT and more after commas, not `{}`",
                brief(&found)
            ));
        };
        let id = NodeId(id);
        let place = *places.entry(id).or_insert(voters.len());
        match voters.get_mut(place) {
            Some((_, earlier)) => *earlier = address,
            None => voters.push((id, address)),
        }
    }
    HashTable::with_capacity(voters.len()).sort(&mut voters, |(id, _)| id.0);
    Ok(voters)
}

/// The bootstrap servers in their order; an error says what an entry should be.
pub(super) fn bootstrap_servers(values: &Values) -> Result<Vec<HostAndPort>, String> {
    let list = values.list(BOOTSTRAP_SERVERS).unwrap_or_default();
    let servers = list.iter().map(|found| {
        let server = HostAndPort::parse(found, values.rules.host_prefix);
        server.ok_or_else(|| format!("HOST:PORT and more after commas, not `{}`", brief(found)))
    });
    servers.collect()
}
