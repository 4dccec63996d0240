use super::NodeSelector;

/// A file on a node's disk: `1:bootstrap.checkpoint`, relative to the node's metadata log directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRef {
    pub node: NodeSelector,
    /// Path below the metadata log directory, with `/`.
    pub path: String,
}
