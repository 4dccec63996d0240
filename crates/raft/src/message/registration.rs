use records::Uuid;
use records::wire::message;

use super::errors::Errors;
use super::rpc::{Content, Rpc};

message! {
    /// `CONTROLLER_REGISTRATION` (KIP-919).
    pub struct ControllerRegistrationRequest {
        controller_id: i32 = "controllerId", since 0;
        /// Drawn anew by every process.
        incarnation_id: Uuid = "incarnationId", since 0;
        /// Whether it is ready for a migration from ZooKeeper.
        zk_migration_ready: bool = "zkMigrationReady", since 0;
        /// Its listeners; the order counts.
        listeners: Vec<RegisteredListener> = "listeners", since 0;
        /// The features it supports; the order counts.
        features: Vec<RegisteredFeature> = "features", since 0;
    }

    /// A listener of a [`ControllerRegistrationRequest`].
    pub struct RegisteredListener {
        name: String = "name", since 0;
        host: String = "host", since 0;
        port: u16 = "port", since 0;
        /// The id of the security protocol: 0 is PLAINTEXT.
        security_protocol: i16 = "securityProtocol", since 0;
    }

    /// A feature of a [`ControllerRegistrationRequest`].
    pub struct RegisteredFeature {
        name: String = "name", since 0;
        /// Lowest supported level.
        min_supported_version: i16 = "minSupportedVersion", since 0;
        /// Highest supported level.
        max_supported_version: i16 = "maxSupportedVersion", since 0;
    }

    /// Answer to [`ControllerRegistrationRequest`].
    pub struct ControllerRegistrationResponse {
        /// How long the sender was held back, in milliseconds.
        throttle_time_ms: i32 = "throttleTimeMs", since 0;
        error_code: Errors = "errorCode", since 0;
        /// Why, in words.
        error_message: Option<String> = "errorMessage", since 0;
    }
}

/// Raft knows nothing of these two but the bytes: they are their own form.
macro_rules! as_they_are {
    ($($message:ty),*) => {$(
        impl Rpc for $message {
            type Form = Self;

            fn to_form(&self, _: i16) -> Self {
                self.clone()
            }

            fn of_form(form: Self, _: i16) -> Result<Self, Content> {
                Ok(form)
            }
        }
    )*};
}

as_they_are!(
    ControllerRegistrationRequest,
    ControllerRegistrationResponse
);
