//! How a release reads `server.properties`.

use crate::rule::{behaviours, room};

behaviours! {
    /// Under which address a controller is reached that listens on every address and advertises none.
    UnadvertisedController {
        /// Under the one that `controller.quorum.voters` gives it, for its first controller listener; else under the
        /// machine's own name.
        AtItsVoterAddress,
        /// Under the machine's own name.
        AtMachineName,
    }
    /// Whether `process.roles` may be left out, for a server of the `ZooKeeper` days.
    ZooKeeperServer {
        /// It may; such a server needs `zookeeper.connect`, and a controller can be one that migrates.
        Known,
        /// It may not.
        Gone,
    }
    /// What becomes of a role that stands twice in `process.roles`.
    DuplicateRoles {
        /// The configuration is refused.
        Refused,
        /// It counts once.
        Merged,
    }
    /// How `controller.listener.names` is read.
    ControllerListenerNames {
        /// It is cut at commas; blanks and empty items between them stay.
        CutAtCommas,
        /// It is a list, without the blanks around its items.
        List,
    }
    /// What becomes of a listener for which two security protocols are given, by names that differ in case.
    ListenerMapDuplicates {
        /// The last one counts.
        LastCounts,
        /// The configuration is refused.
        Refused,
    }
    /// What may stand before the address of a voter or of a bootstrap server.
    HostPrefix {
        /// Any text, as long as an address follows.
        AnyText,
        /// `PROTOCOL://`.
        Protocol,
    }
    /// Whether the listener between brokers may be one of the controllers', where there is no broker.
    InterBrokerListenerOfController {
        /// It may.
        Any,
        /// It may not.
        NoControllerListener,
    }
}

room! {
    /// Rules of the configuration.
    ConfigRules, "config" {
        /// Where is a controller reached that listens on every address and advertises none?
        unadvertised_controller: UnadvertisedController = AtItsVoterAddress;
            "core/src/main/scala/kafka/server/KafkaConfig.scala";
        /// May process.roles be left out?
        zookeeper_server: ZooKeeperServer = Known, since V4_0 Gone;
            "core/src/main/scala/kafka/server/KafkaConfig.scala";
        /// What becomes of a role that stands twice?
        duplicate_roles: DuplicateRoles = Refused, since V4_2 Merged;
            "core/src/main/scala/kafka/server/KafkaConfig.scala";
        /// How is controller.listener.names read?
        controller_listener_names: ControllerListenerNames = CutAtCommas, since V4_1 List;
            "server/src/main/java/org/apache/kafka/server/config/AbstractKafkaConfig.java";
        /// What becomes of a listener with two security protocols?
        listener_map_duplicates: ListenerMapDuplicates = LastCounts, since V4_1 Refused;
            "server/src/main/java/org/apache/kafka/server/config/AbstractKafkaConfig.java";
        /// What may stand before an address of the quorum?
        host_prefix: HostPrefix = AnyText, since V4_0 Protocol;
            "clients/src/main/java/org/apache/kafka/common/utils/Utils.java";
        /// May the listener between brokers be a controller's, where there is no broker?
        inter_broker_listener_of_controller: InterBrokerListenerOfController = Any,
            since V4_0 NoControllerListener;
            "core/src/main/scala/kafka/server/KafkaConfig.scala";
    }
}
