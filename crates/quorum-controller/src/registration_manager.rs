//! How a controller gets itself registered (`4.4:server/…/controller/ControllerRegistrationManager.java`).

use determinism::{Rng, Time};
use image::{Part, Publication};
use records::feature::{Capability, FeatureTable, UnstableFeatureVersions, VersionRange};
use records::{NodeId, Uuid};
use releases::Rules;
use releases::loader::MissingMetadataVersion;

use crate::request::{ControllerRegistration, ControllerResponse, Endpoint, RequestError};

/// What a node says about itself when it registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistrationConfig {
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
    version: PublishedVersion,
    registered: bool,
    request: RequestState,
    failures: u32,
    retry_at: Option<Time>,
    features: &'static FeatureTable,
    missing_version: MissingMetadataVersion,
    rng: Rng,
}

/// What the published metadata.version makes of registrations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PublishedVersion {
    Unknown,
    TooOld,
    KnowsRegistrations,
}

/// Where the request stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestState {
    /// Nothing can be sent yet.
    NotStarted,
    /// Nothing is on its way.
    Idle,
    /// One waits to be handed out.
    Outgoing,
    /// One is on its way.
    Pending,
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
            version: PublishedVersion::Unknown,
            registered: false,
            request: RequestState::NotStarted,
            failures: 0,
            retry_at: None,
            features: rules.features,
            missing_version: rules.loader.missing_metadata_version,
            rng,
        }
    }

    /// Requests can be sent from now on.
    pub fn start(&mut self) {
        if self.request == RequestState::NotStarted {
            self.request = RequestState::Idle;
        }
        self.maybe_send();
    }

    /// Looks at published metadata.
    pub fn on_publication(&mut self, publication: &Publication) {
        let own = self.registration.controller_id;
        let touched = publication.delta.controllers.contains(&own);
        if !publication.delta.has(Part::Features) && !touched {
            return;
        }
        if publication.delta.has(Part::Features) {
            let features = self.features;
            let version = publication.image.features().metadata_version().or(
                // 3.9's image stands at the oldest version before any record names one.
                match self.missing_version {
                    MissingMetadataVersion::Published => Some(features.minimum_supported),
                    MissingMetadataVersion::Fault => None,
                },
            );
            self.version = match version {
                None => PublishedVersion::Unknown,
                Some(v) if features.supports(v, Capability::ControllerRegistration) => {
                    PublishedVersion::KnowsRegistrations
                }
                Some(_) => PublishedVersion::TooOld,
            };
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
        if self.request != RequestState::Outgoing {
            return None;
        }
        self.request = RequestState::Pending;
        Some(self.registration.clone())
    }

    /// The node that was asked has answered; it need not be the active controller.
    pub fn on_reply(&mut self, now: Time, outcome: &Result<ControllerResponse, RequestError>) {
        self.request = RequestState::Idle;
        match outcome {
            Ok(_) => self.failures = 0,
            Err(_) => self.schedule_retry(now),
        }
    }

    /// The request found no active controller in time, or its answer was lost.
    pub fn on_timeout(&mut self, now: Time) {
        self.request = RequestState::Idle;
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

    /// Whether nothing is left to do: registered, or the metadata.version knows no registration.
    pub fn is_settled(&self) -> bool {
        self.registered || self.version == PublishedVersion::TooOld
    }

    fn maybe_send(&mut self) {
        let may_send = !self.registered && self.version == PublishedVersion::KnowsRegistrations;
        if may_send && self.request == RequestState::Idle {
            self.request = RequestState::Outgoing;
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

/// The features in the order of the record.
fn features_in_order(
    rules: &Rules,
    unstable: UnstableFeatureVersions,
) -> Vec<(String, VersionRange)> {
    let supported = rules.features.supported_features(unstable);
    supported
        .into_iter()
        .map(|(name, range)| (name.to_owned(), range))
        .collect()
}
