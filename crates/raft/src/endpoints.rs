use std::fmt;
use std::sync::Arc;

use determinism::java::{HashTable, hash_all, hash_string};

/// Name of a listener, upper case as Kafka normalises it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListenerName(Arc<str>);

impl ListenerName {
    /// The listener called `name`.
    pub fn normalised(name: &str) -> Self {
        ListenerName(name.to_uppercase().into())
    }

    fn hash_code(&self) -> i32 {
        hash_string(&self.0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ListenerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Host and port, unresolved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// Host name or address as configured.
    pub host: Arc<str>,
    pub port: u16,
}

impl Address {
    /// `host:port`.
    pub fn new(host: &str, port: u16) -> Self {
        Address {
            host: host.into(),
            port,
        }
    }

    /// `InetSocketAddress.hashCode()` of an address that is not resolved.
    fn hash_code(&self) -> i32 {
        hash_string(&self.host.to_lowercase()).wrapping_add(self.port.into())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Where a replica can be reached: an address per listener, in the order of Kafka's map. Shared, cheap to clone.
///
/// Source: `4.4:raft/…/Endpoints.java`.
#[derive(Clone, Debug, Default)]
pub struct Endpoints(Arc<[(ListenerName, Address)]>);

impl PartialEq for Endpoints {
    fn eq(&self, other: &Self) -> bool {
        let is_in_other = |(name, address)| other.address(name) == Some(address);
        self.len() == other.len() && self.iter().all(is_in_other)
    }
}

impl Eq for Endpoints {}

impl Endpoints {
    /// An address per listener, as a record or a request lists them.
    pub fn new(addresses: impl IntoIterator<Item = (ListenerName, Address)>) -> Self {
        let mut listed: Vec<(ListenerName, Address)> = Vec::new();
        for (name, address) in addresses {
            match listed.iter_mut().find(|(other, _)| *other == name) {
                Some((_, known)) => *known = address,
                None => listed.push((name, address)),
            }
        }
        HashTable::with_capacity(listed.len()).sort(&mut listed, |(name, _)| name.hash_code());
        Endpoints(listed.into())
    }

    /// The listeners of the local node, as it is configured (a map of Scala's, which keeps the order of up to four:
    /// `4.4:core/…/server/SharedServer.scala`).
    pub fn in_order(addresses: impl IntoIterator<Item = (ListenerName, Address)>) -> Self {
        Endpoints(addresses.into_iter().collect())
    }

    /// No address at all: not known.
    pub fn empty() -> Self {
        Endpoints::default()
    }

    /// The address at a listener.
    pub fn address(&self, listener: &ListenerName) -> Option<&Address> {
        let mut endpoints = self.iter();
        endpoints.find_map(|(name, address)| (name == listener).then_some(address))
    }

    /// How many listeners there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Listener by listener.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&ListenerName, &Address)> {
        self.0.iter().map(|(name, address)| (name, address))
    }

    /// `Endpoints.hashCode()`, which orders Kafka's hash tables of voters.
    pub(crate) fn hash_code(&self) -> i32 {
        let entries = self
            .iter()
            .map(|(name, address)| name.hash_code() ^ address.hash_code());
        hash_all([entries.fold(0, i32::wrapping_add)])
    }
}

impl fmt::Display for Endpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (listener, address) in self.iter() {
            write!(f, "{separator}{listener}://{address}")?;
            separator = ",";
        }
        Ok(())
    }
}
