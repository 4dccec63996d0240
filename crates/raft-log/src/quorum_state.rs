//! `quorum-state`: epoch, leader and vote of a replica, as it last made them durable.

use bytes::Bytes;
use disk::Disk;
use records::{NodeId, ReplicaKey, Uuid};

use crate::file::{ReadError, read_if_exists, remove_if_exists, replace};
use crate::json::{Node, Value, parse, quote};
use crate::text::lines;
use crate::{Corrupt, Damage};

/// Name of the file in the partition's directory.
pub const FILE_NAME: &str = "quorum-state";

/// What `quorum-state` says.
///
/// Version 0 is written while kraft.version is 0, version 1 from kraft.version 1 on; either is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumStateFile {
    /// Leader of the epoch; `None` (−1 in the file) if unknown.
    pub leader_id: Option<NodeId>,
    /// The epoch.
    pub leader_epoch: i32,
    /// Whom this replica voted for in the epoch; `None` is −1 in the file.
    pub voted_id: Option<NodeId>,
    /// What else the version holds.
    pub version: QuorumStateVersion,
}

/// The fields that only one version of the file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuorumStateVersion {
    /// `data_version` 0.
    V0 {
        /// Always empty.
        cluster_id: String,
        /// Always 0.
        applied_offset: i64,
        /// The voters when it was written; no decision rests on them.
        current_voters: Vec<NodeId>,
    },
    /// `data_version` 1.
    V1 {
        /// Directory id of the replica voted for; zero if none.
        voted_directory_id: Uuid,
    },
}

impl QuorumStateFile {
    /// A file of version 0.
    pub fn v0(
        leader_epoch: i32,
        leader_id: Option<NodeId>,
        voted_id: Option<NodeId>,
        current_voters: Vec<NodeId>,
    ) -> QuorumStateFile {
        let (cluster_id, applied_offset) = (String::new(), 0);
        let version = QuorumStateVersion::V0 {
            cluster_id,
            applied_offset,
            current_voters,
        };
        QuorumStateFile {
            leader_id,
            leader_epoch,
            voted_id,
            version,
        }
    }

    /// A file of version 1.
    pub fn v1(
        leader_epoch: i32,
        leader_id: Option<NodeId>,
        voted: Option<ReplicaKey>,
    ) -> QuorumStateFile {
        let voted_directory_id = voted.and_then(|key| key.directory_id).unwrap_or(Uuid::ZERO);
        let version = QuorumStateVersion::V1 { voted_directory_id };
        QuorumStateFile {
            leader_id,
            leader_epoch,
            voted_id: voted.map(|key| key.id),
            version,
        }
    }

    /// Whom this replica voted for, with the directory id where the file has one.
    pub fn voted_key(&self) -> Option<ReplicaKey> {
        let directory_id = match self.version {
            QuorumStateVersion::V0 { .. } => None,
            QuorumStateVersion::V1 { voted_directory_id } => {
                Some(voted_directory_id).filter(|id| *id != Uuid::ZERO)
            }
        };
        self.voted_id.map(|id| ReplicaKey { id, directory_id })
    }

    /// The number under `data_version`.
    pub fn data_version(&self) -> i16 {
        match self.version {
            QuorumStateVersion::V0 { .. } => 0,
            QuorumStateVersion::V1 { .. } => 1,
        }
    }

    /// Reads the file's first line, the only one that counts (4.4:raft/…/FileQuorumStateStore.java).
    pub fn parse(file: &str, bytes: &Bytes) -> Result<QuorumStateFile, Corrupt> {
        let Some(line) = lines(file, bytes)?.first().copied() else {
            return Err(Corrupt::torn(file, 0, "a line of JSON", "an empty file"));
        };
        let node = parse(file, line.text)?;
        let fields = Fields::of(file, &node)?;
        let (leader_id, voted_id) = (fields.number("leaderId")?, fields.number("votedId")?);
        let version = match fields.number::<i16>("data_version")? {
            0 => QuorumStateVersion::V0 {
                cluster_id: fields.string("clusterId")?,
                applied_offset: fields.number("appliedOffset")?,
                current_voters: fields.voters()?,
            },
            1 => QuorumStateVersion::V1 {
                voted_directory_id: fields.uuid("votedDirectoryId")?,
            },
            other => {
                return Err(fields.wrong("data_version", "data_version 0 or 1", other.to_string()));
            }
        };
        let leader_epoch = fields.number("leaderEpoch")?;
        let node = |id: i32| (id != -1).then_some(NodeId(id));
        Ok(QuorumStateFile {
            leader_id: node(leader_id),
            leader_epoch,
            voted_id: node(voted_id),
            version,
        })
    }

