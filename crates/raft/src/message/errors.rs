use std::fmt;

use records::visit::Visitor;
use records::wire::{FieldKind, Layout, Path, Reader, Wire};
use records::{DecodeError, EncodeError};

/// An error code of the protocol.
///
/// Source: `clients/…/common/protocol/Errors.java`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Errors(pub i16);

macro_rules! errors {
    ($( $(#[doc = $doc:literal])+ $name:ident = $code:literal, )+) => {
        impl Errors {
            $( $(#[doc = $doc])+ pub const $name: Errors = Errors($code); )+

            /// Kafka's name of the code.
            pub fn name(self) -> &'static str {
                match self {
                    $( Errors::$name => stringify!($name), )+
                    _ => "UNKNOWN",
                }
            }
        }
    };
}

errors! {
    /// An unexpected failure at the receiver.
    UNKNOWN_SERVER_ERROR = -1,
    /// The request succeeded.
    NONE = 0,
    /// No such topic or partition.
    UNKNOWN_TOPIC_OR_PARTITION = 3,
    /// The receiver does not lead.
    NOT_LEADER_OR_FOLLOWER = 6,
    /// Not in time.
    REQUEST_TIMED_OUT = 7,
    /// The receiver is shutting down, or cannot be reached.
    BROKER_NOT_AVAILABLE = 8,
    /// Not allowed to.
    CLUSTER_AUTHORIZATION_FAILED = 31,
    /// The version cannot be understood.
    UNSUPPORTED_VERSION = 35,
    /// The receiver is not the active controller.
    NOT_CONTROLLER = 41,
    /// The request makes no sense.
    INVALID_REQUEST = 42,
    /// More than is allowed.
    POLICY_VIOLATION = 44,
    /// The sender's epoch is over.
    FENCED_LEADER_EPOCH = 74,
    /// The sender's epoch is not known here.
    UNKNOWN_LEADER_EPOCH = 75,
    /// An update of a feature version that cannot be.
    INVALID_UPDATE_VERSION = 95,
    /// No such checkpoint.
    SNAPSHOT_NOT_FOUND = 98,
    /// A position outside the checkpoint.
    POSITION_OUT_OF_RANGE = 99,
    /// No such broker.
    BROKER_ID_NOT_REGISTERED = 102,
    /// The request names another cluster id.
    INCONSISTENT_CLUSTER_ID = 104,
    /// A registration that cannot be.
    INVALID_REGISTRATION = 119,
    /// Meant for another replica.
    INVALID_VOTER_KEY = 125,
    /// A voter with that id exists.
    DUPLICATE_VOTER = 126,
    /// No such voter.
    VOTER_NOT_FOUND = 127,
    /// No such controller.
    CONTROLLER_ID_NOT_REGISTERED = 136,
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Its code, as two bytes.
impl Wire for Errors {
    const KIND: FieldKind = i16::KIND;

    fn min_size(layout: Layout) -> usize {
        i16::min_size(layout)
    }

    fn write(
        &self,
        field: &'static str,
        layout: Layout,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        self.0.write(field, layout, out)
    }

    fn read(at: &Path<'_>, layout: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        i16::read(at, layout, reader).map(Errors)
    }

    fn visit(&self, layout: Layout, visitor: &mut dyn Visitor) {
        self.0.visit(layout, visitor);
    }
}
