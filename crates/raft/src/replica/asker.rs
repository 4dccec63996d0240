use crate::ListenerName;

/// Where an answer goes and how it is to be worded: the request without its content.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    pub(super) token: u64,
    pub(super) listener_name: ListenerName,
    pub(super) api_version: i16,
}