    /// The file's content: one line, no newline at its end.
    pub fn to_bytes(&self) -> Bytes {
        let id = |node: Option<NodeId>| node.map_or(-1, |node| node.0);
        let (leader, epoch, voted) = (id(self.leader_id), self.leader_epoch, id(self.voted_id));
        let common = format!("\"leaderId\":{leader},\"leaderEpoch\":{epoch},\"votedId\":{voted}");
        let text = match &self.version {
            QuorumStateVersion::V0 {
                cluster_id,
                applied_offset,
                current_voters,
            } => {
                let mut cluster = String::new();
                quote(cluster_id, &mut cluster);
                let entry = |node: &NodeId| format!("{{\"voterId\":{}}}", node.0);
                let voters: Vec<String> = current_voters.iter().map(entry).collect();
                let voters = voters.join(",");
                format!(
                    "{{\"clusterId\":{cluster},{common},\"appliedOffset\":{applied_offset},\
                     \"currentVoters\":[{voters}],\"data_version\":0}}"
                )
            }
            QuorumStateVersion::V1 { voted_directory_id } => format!(
                "{{{common},\"votedDirectoryId\":\"{voted_directory_id}\",\"data_version\":1}}"
            ),
        };
        Bytes::from(text)
    }

    /// Reads the file at `path`; `None` where there is none.
    pub fn read(disk: &mut dyn Disk, path: &str) -> Result<Option<QuorumStateFile>, ReadError> {
        match read_if_exists(disk, path)? {
            None => Ok(None),
            Some(bytes) => Ok(Some(QuorumStateFile::parse(path, &bytes)?)),
        }
    }

    /// Makes this state durable at `path`, in Kafka's order of operations.
    pub fn write(&self, disk: &mut dyn Disk, path: &str) -> Result<(), disk::DiskError> {
        remove_if_exists(disk, &format!("{path}.tmp"))?;
        replace(disk, path, &self.to_bytes())
    }
}

/// The fields of an object, the last of equal names, as Jackson keeps them.
struct Fields<'a> {
    file: &'a str,
    object: &'a Node,
    members: &'a [(String, Node)],
}

