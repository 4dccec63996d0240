//! Brokers: registration, its changes, its end.

use crate::Uuid;
use crate::wire::message;

message! {
    /// A broker registered, or registered again after a restart.
    pub struct RegisterBrokerRecord {
        broker_id: i32 = "brokerId", since 0;
        /// A broker of a `ZooKeeper` cluster under migration.
        is_migrating_zk_broker: bool = "isMigratingZkBroker", since 2;
        /// Drawn anew at each start of the process.
        incarnation_id: Uuid = "incarnationId", since 0;
        /// Offset of this record, as the controller foretold it.
        broker_epoch: i64 = "brokerEpoch", since 0;
        end_points: Vec<BrokerEndpoint> = "endPoints", since 0;
        /// The feature levels its software supports.
        features: Vec<BrokerFeature> = "features", since 0;
        /// `broker.rack`.
        rack: Option<String> = "rack", since 0, default Some(String::new());
        /// Whether it starts fenced.
        fenced: bool = "fenced", since 0, default true;
        /// Whether it is shutting down.
        in_controlled_shutdown: bool = "inControlledShutdown", since 1;
        /// Ids of its usable log directories.
        log_dirs: Vec<Uuid> = "logDirs", since 3, tag 0;
        /// Ids of those that take no new replicas; `None` if the broker does not know of cordoning.
        cordoned_log_dirs: Option<Vec<Uuid>> = "cordonedLogDirs", since 4, default None, tag 1;
    }

    /// A listener of a broker.
    pub struct BrokerEndpoint {
        name: String = "name", since 0;
        /// Host name or address.
        host: String = "host", since 0;
        port: u16 = "port", since 0;
        /// Id of the security protocol: 0 PLAINTEXT, 1 SSL, 2 `SASL_PLAINTEXT`, 3 `SASL_SSL`.
        security_protocol: i16 = "securityProtocol", since 0;
    }

    /// The levels of one feature that a broker supports.
    pub struct BrokerFeature {
        name: String = "name", since 0;
        min_supported_version: i16 = "minSupportedVersion", since 0;
        max_supported_version: i16 = "maxSupportedVersion", since 0;
    }

    /// A broker is gone for good.
    pub struct UnregisterBrokerRecord {
        broker_id: i32 = "brokerId", since 0;
        broker_epoch: i64 = "brokerEpoch", since 0;
    }

    /// A broker is fenced; below metadata.version 3.3-IV2.
    pub struct FenceBrokerRecord {
        id: i32 = "id", since 0;
        epoch: i64 = "epoch", since 0;
    }

    /// A broker is no longer fenced; below metadata.version 3.3-IV2.
    pub struct UnfenceBrokerRecord {
        id: i32 = "id", since 0;
        epoch: i64 = "epoch", since 0;
    }

    /// Something about a registered broker changed.
    pub struct BrokerRegistrationChangeRecord {
        broker_id: i32 = "brokerId", since 0;
        broker_epoch: i64 = "brokerEpoch", since 0;
        /// -1 unfenced, 0 no change, 1 fenced.
        fenced: i8 = "fenced", since 0, tag 0;
        /// 0 no change, 1 it shuts down.
        in_controlled_shutdown: i8 = "inControlledShutdown", since 1, tag 1;
        /// Ids of its usable log directories; empty for no change.
        log_dirs: Vec<Uuid> = "logDirs", since 2, tag 2;
        /// Ids of those that take no new replicas; `None` for no change.
        cordoned_log_dirs: Option<Vec<Uuid>> = "cordonedLogDirs", since 3, default None, tag 3;
    }
}
