use crate::message::Inbound;

/// Where the raft thread takes its messages from (`4.4:raft/…/RaftMessageQueue.java`).
pub trait MessageQueue {
    /// The next message, if one waits. Kafka's thread would wait for one up to `timeout_ms`.
    fn poll(&mut self, timeout_ms: i64) -> Option<Inbound>;
}

/// At most one message waits.
impl MessageQueue for Option<Inbound> {
    fn poll(&mut self, _timeout_ms: i64) -> Option<Inbound> {
        self.take()
    }
}