impl<'a> Fields<'a> {
    fn of(file: &'a str, object: &'a Node) -> Result<Fields<'a>, Corrupt> {
        match &object.value {
            Value::Object(members) => Ok(Fields {
                file,
                object,
                members,
            }),
            other => {
                let at = object.position as u64;
                Err(Corrupt::invalid(
                    file,
                    at,
                    "a JSON object",
                    other.describe(),
                ))
            }
        }
    }

    fn field(&self, name: &str) -> Result<&'a Node, Corrupt> {
        let found = self.members.iter().rev().find(|(field, _)| field == name);
        found.map(|(_, node)| node).ok_or_else(|| {
            let at = self.object.position as u64;
            let expected = format!("an object with field {name}");
            Corrupt::invalid(self.file, at, expected, "none of that name")
        })
    }

    fn wrong(&self, name: &str, expected: &str, found: String) -> Corrupt {
        let at = self
            .field(name)
            .map_or(self.object.position, |node| node.position);
        Corrupt {
            file: self.file.to_owned(),
            position: at as u64,
            expected: expected.to_owned(),
            found,
            damage: Damage::Invalid,
        }
    }

    fn number<N: std::str::FromStr>(&self, name: &str) -> Result<N, Corrupt> {
        let value = &self.field(name)?.value;
        let parsed = match value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        };
        parsed.ok_or_else(|| self.wrong(name, &format!("{name} as an integer"), value.describe()))
    }

    fn string(&self, name: &str) -> Result<String, Corrupt> {
        match &self.field(name)?.value {
            Value::String(text) => Ok(text.clone()),
            other => Err(self.wrong(name, &format!("{name} as a string"), other.describe())),
        }
    }

    fn uuid(&self, name: &str) -> Result<Uuid, Corrupt> {
        let text = self.string(name)?;
        text.parse().map_err(|_| {
            self.wrong(
                name,
                &format!("{name} as a base64 uuid"),
                crate::text::quoted(&text),
            )
        })
    }

    fn voters(&self) -> Result<Vec<NodeId>, Corrupt> {
        const NAME: &str = "currentVoters";
        match &self.field(NAME)?.value {
            Value::Null => Ok(Vec::new()),
            Value::Array(items) => items
                .iter()
                .map(|item| Fields::of(self.file, item)?.number("voterId").map(NodeId))
                .collect(),
            other => Err(self.wrong(NAME, "an array of voters", other.describe())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use disk::MemDisk;

    const V0: &str = "{\"clusterId\":\"\",\"leaderId\":1,\"leaderEpoch\":1,\"votedId\":-1,\
        \"appliedOffset\":0,\"currentVoters\":[{\"voterId\":1}],\"data_version\":0}";
    const V1: &str = "{\"leaderId\":1,\"leaderEpoch\":1,\"votedId\":-1,\
        \"votedDirectoryId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"data_version\":1}";

    fn parse(text: &str) -> Result<QuorumStateFile, Corrupt> {
        QuorumStateFile::parse("quorum-state", &Bytes::copy_from_slice(text.as_bytes()))
    }

    #[test]
    fn both_versions_are_read_and_rewritten() {
        assert_eq!((V0.len(), V1.len()), (125, 104));
        let (v0, v1) = (parse(V0).unwrap(), parse(V1).unwrap());
        assert_eq!(
            v0,
            QuorumStateFile::v0(1, Some(NodeId(1)), None, vec![NodeId(1)])
        );
        assert_eq!(v1, QuorumStateFile::v1(1, Some(NodeId(1)), None));
        assert_eq!(v0.to_bytes(), V0);
        assert_eq!(v1.to_bytes(), V1);
        let directory_id = Some(Uuid::METADATA_TOPIC_ID);
        let vote = ReplicaKey {
            id: NodeId(3),
            directory_id,
        };
        let voted = QuorumStateFile::v1(7, None, Some(vote));
        assert_eq!(
            parse(std::str::from_utf8(&voted.to_bytes()).unwrap()),
            Ok(voted.clone())
        );
        assert_eq!(voted.voted_key(), Some(vote));
    }

    #[test]
    fn only_the_first_line_counts() {
        assert_eq!(parse(&format!("{V1}\nrest")), parse(V1));
        assert_eq!(parse(&format!("  {V1} rest")), parse(V1));
        assert!(parse(&format!("\n{V1}")).is_err());
    }

    #[test]
    fn damage_is_named_and_placed() {
        for (text, position) in [
            (String::new(), 0),
            ("[]".to_owned(), 0),
            ("{}".to_owned(), 0),
            (V1.replace("\"data_version\":1", "\"data_version\":2"), 102),
            (V1.replace("\"leaderId\":1", "\"leaderId\":\"x\""), 12),
            (V1.replace("AAAAAAAAAAAAAAAAAAAAAA", "short"), 62),
            (V0.replace("[{\"voterId\":1}]", "[{}]"), 93),
            (V0[..60].to_owned(), 60),
        ] {
            let error = parse(&text).unwrap_err();
            assert_eq!(error.position, position, "{text}: {error}");
        }
    }

    #[test]
    fn a_leftover_of_an_interrupted_write_is_replaced() {
        let mut disk = MemDisk::new();
        assert_eq!(QuorumStateFile::read(&mut disk, "quorum-state"), Ok(None));
        disk.create("quorum-state.tmp").unwrap();
        let state = QuorumStateFile::v1(3, None, None);
        state.write(&mut disk, "quorum-state").unwrap();
        assert_eq!(
            QuorumStateFile::read(&mut disk, "quorum-state"),
            Ok(Some(state))
        );
        assert_eq!(disk.list("").unwrap().len(), 1);
    }
}
