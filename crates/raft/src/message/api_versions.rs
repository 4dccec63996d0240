use std::sync::Arc;

use records::wire::message;

use super::errors::Errors;
use super::rpc::{Content, Rpc};
use crate::SupportedVersionRange;

/// The feature raft asks for.
const KRAFT_VERSION: &str = "kraft.version";
/// What Kafka's clients call themselves, and the version of one that does not know its own.
///
/// Source: `4.4:clients/…/ApiVersionsRequest.java` and `AppInfoParser.java`.
const SOFTWARE_NAME: &str = "apache-kafka-java";
const SOFTWARE_VERSION: &str = "unknown";

/// `API_VERSIONS`: who asks is of no interest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiVersionsRequest;

/// Answer to `API_VERSIONS`, as far as raft looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiVersionsResponse {
    pub error_code: Errors,
    /// The receiver's kraft.version range, where it has that feature.
    pub kraft_version: Option<SupportedVersionRange>,
}

impl ApiVersionsResponse {
    /// Only an error.
    pub fn failed(error_code: Errors) -> Self {
        ApiVersionsResponse {
            error_code,
            kraft_version: None,
        }
    }
}

message! {
    /// `API_VERSIONS`.
    pub struct ApiVersionsRequestForm {
        /// What the client calls itself.
        client_software_name: String = ignorable "clientSoftwareName", since 3;
        client_software_version: String = ignorable "clientSoftwareVersion", since 3;
        /// Which cluster is meant, or any.
        cluster_id: Option<Arc<str>> = ignorable "clusterId", since 5;
        /// Which node is meant, or −1.
        node_id: i32 = ignorable "nodeId", since 5, default -1;
    }

    /// Answer to `API_VERSIONS`.
    pub struct ApiVersionsResponseForm {
        error_code: Errors = "errorCode", since 0;
        /// The APIs, of which raft says nothing.
        api_keys: Vec<ApiVersionForm> = "apiKeys", since 0;
        /// Left at its default.
        throttle_time_ms: i32 = ignorable "throttleTimeMs", since 1;
        /// The features of the receiver.
        supported_features: Vec<SupportedFeatureForm> = ignorable "supportedFeatures", since 3, tag 0;
        /// Left at its default.
        finalized_features_epoch: i64 = ignorable "finalizedFeaturesEpoch", since 3, default -1, tag 1;
        /// Left at its default.
        finalized_features: Vec<FinalizedFeatureForm> = ignorable "finalizedFeatures", since 3, tag 2;
        /// Left at its default.
        zk_migration_ready: bool = ignorable "zkMigrationReady", since 3, tag 3;
    }

    /// The range of versions that a node has for an API.
    pub struct ApiVersionForm {
        api_key: i16 = "apiKey", since 0;
        min_version: i16 = "minVersion", since 0;
        max_version: i16 = "maxVersion", since 0;
    }

    /// The levels of a feature.
    pub struct SupportedFeatureForm {
        name: String = "name", since 3;
        min_version: i16 = "minVersion", since 3;
        max_version: i16 = "maxVersion", since 3;
    }

    /// The finalised level of a feature.
    pub struct FinalizedFeatureForm {
        name: String = "name", since 3;
        max_version_level: i16 = "maxVersionLevel", since 3;
        min_version_level: i16 = "minVersionLevel", since 3;
    }
}

impl Rpc for ApiVersionsRequest {
    type Form = ApiVersionsRequestForm;

    fn to_form(&self, _: i16) -> ApiVersionsRequestForm {
        ApiVersionsRequestForm {
            client_software_name: SOFTWARE_NAME.to_owned(),
            client_software_version: SOFTWARE_VERSION.to_owned(),
            ..ApiVersionsRequestForm::default()
        }
    }

    fn of_form(_: ApiVersionsRequestForm, _: i16) -> Result<Self, Content> {
        Ok(ApiVersionsRequest)
    }
}

impl Rpc for ApiVersionsResponse {
    type Form = ApiVersionsResponseForm;

    /// Raft looks at nothing but its own feature, and says nothing of APIs.
    ///
    /// Clients of versions before 4 take a lowest level of 0 for an error (KAFKA-17011): they are told 1, and nothing of
    /// a feature that has level 0 only. Source: `4.4:clients/…/ApiVersionsResponse.java`.
    fn to_form(&self, version: i16) -> ApiVersionsResponseForm {
        let lowest = if version < 4 { 1 } else { i16::MIN };
        let features = self.kraft_version.iter().map(|range| SupportedFeatureForm {
            name: KRAFT_VERSION.to_owned(),
            min_version: range.min.max(lowest),
            max_version: range.max,
            ..SupportedFeatureForm::default()
        });
        let told = features.filter(|feature| feature.min_version <= feature.max_version);
        ApiVersionsResponseForm {
            error_code: self.error_code,
            supported_features: told.collect(),
            ..ApiVersionsResponseForm::default()
        }
    }

    fn of_form(form: ApiVersionsResponseForm, _: i16) -> Result<Self, Content> {
        let mut features = form.supported_features.into_iter();
        let kraft_version = features.find(|feature| feature.name == KRAFT_VERSION);
        Ok(ApiVersionsResponse {
            error_code: form.error_code,
            kraft_version: kraft_version.map(|feature| SupportedVersionRange {
                min: feature.min_version,
                max: feature.max_version,
            }),
        })
    }
}
