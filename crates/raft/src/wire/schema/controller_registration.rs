use super::FieldType::{Array, Boolean, Int16, Int32, Struct, Text, Uint16, Uuid};
use super::{Field, Shape};

static CONTROLLER_REGISTRATION_REQUEST_LISTENER: Shape = Shape::new(&[
    Field::new("name", Text),
    Field::new("host", Text),
    Field::new("port", Uint16),
    Field::new("securityProtocol", Int16),
]);

static CONTROLLER_REGISTRATION_REQUEST_FEATURE: Shape = Shape::new(&[
    Field::new("name", Text),
    Field::new("minSupportedVersion", Int16),
    Field::new("maxSupportedVersion", Int16),
]);

pub(super) static CONTROLLER_REGISTRATION_REQUEST: Shape = Shape::new(&[
    Field::new("controllerId", Int32),
    Field::new("incarnationId", Uuid),
    Field::new("zkMigrationReady", Boolean),
    Field::new(
        "listeners",
        Array(&Struct(&CONTROLLER_REGISTRATION_REQUEST_LISTENER)),
    ),
    Field::new(
        "features",
        Array(&Struct(&CONTROLLER_REGISTRATION_REQUEST_FEATURE)),
    ),
]);

pub(super) static CONTROLLER_REGISTRATION_RESPONSE: Shape = Shape::new(&[
    Field::new("throttleTimeMs", Int32),
    Field::new("errorCode", Int16),
    Field::new("errorMessage", Text).nullable(),
]);
