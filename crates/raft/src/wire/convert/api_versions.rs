use kafka_protocol::messages::api_versions_response::SupportedFeatureKey;
use kafka_protocol::messages::{
    ApiVersionsRequest as TheirRequest, ApiVersionsResponse as TheirResponse,
};

use super::value;
use crate::SupportedVersionRange;
use crate::message::{ApiVersionsResponse, Errors};

/// The feature raft asks for.
const KRAFT_VERSION: &str = "kraft.version";
/// What Kafka's clients call themselves, and the version of one that does not know its own.
///
/// Source: `4.4:clients/…/ApiVersionsRequest.java` and `AppInfoParser.java`.
const SOFTWARE_NAME: &str = "apache-kafka-java";
const SOFTWARE_VERSION: &str = "unknown";

pub(super) fn request() -> TheirRequest {
    TheirRequest::default()
        .with_client_software_name(value::text(SOFTWARE_NAME))
        .with_client_software_version(value::text(SOFTWARE_VERSION))
}

/// Raft looks at nothing but its own feature, and says nothing of APIs.
///
/// Clients of versions before 4 take a lowest level of 0 for an error (KAFKA-17011): they are told 1, and nothing of a
/// feature that has level 0 only. Source: `4.4:clients/…/ApiVersionsResponse.java`.
pub(super) fn response(ours: &ApiVersionsResponse, version: i16) -> TheirResponse {
    let features = ours.kraft_version.iter().filter_map(|range| {
        let min = if version < 4 {
            range.min.max(1)
        } else {
            range.min
        };
        let feature = SupportedFeatureKey::default()
            .with_name(value::text(KRAFT_VERSION))
            .with_min_version(min)
            .with_max_version(range.max);
        (version >= 3 && min <= range.max).then_some(feature)
    });
    TheirResponse::default()
        .with_error_code(ours.error_code.0)
        .with_supported_features(features.collect())
}

pub(super) fn from_response(theirs: &TheirResponse) -> ApiVersionsResponse {
    let mut features = theirs.supported_features.iter();
    let kraft_version = features.find(|feature| feature.name.as_str() == KRAFT_VERSION);
    ApiVersionsResponse {
        error_code: Errors(theirs.error_code),
        kraft_version: kraft_version.map(|feature| SupportedVersionRange {
            min: feature.min_version,
            max: feature.max_version,
        }),
    }
}
