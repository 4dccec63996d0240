//! Controllers, feature levels, transactions, and records about the log itself.

use crate::Uuid;
use crate::wire::message;

message! {
    /// A controller registered with the active one.
    pub struct RegisterControllerRecord {
        controller_id: i32 = "controllerId", since 0;
        /// Drawn anew at each start of the process.
        incarnation_id: Uuid = "incarnationId", since 0;
        /// Whether it is ready for a migration from `ZooKeeper`.
        zk_migration_ready: bool = "zkMigrationReady", since 0;
        end_points: Vec<ControllerEndpoint> = "endPoints", since 0;
        /// The feature levels its software supports.
        features: Vec<ControllerFeature> = "features", since 0;
    }

    /// A listener of a controller.
    pub struct ControllerEndpoint {
        name: String = "name", since 0;
        /// Host name or address.
        host: String = "host", since 0;
        port: u16 = "port", since 0;
        /// Id of the security protocol: 0 PLAINTEXT, 1 SSL, 2 `SASL_PLAINTEXT`, 3 `SASL_SSL`.
        security_protocol: i16 = "securityProtocol", since 0;
    }

    /// The levels of one feature that a controller supports.
    pub struct ControllerFeature {
        name: String = "name", since 0;
        min_supported_version: i16 = "minSupportedVersion", since 0;
        max_supported_version: i16 = "maxSupportedVersion", since 0;
    }

    /// A controller is gone for good.
    pub struct UnregisterControllerRecord {
        controller_id: i32 = "controllerId", since 0;
    }

    /// The finalized level of a feature.
    pub struct FeatureLevelRecord {
        /// Feature name, `metadata.version` among them, never `kraft.version`.
        name: String = "name", since 0;
        /// Its level from here on; 0 for none.
        feature_level: i16 = "featureLevel", since 0;
    }

    /// Nothing: keeps the high watermark moving on an idle cluster.
    pub struct NoOpRecord {}

    /// How far a migration from `ZooKeeper` is.
    pub struct ZkMigrationStateRecord {
        /// 0 none, 1 pre-migration, 2 migration, 3 post-migration.
        zk_migration_state: i8 = "zkMigrationState", since 0;
    }

    /// Records up to the end or abort of this transaction apply together.
    pub struct BeginTransactionRecord {
        /// What the transaction is for.
        name: Option<String> = "name", since 0, default None, tag 0;
    }

    /// The open transaction applies.
    pub struct EndTransactionRecord {}

    /// The open transaction never was.
    pub struct AbortTransactionRecord {
        reason: Option<String> = "reason", since 0, default None, tag 0;
    }
}
