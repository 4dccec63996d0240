//! [`ControlRecord`]: one record of a control batch.

use bytes::Bytes;

use crate::visit::{Secrecy, Visitor};
use crate::wire::{Described, Layout, Path, Reader};
use crate::{DecodeError, EncodeError};

/// The version of the key that every release writes.
const KEY_VERSION: i16 = 0;
const KEY_VERSION_FIELD: Path<'_> = Path::Root("version of a control record's key");

/// Lists the known types.
macro_rules! control_records {
    ($($variant:ident($message:ident) = $type_id:literal, newest $newest:literal, $doc:literal;)*) => {
        /// Which control record: Kafka's `ControlRecordType`, as far as the metadata log has them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ControlKind {
            $(
                #[doc = $doc]
                $variant = $type_id,
            )*
        }

        impl ControlKind {
            /// All known kinds, by type number.
            pub const ALL: &'static [ControlKind] = &[$(ControlKind::$variant),*];

            /// The kind of this type number.
            pub fn from_type_id(type_id: i16) -> Option<Self> {
                match type_id {
                    $($type_id => Some(ControlKind::$variant),)*
                    _ => None,
                }
            }

            /// The number in the key.
            pub const fn type_id(self) -> i16 {
                self as i16
            }

            /// `LeaderChange`
            pub const fn type_name(self) -> &'static str {
                match self {
                    $(ControlKind::$variant => stringify!($variant),)*
                }
            }

            /// Newest version of the value's layout.
            pub const fn newest_version(self) -> i16 {
                match self {
                    $(ControlKind::$variant => $newest,)*
                }
            }

            /// The fields of the value.
            pub const fn schema(self) -> &'static crate::wire::StructSchema {
                match self {
                    $(ControlKind::$variant => <super::$message as Described>::SCHEMA,)*
                }
            }

            fn read(self, layout: Layout, reader: &mut Reader<'_>) -> Result<ControlRecord, DecodeError> {
                match self {
                    $(ControlKind::$variant => {
                        <super::$message as Described>::read_fields(
                            &Path::Root(self.type_name()),
                            layout,
                            reader,
                        ).map(ControlRecord::$variant)
                    })*
                }
            }
        }

        /// A record of a control batch.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum ControlRecord {
            $(
                #[doc = $doc]
                $variant(super::$message),
            )*
            /// A type, or a form of key, that no release writes into the metadata log.
            Unknown {
                key_version: i16,
                /// Number of the type.
                type_id: i16,
                /// What the key holds after the two numbers.
                rest_of_key: Bytes,
                /// The value as it is.
                value: Bytes,
            },
        }

        impl ControlRecord {
            /// Which record it is, if it is a known one.
            pub const fn kind(&self) -> Option<ControlKind> {
                match self {
                    $(ControlRecord::$variant(_) => Some(ControlKind::$variant),)*
                    ControlRecord::Unknown { .. } => None,
                }
            }

            /// The number of its type.
            pub const fn type_id(&self) -> i16 {
                match self {
                    $(ControlRecord::$variant(_) => $type_id,)*
                    ControlRecord::Unknown { type_id, .. } => *type_id,
                }
            }

            /// The version that stands in the value; an unknown type has none.
            pub const fn version(&self) -> Option<i16> {
                match self {
                    $(ControlRecord::$variant(message) => Some(message.version),)*
                    ControlRecord::Unknown { .. } => None,
                }
            }

            /// Appends the value to `out`, which is unchanged after an error.
            pub fn encode_value(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
                let start = out.len();
                match self {
                    $(ControlRecord::$variant(message) => {
                        message.write_fields(ControlKind::$variant.layout(message.version), out)
                    })*
                    ControlRecord::Unknown { value, .. } => {
                        out.extend_from_slice(value);
                        Ok(())
                    }
                }
                .inspect_err(|_| out.truncate(start))
            }

            /// Shows the fields of the value as they stand in its version.
            pub fn accept(&self, visitor: &mut dyn Visitor) {
                match self {
                    $(ControlRecord::$variant(message) => {
                        message.visit_fields(ControlKind::$variant.layout(message.version), visitor);
                    })*
                    ControlRecord::Unknown { type_id, value, .. } => {
                        visitor.begin_struct();
                        visitor.field("type", Secrecy::Public);
                        visitor.integer(i64::from(*type_id));
                        visitor.field("value", Secrecy::Public);
                        visitor.bytes(value);
                        visitor.end_struct();
                    }
                }
            }
        }

        $(
            impl From<super::$message> for ControlRecord {
                fn from(message: super::$message) -> Self {
                    ControlRecord::$variant(message)
                }
            }
        )*
    };
}

control_records! {
    LeaderChange(LeaderChangeMessage) = 2, newest 1, "A leader begins its epoch.";
    SnapshotHeader(SnapshotHeaderRecord) = 3, newest 0, "First record of a checkpoint.";
    SnapshotFooter(SnapshotFooterRecord) = 4, newest 0, "Last record of a checkpoint.";
    KRaftVersion(KRaftVersionRecord) = 5, newest 0, "The finalized kraft.version.";
    KRaftVoters(VotersRecord) = 6, newest 0, "The voter set.";
}

impl ControlKind {
    /// The layout in which a value of this `version` stands. Kafka reads every version in the layout of its release,
    /// so a number beyond the newest one is no error.
    fn layout(self, version: i16) -> Layout {
        Layout::flexible(version.clamp(0, self.newest_version()))
    }
}

impl ControlRecord {
    /// `LeaderChange`, `KRaftVoters`, …; `Unknown` for the rest.
    pub const fn type_name(&self) -> &'static str {
        match self.kind() {
            Some(kind) => kind.type_name(),
            None => "Unknown",
        }
    }

    /// Appends the key: its version, the type.
    pub fn encode_key(&self, out: &mut Vec<u8>) {
        match self {
            ControlRecord::Unknown {
                key_version,
                type_id,
                rest_of_key,
                ..
            } => {
                out.extend_from_slice(&key_version.to_be_bytes());
                out.extend_from_slice(&type_id.to_be_bytes());
                out.extend_from_slice(rest_of_key);
            }
            known => {
                out.extend_from_slice(&KEY_VERSION.to_be_bytes());
                out.extend_from_slice(&known.type_id().to_be_bytes());
            }
        }
    }

    /// Reads one record. Positions in an error count from the first byte of the key, or of the value once the key is
    /// read.
    pub fn decode(key: &[u8], value: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(key);
        let key_version = i16::from_be_bytes(reader.array(&KEY_VERSION_FIELD)?);
        if key_version < 0 {
            return Err(DecodeError::InvalidValue {
                position: 0,
                what: KEY_VERSION_FIELD.to_string(),
                expected: "0 or more",
                found: key_version.to_string(),
            });
        }
        let type_id = i16::from_be_bytes(reader.array(&Path::Root("type of a control record"))?);
        let rest = reader.take(
            &Path::Root("key of a control record"),
            reader.remaining() as u64,
        )?;
        let known = key_version == KEY_VERSION && rest.is_empty();
        let Some(kind) = ControlKind::from_type_id(type_id).filter(|_| known) else {
            return Ok(ControlRecord::Unknown {
                key_version,
                type_id,
                rest_of_key: Bytes::copy_from_slice(rest),
                value: Bytes::copy_from_slice(value),
            });
        };
        let mut reader = Reader::new(value);
        let version = i16::from_be_bytes(Reader::new(value).array(&Path::Root("version"))?);
        let record = kind.read(kind.layout(version), &mut reader)?;
        reader.finish(&Path::Root(kind.type_name()))?;
        Ok(record)
    }
}
