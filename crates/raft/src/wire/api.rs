use std::fmt;

use records::wire::Layout;

use crate::message::ApiKey;

/// An API that passes over the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Api {
    Raft(ApiKey),
    /// `CONTROLLER_REGISTRATION`, of which raft knows nothing but the bytes.
    ControllerRegistration,
}

/// Whether it asks or answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Request,
    Response,
}

/// Which message: API and side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    pub api: Api,
    pub side: Side,
}

impl From<ApiKey> for Api {
    fn from(api: ApiKey) -> Self {
        Api::Raft(api)
    }
}

impl Api {
    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Api> {
        let mut all: Vec<Api> = ApiKey::ALL.into_iter().map(Api::Raft).collect();
        all.push(Api::ControllerRegistration);
        all.sort_by_key(|api| api.code());
        all.into_iter()
    }

    /// The number that stands for the API on the wire.
    pub fn code(self) -> i16 {
        match self {
            Api::Raft(api) => api.code(),
            Api::ControllerRegistration => 70,
        }
    }

    /// The API with a number.
    pub fn of_code(code: i16) -> Option<Api> {
        Api::all().find(|api| api.code() == code)
    }

    /// Kafka's name as its message definitions have it: `FetchSnapshot`.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// The request of this API.
    pub fn request(self) -> Kind {
        Kind {
            api: self,
            side: Side::Request,
        }
    }

    /// The response of this API.
    pub fn response(self) -> Kind {
        Kind {
            api: self,
            side: Side::Response,
        }
    }

    /// First version with varint lengths and tagged fields.
    pub(super) fn first_flexible_version(self) -> i16 {
        match self {
            Api::Raft(ApiKey::Fetch) => 12,
            Api::Raft(ApiKey::ApiVersions) => 3,
            Api::Raft(ApiKey::BeginQuorumEpoch | ApiKey::EndQuorumEpoch) => 1,
            Api::Raft(_) | Api::ControllerRegistration => 0,
        }
    }

    /// The form of a version's bytes.
    pub(super) fn layout(self, version: i16) -> Layout {
        Layout::of(version, self.first_flexible_version())
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Kind {
    /// Kafka's name of the message: `VoteRequest`.
    pub fn name(self) -> &'static str {
        let [_, request, response] = self.api.names();
        match self.side {
            Side::Request => request,
            Side::Response => response,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! names {
    ($($api:pat => $name:literal,)*) => {
        impl Api {
            /// Of the API, its request and its response.
            fn names(self) -> [&'static str; 3] {
                match self {
                    $($api => [$name, concat!($name, "Request"), concat!($name, "Response")],)*
                }
            }
        }
    };
}

names! {
    Api::Raft(ApiKey::Fetch) => "Fetch",
    Api::Raft(ApiKey::ApiVersions) => "ApiVersions",
    Api::Raft(ApiKey::Vote) => "Vote",
    Api::Raft(ApiKey::BeginQuorumEpoch) => "BeginQuorumEpoch",
    Api::Raft(ApiKey::EndQuorumEpoch) => "EndQuorumEpoch",
    Api::Raft(ApiKey::DescribeQuorum) => "DescribeQuorum",
    Api::Raft(ApiKey::FetchSnapshot) => "FetchSnapshot",
    Api::Raft(ApiKey::AddRaftVoter) => "AddRaftVoter",
    Api::Raft(ApiKey::RemoveRaftVoter) => "RemoveRaftVoter",
    Api::Raft(ApiKey::UpdateRaftVoter) => "UpdateRaftVoter",
    Api::ControllerRegistration => "ControllerRegistration",
}
