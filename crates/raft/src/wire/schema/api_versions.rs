use super::FieldType::{Array, Boolean, Int16, Int32, Int64, Struct, Text};
use super::{Field, Shape};

pub(super) static API_VERSIONS_REQUEST: Shape = Shape::new(&[
    Field::new("clientSoftwareName", Text).since(3),
    Field::new("clientSoftwareVersion", Text).since(3),
    Field::new("clusterId", Text).since(5).nullable(),
    Field::new("nodeId", Int32).since(5),
]);

static API_VERSIONS_RESPONSE_API_VERSION: Shape = Shape::new(&[
    Field::new("apiKey", Int16),
    Field::new("minVersion", Int16),
    Field::new("maxVersion", Int16),
]);

static API_VERSIONS_RESPONSE_SUPPORTED_FEATURE_KEY: Shape = Shape::new(&[
    Field::new("name", Text).since(3),
    Field::new("minVersion", Int16).since(3),
    Field::new("maxVersion", Int16).since(3),
]);

static API_VERSIONS_RESPONSE_FINALIZED_FEATURE_KEY: Shape = Shape::new(&[
    Field::new("name", Text).since(3),
    Field::new("maxVersionLevel", Int16).since(3),
    Field::new("minVersionLevel", Int16).since(3),
]);

pub(super) static API_VERSIONS_RESPONSE: Shape = Shape::new(&[
    Field::new("errorCode", Int16),
    Field::new(
        "apiKeys",
        Array(&Struct(&API_VERSIONS_RESPONSE_API_VERSION)),
    ),
    Field::new("throttleTimeMs", Int32).since(1),
    Field::new(
        "supportedFeatures",
        Array(&Struct(&API_VERSIONS_RESPONSE_SUPPORTED_FEATURE_KEY)),
    )
    .since(3)
    .tagged(0),
    Field::new("finalizedFeaturesEpoch", Int64)
        .since(3)
        .tagged(1),
    Field::new(
        "finalizedFeatures",
        Array(&Struct(&API_VERSIONS_RESPONSE_FINALIZED_FEATURE_KEY)),
    )
    .since(3)
    .tagged(2),
    Field::new("zkMigrationReady", Boolean).since(3).tagged(3),
]);
