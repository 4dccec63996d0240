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
}

room! {
    /// Rules of the configuration.
    ConfigRules, "config" {
        /// Where is a controller reached that listens on every address and advertises none?
        unadvertised_controller: UnadvertisedController = AtItsVoterAddress;
            "core/src/main/scala/kafka/server/KafkaConfig.scala";
    }
}
