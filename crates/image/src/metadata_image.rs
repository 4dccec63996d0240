//! The image itself.

use records::metadata::{MetadataRecord, VersionedRecord};

use crate::parts::{
    acls::AclsImage,
    client_quotas::ClientQuotasImage,
    cluster::ClusterImage,
    configs::ConfigsImage,
    delegation_tokens::DelegationTokensImage,
    features::FeaturesImage,
    producer_ids::ProducerIdsImage,
    scram::ScramImage,
    topics::{TopicImage, TopicsImage},
};
use crate::{ApplyError, Delta, Dialect, Part};

/// The metadata of a cluster after some records: a persistent value, which a clone shares.
///
/// Its hash depends on the entries alone, not on the order in which they came, and is kept up to date record by record:
/// two images that are equal have equal hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetadataImage {
    pub(crate) features: FeaturesImage,
    pub(crate) cluster: ClusterImage,
    pub(crate) topics: TopicsImage,
    pub(crate) configs: ConfigsImage,
    pub(crate) client_quotas: ClientQuotasImage,
    pub(crate) producer_ids: ProducerIdsImage,
    pub(crate) acls: AclsImage,
    pub(crate) scram: ScramImage,
    pub(crate) delegation_tokens: DelegationTokensImage,
    hash: u64,
}

impl MetadataImage {
    /// The image of no records.
    pub fn empty() -> Self {
        Self::default()
    }

    pub fn features(&self) -> &FeaturesImage {
        &self.features
    }

    /// Registered brokers and controllers.
    pub fn cluster(&self) -> &ClusterImage {
        &self.cluster
    }

    /// Topics and partitions.
    pub fn topics(&self) -> &TopicsImage {
        &self.topics
    }

    pub fn configs(&self) -> &ConfigsImage {
        &self.configs
    }

    pub fn client_quotas(&self) -> &ClientQuotasImage {
        &self.client_quotas
    }

    pub fn producer_ids(&self) -> &ProducerIdsImage {
        &self.producer_ids
    }

    /// Access control entries.
    pub fn acls(&self) -> &AclsImage {
        &self.acls
    }

    pub fn scram(&self) -> &ScramImage {
        &self.scram
    }

    pub fn delegation_tokens(&self) -> &DelegationTokensImage {
        &self.delegation_tokens
    }

    /// The sum of the hashes of all entries.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether there is no entry, controllers left out as in Kafka (`ClusterImage.isEmpty`).
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
            && self.cluster.is_empty()
            && self.topics.is_empty()
            && self.configs.is_empty()
            && self.client_quotas.is_empty()
            && self.producer_ids.is_empty()
            && self.acls.is_empty()
            && self.scram.is_empty()
            && self.delegation_tokens.is_empty()
    }

    /// The image that a snapshot starts from: everything that the snapshot does not name is gone, but for the three
    /// values that Kafka's `finishSnapshot` leaves alone.
    #[must_use]
    pub fn before_snapshot(&self) -> Self {
        let mut next = Self::empty();
        next.features.metadata_version = self.features.metadata_version;
        next.features.zk_migration_state = self.features.zk_migration_state;
        next.hash = next.features.hash();
        next.producer_ids
            .set(self.producer_ids.next_producer_id(), &mut next.hash);
        next
    }

    /// Folds one record in. After an error the image is as it was.
    pub fn apply(
        &mut self,
        record: &VersionedRecord,
        dialect: &Dialect,
        delta: &mut Delta,
    ) -> Result<(), ApplyError> {
        let hash = &mut self.hash;
        match &record.record {
            MetadataRecord::RegisterBroker(r) => {
                self.cluster.register_broker(r, dialect, delta, hash)?;
            }
            MetadataRecord::UnregisterBroker(r) => self.cluster.unregister_broker(r, delta, hash),
            MetadataRecord::Topic(r) => self.topics.add_topic(r, delta, hash),
            MetadataRecord::Partition(r) => self.topics.add_partition(r, delta, hash)?,
            MetadataRecord::Config(r) => self.configs.apply(r, delta, hash),
            MetadataRecord::PartitionChange(r) => self.topics.change_partition(r, delta, hash)?,
            MetadataRecord::FenceBroker(r) => self.cluster.fence(r, delta, hash)?,
            MetadataRecord::UnfenceBroker(r) => self.cluster.unfence(r, delta, hash)?,
            MetadataRecord::RemoveTopic(r) => {
                let name = self.topics.remove_topic(r, delta, hash)?;
                self.configs.remove_topic(&name, delta, hash);
            }
            MetadataRecord::DelegationToken(r) => self.delegation_tokens.add(r, delta, hash),
            MetadataRecord::UserScramCredential(r) => self.scram.add(r, delta, hash),
            MetadataRecord::FeatureLevel(r) => {
                self.features.apply(r, dialect, hash)?;
                delta.touch(Part::Features);
            }
            MetadataRecord::ClientQuota(r) => self.client_quotas.apply(r, delta, hash),
            MetadataRecord::ProducerIds(r) => self.producer_ids.apply(r, delta, hash),
            MetadataRecord::BrokerRegistrationChange(r) => {
                self.cluster.change_registration(r, delta, hash)?;
            }
            MetadataRecord::AccessControlEntry(r) => self.acls.add(r, delta, hash),
            MetadataRecord::RemoveAccessControlEntry(r) => self.acls.remove(r, delta, hash)?,
            MetadataRecord::NoOp(_) => {}
            MetadataRecord::ZkMigrationState(r) => {
                self.features.apply_zk_state(r, dialect, hash)?;
                if dialect.keeps_zk_state() {
                    delta.touch(Part::Features);
                }
            }
            MetadataRecord::RemoveUserScramCredential(r) => self.scram.remove(r, delta, hash),
            MetadataRecord::RemoveDelegationToken(r) => {
                self.delegation_tokens.remove(r, delta, hash);
            }
            MetadataRecord::RegisterController(r) => {
                self.cluster.register_controller(r, delta, hash)?;
            }
            MetadataRecord::ClearElr(r) => self.topics.clear_elr(r, delta, hash)?,
            MetadataRecord::UnregisterController(r) => {
                self.cluster.unregister_controller(r, delta, hash);
            }
            MetadataRecord::BeginTransaction(_)
            | MetadataRecord::EndTransaction(_)
            | MetadataRecord::AbortTransaction(_) => {
                return Err(ApplyError::TransactionMarker(record.record.name()));
            }
        }
        Ok(())
    }

    /// Everything the image holds, as a delta from nothing: what a new subscriber is told.
    pub fn delta_from_nothing(&self) -> Delta {
        let mut delta = Delta {
            brokers: self.cluster.brokers.keys().copied().collect(),
            controllers: self.cluster.controllers.keys().copied().collect(),
            topics: self.topics.iter().map(TopicImage::id).collect(),
            ..Delta::default()
        };
        let parts = [
            (Part::Features, false),
            (Part::Configs, self.configs.is_empty()),
            (Part::ClientQuotas, self.client_quotas.is_empty()),
            (Part::ProducerIds, self.producer_ids.is_empty()),
            (Part::Acls, self.acls.is_empty()),
            (Part::Scram, self.scram.is_empty()),
            (Part::DelegationTokens, self.delegation_tokens.is_empty()),
        ];
        for (part, _) in parts.into_iter().filter(|(_, empty)| !empty) {
            delta.touch(part);
        }
        delta
    }
}
