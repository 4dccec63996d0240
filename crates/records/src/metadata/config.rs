//! Configuration, quotas, producer ids.

use crate::Float64;
use crate::visit::Secrecy;
use crate::wire::message;

message! {
    /// A configuration entry is set, or removed.
    pub struct ConfigRecord {
        /// 2 topic, 4 broker, 16 client metrics, 32 group.
        resource_type: i8 = "resourceType", since 0;
        /// Topic name, broker id, …; empty for the default of all brokers.
        resource_name: String = "resourceName", since 0;
        /// The key of the configuration.
        name: String = "name", since 0;
        /// Value; `None` removes the entry.
        value: Option<String> = secret_if(value_secrecy) "value", since 0, default Some(String::new());
    }

    /// A client quota is set, or removed.
    pub struct ClientQuotaRecord {
        /// Whom it binds.
        entity: Vec<EntityData> = "entity", since 0;
        /// The key of the quota: `producer_byte_rate`.
        key: String = "key", since 0;
        /// In the quota's own unit.
        value: Float64 = "value", since 0;
        /// Whether the quota goes away.
        remove: bool = "remove", since 0;
    }

    /// A part of the entity that a quota binds.
    pub struct EntityData {
        /// `user`, `client-id` or `ip`.
        entity_type: String = "entityType", since 0;
        /// Its name; `None` for the default of the type.
        entity_name: Option<String> = "entityName", since 0, default Some(String::new());
    }

    /// A block of producer ids went to a broker.
    pub struct ProducerIdsRecord {
        broker_id: i32 = "brokerId", since 0;
        broker_epoch: i64 = "brokerEpoch", since 0, default -1;
        /// First id of the next block.
        next_producer_id: i64 = "nextProducerId", since 0;
    }
}

/// One of these stands in the name of every configuration that Kafka types as a password, and of what users add in the
/// same spirit.
const SECRET_WORDS: [&str; 14] = [
    "password",
    "passphrase",
    "secret",
    "jaas",
    "credential",
    "keystore.key",
    "keystore.certificate.chain",
    "truststore.certificates",
    "passwd",
    "master.key",
    "private.key",
    "access.key",
    "api.key",
    "auth.token",
];

impl ConfigRecord {
    /// Whether the value may be a credential, judged by the name of its key.
    pub fn value_secrecy(&self) -> Secrecy {
        let name = self.name.to_lowercase();
        if SECRET_WORDS.iter().any(|word| name.contains(word)) {
            Secrecy::Secret
        } else {
            Secrecy::Public
        }
    }
}
