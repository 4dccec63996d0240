/// The real file system.
#[derive(Debug, Default)]
pub struct StdDisk {}
