//! How a controller gets itself registered (`4.4:server/…/controller/ControllerRegistrationManager.java`).

use determinism::{Rng, Time};
use image::Publication;
use image::parts::features::grown_buckets;
use records::feature::{Capability, UnstableFeatureVersions, VersionRange, java_hash_order};
use records::{NodeId, Uuid};
use releases::Rules;

use crate::request::{ControllerRegistration, Endpoint, RequestError, Response};

/// What a node says about itself when it registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistrationConfig {
    /// `node.id`.
    pub node_id: NodeId,
    /// Drawn anew by every process.
    pub incarnation_id: Uuid,
    /// Its controller listeners.
    pub endpoints: Vec<Endpoint>,
    /// `unstable.feature.versions.enable`.
    pub unstable_feature_versions: UnstableFeatureVersions,
    /// Whether it is ready for a migration from ZooKeeper (3.9).
    pub zk_migration_ready: bool,
}

/// Sends the registration of its node to the active controller until it stands in the published metadata.
///
/// * `on_publication` looks at new metadata, `start` says that requests can be sent.
/// * `poll_request` hands out a registration to send to the active controller; `on_reply` or `on_timeout` must follow.
/// * `next_event_at` says when a failed one is tried again.
#[derive(Clone, Debug)]
pub struct RegistrationManager {
    registration: ControllerRegistration,
    supports_registration: bool,
    knows_version: bool,
    registered: bool,
    pending: bool,
    started: bool,
    failures: u32,
    retry_at: Option<Time>,
    outgoing: bool,
    rules: Rules,
    rng: Rng,
}

/// The first delay after a failure, doubled with every further one (`ExponentialBackoff(100, 2, 120000, 0.02)`).
const FIRST_BACKOFF_MS: u64 = 100;
const MAX_BACKOFF_MS: u64 = 120_000;

impl RegistrationManager {
    /// A manager that knows no metadata. `rng` is the stream that spreads retries.
    pub fn new(config: RegistrationConfig, rules: &Rules, rng: Rng) -> Self {
        RegistrationManager {
            registration: ControllerRegistration {
                controller_id: config.node_id,
                incarnation_id: config.incarnation_id,
                zk_migration_ready: config.zk_migration_ready,
                endpoints: config.endpoints,
                features: features_in_order(rules, config.unstable_feature_versions),
            },
            supports_registration: false,
            knows_version: false,
            registered: false,
            pending: false,
            started: false,
            failures: 0,
            retry_at: None,
            outgoing: false,
            rules: rules.clone(),
            rng,
        }
    }

    /// Requests can be sent from now on.
    pub fn start(&mut self) {
        self.started = true;
        self.maybe_send();
    }

    /// Looks at published metadata.
    pub fn on_publication(&mut self, publication: &Publication) {
        let own = self.registration.controller_id;
        let touched = publication.delta.controllers.contains(&own);
        if !publication.delta.features && !touched {
            return;
        }
        if publication.delta.features {
            let features = self.rules.features;
            let version = publication.image.features().metadata_version().or(
                // 3.9's image stands at the oldest version before any record names one.
                match self.rules.loader.missing_metadata_version {
                    releases::loader::MissingMetadataVersion::Published => {
                        Some(features.minimum_supported)
                    }
                    releases::loader::MissingMetadataVersion::Fault => None,
                },
            );
            self.knows_version = version.is_some();
            self.supports_registration = version.is_some_and(|version| {
                features.supports(version, Capability::ControllerRegistration)
            });
        }
        if touched {
            let current = publication.image.cluster().controller(own);
            self.registered = current
                .is_some_and(|found| found.incarnation_id == self.registration.incarnation_id);
        }
        self.maybe_send();
    }

    /// A registration to send to the active controller.
    pub fn poll_request(&mut self) -> Option<ControllerRegistration> {
        std::mem::take(&mut self.outgoing).then(|| self.registration.clone())
    }

    /// The active controller, or whoever was asked, has answered.
    pub fn on_reply(&mut self, now: Time, outcome: &Result<Response, RequestError>) {
        self.pending = false;
        match outcome {
            Ok(_) => self.failures = 0,
            Err(_) => self.schedule_retry(now),
        }
    }

    /// The request found no active controller in time, or its answer was lost.
    pub fn on_timeout(&mut self, now: Time) {
        self.pending = false;
        self.schedule_retry(now);
    }

    /// When `poll_event` has something to do.
    pub fn next_event_at(&self) -> Option<Time> {
        self.retry_at
    }

    /// Tries again if it is time.
    pub fn poll_event(&mut self, now: Time) {
        if self.retry_at.is_some_and(|at| at <= now) {
            self.retry_at = None;
            self.maybe_send();
        }
    }

    /// Whether the published metadata holds this process's registration.
    pub fn is_registered(&self) -> bool {
        self.registered
    }

    /// Whether a registration is on its way.
    pub fn is_pending(&self) -> bool {
        self.pending
    }

    /// Whether nothing is left to do: registered, or the metadata.version knows no registration.
    pub fn is_settled(&self) -> bool {
        self.registered || (self.knows_version && !self.supports_registration)
    }

    fn maybe_send(&mut self) {
        if !self.registered && self.started && self.supports_registration && !self.pending {
            self.pending = true;
            self.outgoing = true;
        }
    }

    fn schedule_retry(&mut self, now: Time) {
        let delay_ms = (FIRST_BACKOFF_MS << self.failures.min(16)).min(MAX_BACKOFF_MS);
        self.failures += 1;
        let spread = delay_ms / 50;
        let delay = Time::from_millis(self.rng.range(delay_ms - spread, delay_ms + spread + 1));
        self.retry_at = Some(now + delay);
    }
}

/// The features in the order of the Java hash map they come from, which is the order in the record.
fn features_in_order(
    rules: &Rules,
    unstable: UnstableFeatureVersions,
) -> Vec<(String, VersionRange)> {
    let supported = rules.features.supported_features(unstable);
    let names = supported.iter().map(|(name, _)| *name);
    java_hash_order(names, grown_buckets(supported.len()))
        .into_iter()
        .filter_map(|name| {
            let range = supported.iter().find(|(feature, _)| *feature == name)?.1;
            Some((name.to_owned(), range))
        })
        .collect()
}
