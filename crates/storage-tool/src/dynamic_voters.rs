//! The voters named by `--initial-controllers`: `ID@HOST:PORT:DIRECTORY-ID`, and more after commas.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use records::{NodeId, Uuid};

/// One voter of a quorum yet to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicVoter {
    /// Node id.
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
    Twice {
        /// The id.
        id: NodeId,
    },
    /// An item that cannot be read.
    #[error("voter `{found}`: {problem}; expected ID@HOST:PORT:DIRECTORY-ID")]
    Item {
        /// The item.
        found: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl DynamicVoters {
    /// A quorum of one.
    pub fn single(voter: DynamicVoter) -> Self {
        DynamicVoters(BTreeMap::from([(voter.id, voter)]))
    }

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
    let id: i32 = id.parse().map_err(|_| format!("`{id}` is no node id"))?;
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
    let port = port.parse().map_err(|_| format!("`{port}` is no port"))?;
    let directory_id = directory_id
        .parse()
        .map_err(|error| format!("its directory id cannot be read: {error}"))?;
    Ok(DynamicVoter::new(NodeId(id), host, port, directory_id))
}

/// Java keeps a host name as given, but forgets how a numeric address was written and shows its own form of it: of an
/// IPv6 address all eight groups.
fn as_java_shows(host: &str) -> String {
    if let Ok(address) = host.parse::<Ipv6Addr>() {
        if let Some(v4) = address.to_ipv4_mapped() {
            return v4.to_string();
        }
        return address
            .segments()
            .map(|group| format!("{group:x}"))
            .join(":");
    }
    host.parse::<Ipv4Addr>()
        .map_or_else(|_| host.to_owned(), |address| address.to_string())
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
