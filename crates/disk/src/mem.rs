/// A disk in memory: what is written is durable, nothing fails.
#[derive(Clone, Debug, Default)]
pub struct MemDisk {}
