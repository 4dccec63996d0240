//! What administrators ask about configuration.

use std::fmt;

/// A kind of thing that has configuration; the numbers are those of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResourceKind {
    /// None that Kafka knows.
    Unknown = 0,
    Topic = 2,
    /// A broker or controller; the empty name stands for all.
    Broker = 4,
    BrokerLogger = 8,
}

impl ResourceKind {
    /// Kafka's name of it.
    pub fn name(self) -> &'static str {
        match self {
            ResourceKind::Unknown => "UNKNOWN",
            ResourceKind::Topic => "TOPIC",
            ResourceKind::Broker => "BROKER",
            ResourceKind::BrokerLogger => "BROKER_LOGGER",
        }
    }
}

/// Something that has configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConfigResource {
    pub kind: ResourceKind,
    pub name: String,
}

impl fmt::Display for ConfigResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.name)
    }
}

/// New values of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetConfigs {
    pub resource: ConfigResource,
    /// Key and value, the order counts.
    pub values: Vec<(String, String)>,
}
