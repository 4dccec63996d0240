//! Access control, SCRAM credentials, delegation tokens.

use bytes::Bytes;

use crate::Uuid;
use crate::wire::message;

message! {
    /// An access control entry exists.
    pub struct AccessControlEntryRecord {
        id: Uuid = "id", since 0;
        /// Kind of resource.
        resource_type: i8 = "resourceType", since 0;
        /// Name or pattern.
        resource_name: String = "resourceName", since 0;
        /// How the name matches: 3 literal, 4 prefixed.
        pattern_type: i8 = "patternType", since 0;
        /// Whom it is about.
        principal: String = "principal", since 0;
        /// From which host.
        host: String = "host", since 0;
        operation: i8 = "operation", since 0;
        /// 2 deny, 3 allow.
        permission_type: i8 = "permissionType", since 0;
    }

    /// An access control entry is gone.
    pub struct RemoveAccessControlEntryRecord {
        id: Uuid = "id", since 0;
    }

    /// A user may log in with SCRAM.
    pub struct UserScramCredentialRecord {
        name: String = "name", since 0;
        /// 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
        mechanism: i8 = "mechanism", since 0;
        salt: Bytes = secret "salt", since 0;
        stored_key: Bytes = secret "storedKey", since 0;
        server_key: Bytes = secret "serverKey", since 0;
        iterations: i32 = "iterations", since 0;
    }

    /// A user's SCRAM credential is gone.
    pub struct RemoveUserScramCredentialRecord {
        name: String = "name", since 0;
        /// 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
        mechanism: i8 = "mechanism", since 0;
    }

    /// A delegation token exists. Its hmac is never in the log: every node derives it from its own secret key.
    pub struct DelegationTokenRecord {
        owner: String = "owner", since 0;
        /// Who asked for it.
        requester: String = "requester", since 0;
        /// Who may renew it.
        renewers: Vec<String> = "renewers", since 0;
        /// Issued at, in ms.
        issue_timestamp: i64 = "issueTimestamp", since 0;
        /// May be renewed until, in ms.
        max_timestamp: i64 = "maxTimestamp", since 0;
        /// Valid until, in ms.
        expiration_timestamp: i64 = "expirationTimestamp", since 0;
        token_id: String = "tokenId", since 0;
    }

    /// A delegation token is gone.
    pub struct RemoveDelegationTokenRecord {
        token_id: String = "tokenId", since 0;
    }
}
