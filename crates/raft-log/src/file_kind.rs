//! Which file of a controller's directories is which, by its name.

/// The kinds of files in a controller's directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    /// `<offset>.log`
    Segment,
    /// `<offset>-<epoch>.checkpoint`, and its `.part` and `.deleted` forms.
    Checkpoint,
    /// `bootstrap.checkpoint`
    Legacy,
    QuorumState,
    /// `leader-epoch-checkpoint`
    LeaderEpochs,
    PartitionMetadata,
    MetaProperties,
    /// Any other `.properties`: a server's configuration.
    Properties,
    /// `<offset>.snapshot`: the state of producers.
    Producers,
    /// `.index`, `.timeindex` and `.txnindex`, which a start makes anew.
    Index,
    Lock,
    /// A small text file of a broker: offset checkpoints and the mark of a clean stop.
    Text,
    /// A file that no controller writes.
    Unknown,
}

impl FileKind {
    /// The kind in words.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Segment => "log segment",
            FileKind::Checkpoint => "checkpoint",
            FileKind::Legacy => "legacy bootstrap file",
            FileKind::QuorumState => "quorum-state",
            FileKind::LeaderEpochs => "leader epochs",
            FileKind::PartitionMetadata => "partition metadata",
            FileKind::MetaProperties => "meta.properties",
            FileKind::Properties => "properties",
            FileKind::Producers => "producer state",
            FileKind::Index => "index",
            FileKind::Lock => "lock",
            FileKind::Text => "text",
            FileKind::Unknown => "not a file of a controller",
        }
    }

    /// The kind that a file's name says it is.
    pub fn of_name(name: &str) -> FileKind {
        match name {
            "bootstrap.checkpoint" => return FileKind::Legacy,
            "quorum-state" => return FileKind::QuorumState,
            "leader-epoch-checkpoint" => return FileKind::LeaderEpochs,
            "partition.metadata" => return FileKind::PartitionMetadata,
            "meta.properties" => return FileKind::MetaProperties,
            ".lock" => return FileKind::Lock,
            ".kafka_cleanshutdown"
            | "recovery-point-offset-checkpoint"
            | "log-start-offset-checkpoint"
            | "replication-offset-checkpoint"
            | "cleaner-offset-checkpoint" => return FileKind::Text,
            _ => {}
        }
        // What waits to be removed, or to be renamed, is what it was, or will be.
        let stem = name
            .strip_suffix(".deleted")
            .or_else(|| name.strip_suffix(".part"))
            .or_else(|| name.strip_suffix(".tmp"))
            .or_else(|| name.strip_suffix(".swap"))
            .or_else(|| name.strip_suffix(".cleaned"))
            .unwrap_or(name);
        if stem != name && !matches!(FileKind::of_name(stem), FileKind::Unknown) {
            return FileKind::of_name(stem);
        }
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("log") => FileKind::Segment,
            Some("checkpoint") => FileKind::Checkpoint,
            Some("snapshot") => FileKind::Producers,
            Some("index" | "timeindex" | "txnindex") => FileKind::Index,
            Some("properties") => FileKind::Properties,
            _ => FileKind::Unknown,
        }
    }

    /// The kind of a single file whose name says nothing, by what it begins with.
    pub fn of_content(content: &[u8]) -> FileKind {
        let is_batch = content.get(16) == Some(&2) && content.len() >= 61;
        if is_batch {
            let control = content[22] & 0x20 != 0 && content[..8] == [0; 8];
            return if control {
                FileKind::Checkpoint
            } else {
                FileKind::Segment
            };
        }
        let Ok(text) = std::str::from_utf8(content) else {
            return FileKind::Unknown;
        };
        if text.starts_with('{') && text.contains("\"leaderEpoch\"") {
            FileKind::QuorumState
        } else if text.starts_with("version:") {
            FileKind::PartitionMetadata
        } else if text.lines().any(|line| line.starts_with("cluster.id=")) {
            FileKind::MetaProperties
        } else if text.lines().any(|line| line.starts_with("node.id=")) {
            FileKind::Properties
        } else {
            FileKind::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_file_is() {
        for (name, kind) in [
            ("00000000000000000000.log", FileKind::Segment),
            ("00000000000000000000.log.deleted", FileKind::Segment),
            (
                "00000000000000000000-0000000000.checkpoint",
                FileKind::Checkpoint,
            ),
            (
                "00000000000000000000-0000000000-77.checkpoint.part",
                FileKind::Checkpoint,
            ),
            ("bootstrap.checkpoint", FileKind::Legacy),
            ("bootstrap.checkpoint.tmp", FileKind::Legacy),
            ("quorum-state.tmp", FileKind::QuorumState),
            ("leader-epoch-checkpoint", FileKind::LeaderEpochs),
            ("server.properties", FileKind::Properties),
            ("meta.properties", FileKind::MetaProperties),
            ("README.md", FileKind::Unknown),
            ("x.deleted", FileKind::Unknown),
        ] {
            assert_eq!(FileKind::of_name(name), kind, "{name}");
        }
    }

    #[test]
    fn content_says_what_a_name_does_not() {
        assert_eq!(
            FileKind::of_content(b"{\"leaderEpoch\":1}"),
            FileKind::QuorumState
        );
        assert_eq!(FileKind::of_content(b"node.id=1\n"), FileKind::Properties);
        assert_eq!(FileKind::of_content(b"\x7fELF\xff"), FileKind::Unknown);
        assert_eq!(FileKind::of_content(b""), FileKind::Unknown);
    }
}
