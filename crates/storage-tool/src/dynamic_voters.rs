//! The voters named by `--initial-controllers`: `ID@HOST:PORT:DIRECTORY-ID`, and more after commas.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use config::whole_number;
use records::{NodeId, Uuid};

/// One voter of a quorum yet to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicVoter {
    pub id: NodeId,
    /// Host as others reach it, without brackets.
    pub host: String,
    /// Port of the first controller listener.
    pub port: u16,
    /// Id of its metadata directory.
    pub directory_id: Uuid,
}

impl DynamicVoter {
    /// A voter; a numeric `host` takes the form in which Java shows it.
    pub fn new(id: NodeId, host: &str, port: u16, directory_id: Uuid) -> Self {
        DynamicVoter {
            id,
            host: as_java_shows(host),
            port,
            directory_id,
        }
    }
}

/// The first voters of a dynamic quorum by node id; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicVoters(BTreeMap<NodeId, DynamicVoter>);

/// Why a list of voters cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DynamicVotersError {
    /// The list is empty.
    #[error("no voter given: expected ID@HOST:PORT:DIRECTORY-ID, and more after commas")]
    Empty,
    /// An id stands twice.
    #[error("node {id} stands twice among the voters: give each id once")]
    Twice { id: NodeId },
    /// An item that cannot be read.
    #[error("voter `{found}`: {problem}; expected ID@HOST:PORT:DIRECTORY-ID")]
    Item {
        found: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl DynamicVoters {
    /// The voter with that id.
    pub fn get(&self, id: NodeId) -> Option<&DynamicVoter> {
        self.0.get(&id)
    }

    /// The voters by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = &DynamicVoter> {
        self.0.values()
    }
}

impl FromStr for DynamicVoters {
    type Err = DynamicVotersError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut voters = BTreeMap::new();
        for item in text.trim().split(',').filter(|item| !item.is_empty()) {
            let voter = voter(item.trim()).map_err(|problem| DynamicVotersError::Item {
                found: item.trim().to_owned(),
                problem,
            })?;
            let id = voter.id;
            if voters.insert(id, voter).is_some() {
                return Err(DynamicVotersError::Twice { id });
            }
        }
        if voters.is_empty() {
            Err(DynamicVotersError::Empty)
        } else {
            Ok(DynamicVoters(voters))
        }
    }
}

fn voter(text: &str) -> Result<DynamicVoter, String> {
    let (id, rest) = text.split_once('@').ok_or("it has no `@` after the id")?;
    let id: i32 = whole_number(id).ok_or_else(|| format!("`{id}` is no node id"))?;
    if id < 0 {
        return Err(format!("the node id {id} is negative"));
    }
    let (host, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest
            .split_once(']')
            .ok_or("its host begins with `[` but no `]` follows")?,
        None => rest.split_at(rest.find(':').ok_or("it has no `:` after the host")?),
    };
    let rest = rest
        .strip_prefix(':')
        .ok_or("it has no `:` after the host")?;
    let (port, directory_id) = rest.split_once(':').ok_or("it has no `:` after the port")?;
    let port = whole_number::<i32>(port)
        .and_then(|number| u16::try_from(number).ok())
        .ok_or_else(|| format!("`{port}` is no port"))?;
    let directory_id = directory_id
        .parse()
        .map_err(|error| format!("its directory id cannot be read: {error}"))?;
    Ok(DynamicVoter::new(NodeId(id), host, port, directory_id))
}

/// Java keeps a host name as given, and takes an empty one for `localhost`. Of a numeric address it forgets how that was
/// written and shows its own form: of an IPv6 address all eight groups, and the number of its zone.
fn as_java_shows(host: &str) -> String {
    if host.is_empty() {
        return "localhost".to_owned();
    }
    let zone = host
        .split_once('%')
        .filter(|(_, zone)| !zone.is_empty() && zone.bytes().all(|digit| digit.is_ascii_digit()));
    let (address, zone) = zone.map_or((host, String::new()), |(address, zone)| {
        (address, format!("%{}", zone.trim_start_matches('0')))
    });
    if let Ok(address) = address.parse::<Ipv6Addr>() {
        if let Some(v4) = address.to_ipv4_mapped() {
            return v4.to_string();
        }
        let groups = address.segments().map(|group| format!("{group:x}"));
        return groups.join(":") + &zone;
    }
    ipv4_as_java_reads(host).map_or_else(|| host.to_owned(), |address| address.to_string())
}

/// An IPv4 address of one to four decimal numbers, of which the last fills what is left of the 32 bits; Java 17,
/// `sun.net.util.IPAddressUtil.textToNumericFormatV4`.
fn ipv4_as_java_reads(text: &str) -> Option<Ipv4Addr> {
    let is_numeric = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    if text.len() > 15 || !text.bytes().all(is_numeric) {
        return None;
    }
    let numbers: Option<Vec<u64>> = text.split('.').map(|number| number.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len() <= 4)?;
    let (last, octets) = numbers.split_last()?;
    let bits_left = 32 - 8 * octets.len() as u32;
    if octets.iter().any(|octet| *octet > 255) || *last >= 1 << bits_left {
        return None;
    }
    let high = octets.iter().fold(0, |high, octet| (high << 8) | octet);
    u32::try_from((high << bits_left) | last)
        .ok()
        .map(Ipv4Addr::from)
}

impl fmt::Display for DynamicVoter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DynamicVoter {
            id,
            host,
            port,
            directory_id,
        } = self;
        if host.contains(':') {
            write!(f, "{id}@[{host}]:{port}:{directory_id}")
        } else {
            write!(f, "{id}@{host}:{port}:{directory_id}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTORY: &str = "JEXY6aqzQY-32P5TStzaFg";

    #[test]
    fn a_list_is_read_and_ordered_by_id() {
        let text = format!("3@c.example.com:8084:{DIRECTORY},1@[::1]:8082:{DIRECTORY}");
        let voters: DynamicVoters = text.parse().unwrap();
        let shown: Vec<String> = voters.iter().map(ToString::to_string).collect();
        assert_eq!(shown[0], format!("1@[0:0:0:0:0:0:0:1]:8082:{DIRECTORY}"));
        assert_eq!(shown[1], format!("3@c.example.com:8084:{DIRECTORY}"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let problem = |text: &str| text.parse::<DynamicVoters>().unwrap_err().to_string();
        assert!(problem("").contains("no voter given"));
        assert!(problem("1:host:9093:x").contains("no `@`"));
        assert!(problem("-1@host:9093:x").contains("negative"));
        assert!(problem("1@host").contains("no `:` after the host"));
        assert!(problem("1@[::1:9093").contains("no `]`"));
        assert!(problem("1@host:70000:x").contains("no port"));
        assert!(problem("1@host:9093:x").contains("directory id"));
        assert!(problem(&format!("1@a:1:{DIRECTORY},1@b:2:{DIRECTORY}")).contains("twice"));
    }
}
