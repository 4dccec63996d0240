//! [`MetadataRecord`]: any record of the metadata log; [`RecordKind`]: which one.

use crate::visit::Visitor;
use crate::wire::{Described, Layout, Path, Reader, StructSchema};
use crate::{DecodeError, EncodeError};

/// Lists the record types; generates the enum of records and the enum of kinds.
macro_rules! metadata_records {
    ($($variant:ident($record:ident) = $api_key:literal, $type_name:literal;)*) => {
        /// Which record: Kafka's `MetadataRecordType`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RecordKind {
            $(
                #[doc = concat!("[`", stringify!($record), "`](super::", stringify!($record), ")")]
                $variant = $api_key,
            )*
        }

        impl RecordKind {
            /// All kinds, by api key.
            pub const ALL: &'static [RecordKind] = &[$(RecordKind::$variant),*];

            /// The kind with this api key.
            pub fn from_api_key(api_key: u32) -> Option<Self> {
                match api_key {
                    $($api_key => Some(RecordKind::$variant),)*
                    _ => None,
                }
            }

            /// The number that stands in the frame.
            pub const fn api_key(self) -> u32 {
                self as u32
            }

            /// `FeatureLevelRecord`
            pub const fn name(self) -> &'static str {
                match self {
                    $(RecordKind::$variant => stringify!($record),)*
                }
            }

            /// `FEATURE_LEVEL_RECORD`
            pub const fn type_name(self) -> &'static str {
                match self {
                    $(RecordKind::$variant => $type_name,)*
                }
            }

            /// The fields of the record.
            pub const fn schema(self) -> &'static StructSchema {
                match self {
                    $(RecordKind::$variant => <super::$record as Described>::SCHEMA,)*
                }
            }

            /// The record with every field at its default.
            pub fn default_record(self) -> MetadataRecord {
                match self {
                    $(RecordKind::$variant => MetadataRecord::$variant(super::$record::default()),)*
                }
            }

            pub(super) fn read(
                self,
                version: i16,
                reader: &mut Reader<'_>,
            ) -> Result<MetadataRecord, DecodeError> {
                match self {
                    $(RecordKind::$variant => {
                        <super::$record as Described>::read_fields(
                            &Path::Root(self.name()),
                            Layout::flexible(version),
                            reader,
                        ).map(MetadataRecord::$variant)
                    })*
                }
            }
        }

        /// A record of the metadata log.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum MetadataRecord {
            $(
                #[doc = concat!("[`", stringify!($record), "`](super::", stringify!($record), ")")]
                $variant(super::$record),
            )*
        }

        impl MetadataRecord {
            /// Which record it is.
            pub const fn kind(&self) -> RecordKind {
                match self {
                    $(MetadataRecord::$variant(_) => RecordKind::$variant,)*
                }
            }

            /// Shows its fields as they stand in `version`.
            pub fn accept(&self, version: i16, visitor: &mut dyn Visitor) {
                match self {
                    $(MetadataRecord::$variant(record) => record.visit_fields(Layout::flexible(version), visitor),)*
                }
            }

            pub(super) fn write(&self, version: i16, out: &mut Vec<u8>) -> Result<(), EncodeError> {
                match self {
                    $(MetadataRecord::$variant(record) => record.write_fields(Layout::flexible(version), out),)*
                }
            }
        }

        $(
            impl From<super::$record> for MetadataRecord {
                fn from(record: super::$record) -> Self {
                    MetadataRecord::$variant(record)
                }
            }
        )*
    };
}

metadata_records! {
    RegisterBroker(RegisterBrokerRecord) = 0, "REGISTER_BROKER_RECORD";
    UnregisterBroker(UnregisterBrokerRecord) = 1, "UNREGISTER_BROKER_RECORD";
    Topic(TopicRecord) = 2, "TOPIC_RECORD";
    Partition(PartitionRecord) = 3, "PARTITION_RECORD";
    Config(ConfigRecord) = 4, "CONFIG_RECORD";
    PartitionChange(PartitionChangeRecord) = 5, "PARTITION_CHANGE_RECORD";
    FenceBroker(FenceBrokerRecord) = 7, "FENCE_BROKER_RECORD";
    UnfenceBroker(UnfenceBrokerRecord) = 8, "UNFENCE_BROKER_RECORD";
    RemoveTopic(RemoveTopicRecord) = 9, "REMOVE_TOPIC_RECORD";
    DelegationToken(DelegationTokenRecord) = 10, "DELEGATION_TOKEN_RECORD";
    UserScramCredential(UserScramCredentialRecord) = 11, "USER_SCRAM_CREDENTIAL_RECORD";
    FeatureLevel(FeatureLevelRecord) = 12, "FEATURE_LEVEL_RECORD";
    ClientQuota(ClientQuotaRecord) = 14, "CLIENT_QUOTA_RECORD";
    ProducerIds(ProducerIdsRecord) = 15, "PRODUCER_IDS_RECORD";
    BrokerRegistrationChange(BrokerRegistrationChangeRecord) = 17, "BROKER_REGISTRATION_CHANGE_RECORD";
    AccessControlEntry(AccessControlEntryRecord) = 18, "ACCESS_CONTROL_ENTRY_RECORD";
    RemoveAccessControlEntry(RemoveAccessControlEntryRecord) = 19, "REMOVE_ACCESS_CONTROL_ENTRY_RECORD";
    NoOp(NoOpRecord) = 20, "NO_OP_RECORD";
    ZkMigrationState(ZkMigrationStateRecord) = 21, "ZK_MIGRATION_STATE_RECORD";
    RemoveUserScramCredential(RemoveUserScramCredentialRecord) = 22, "REMOVE_USER_SCRAM_CREDENTIAL_RECORD";
    BeginTransaction(BeginTransactionRecord) = 23, "BEGIN_TRANSACTION_RECORD";
    EndTransaction(EndTransactionRecord) = 24, "END_TRANSACTION_RECORD";
    AbortTransaction(AbortTransactionRecord) = 25, "ABORT_TRANSACTION_RECORD";
    RemoveDelegationToken(RemoveDelegationTokenRecord) = 26, "REMOVE_DELEGATION_TOKEN_RECORD";
    RegisterController(RegisterControllerRecord) = 27, "REGISTER_CONTROLLER_RECORD";
    ClearElr(ClearElrRecord) = 28, "CLEAR_ELR_RECORD";
    UnregisterController(UnregisterControllerRecord) = 29, "UNREGISTER_CONTROLLER_RECORD";
}

impl MetadataRecord {
    /// The number that stands in the frame.
    pub const fn api_key(&self) -> u32 {
        self.kind().api_key()
    }

    /// `FeatureLevelRecord`
    pub const fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// `FEATURE_LEVEL_RECORD`
    pub const fn type_name(&self) -> &'static str {
        self.kind().type_name()
    }
}
