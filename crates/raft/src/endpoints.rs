use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Name of a listener, upper case as Kafka normalises it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListenerName(Arc<str>);

impl ListenerName {
    /// The listener called `name`.
    pub fn normalised(name: &str) -> Self {
        ListenerName(name.to_uppercase().into())
    }

    /// The name.
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
    /// Port.
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
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Where a replica can be reached: an address per listener. Shared, cheap to clone.
///
/// Source: `4.4:raft/…/Endpoints.java`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Endpoints(Arc<BTreeMap<ListenerName, Address>>);

impl Endpoints {
    /// An address per listener.
    pub fn new(addresses: impl IntoIterator<Item = (ListenerName, Address)>) -> Self {
        Endpoints(Arc::new(addresses.into_iter().collect()))
    }

    /// No address at all: not known.
    pub fn empty() -> Self {
        Endpoints::default()
    }

    /// The address at a listener.
    pub fn address(&self, listener: &ListenerName) -> Option<&Address> {
        self.0.get(listener)
    }

    /// How many listeners there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Listener by listener, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&ListenerName, &Address)> {
        self.0.iter()
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
