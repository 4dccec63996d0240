use config::{ConfigError, Listener, ServerConfig};
use raft::{Address, Endpoints, ListenerName};
use records::NodeId;
use releases::Rules;
use releases::config::UnadvertisedController;

/// What a node is configured with, and what follows from that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeConfig {
    server: ServerConfig,
    endpoints: Endpoints,
    advertised: Advertised,
}

/// What `advertised.listeners` is worth to those who look for the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advertised {
    /// An address counts where the node listens on its port.
    WhereItListens,
    /// Every address counts: a port may be mapped to the one that the node listens on.
    AlsoMapped,
}

/// How an address leads to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Not at all.
    No,
    /// The node listens on that port, under a name or address that may be the same by another name.
    OtherHostAtPort,
    /// The node listens on that port of every address it has, and does not say which those are.
    AnyHostAtPort,
    /// By host and port.
    Exact,
}

impl NodeConfig {
    /// The configuration of a process that has the controller role.
    pub fn new(server: ServerConfig) -> Self {
        // The address by which the world connects; what a release says of itself is the registration's business.
        let listeners = server
            .effective_advertised_controller_listeners(UnadvertisedController::AtItsVoterAddress);
        let endpoints = Endpoints::in_order(listeners.iter().map(|listener| {
            (
                ListenerName::normalised(&listener.name),
                address_of(listener),
            )
        }));
        NodeConfig {
            server,
            endpoints,
            advertised: Advertised::WhereItListens,
        }
    }

    /// The same, with another view of what is advertised.
    #[must_use]
    pub fn with_advertised(self, advertised: Advertised) -> Self {
        NodeConfig { advertised, ..self }
    }

    /// The configuration as `rules` read it.
    pub fn read_by(&self, rules: &Rules) -> Result<NodeConfig, ConfigError> {
        let server = self.server.read_by(rules)?;
        Ok(NodeConfig::new(server).with_advertised(self.advertised))
    }

    /// What `server.properties` says.
    pub fn server(&self) -> &ServerConfig {
        &self.server
    }

    pub fn node_id(&self) -> NodeId {
        self.server.node_id
    }

    /// Under which addresses other controllers reach this one.
    pub fn endpoints(&self) -> &Endpoints {
        &self.endpoints
    }

    /// The first of `controller.listener.names`.
    pub fn controller_listener(&self) -> ListenerName {
        ListenerName::normalised(
            self.server
                .controller_listener_names
                .first()
                .map_or("CONTROLLER", String::as_str),
        )
    }

    /// How a connection to `address` would reach this node. What it is said to be reached at is believed as far as it
    /// listens on that port at all; of what it advertises, see [`Advertised`].
    pub fn reached_at(&self, address: &Address) -> Reach {
        let mut advertised = self.server.advertised_listeners.iter().flatten();
        if self.advertised == Advertised::AlsoMapped
            && advertised.any(|listener| address_of(listener) == *address)
        {
            return Reach::Exact;
        }
        let is_there = |listener: &&Listener| listener.port == i32::from(address.port);
        let mut listeners = self.server.controller_listeners().filter(is_there);
        let Some(first) = listeners.next() else {
            return Reach::No;
        };
        let voter = self.server.quorum_voter(self.server.node_id);
        let named = voter.is_some_and(|own| own.host == *address.host && own.port == address.port);
        if named || self.endpoints.iter().any(|(_, own)| own == address) {
            Reach::Exact
        } else if first.binds_everywhere() || listeners.any(Listener::binds_everywhere) {
            Reach::AnyHostAtPort
        } else {
            Reach::OtherHostAtPort
        }
    }
}

/// A listener without a host is advertised under the machine's own name; here every machine has this one.
pub(crate) const UNNAMED_HOST: &str = "localhost";

fn address_of(listener: &Listener) -> Address {
    Address::new(
        listener.host.as_deref().unwrap_or(UNNAMED_HOST),
        port_of(listener),
    )
}

/// A process with a port that does not exist refuses to start.
pub(crate) fn port_of(listener: &Listener) -> u16 {
    u16::try_from(listener.port).unwrap_or(0)
}
