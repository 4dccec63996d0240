//! `quorum-state`: epoch, leader and vote of a replica, as it last made them durable.

use std::collections::BTreeMap;
use std::str::FromStr;

use bytes::Bytes;
use disk::Disk;
use records::{NodeId, ReplicaKey, Uuid};
use serde::Deserialize as _;
use serde_json::value::RawValue;

use crate::Corrupt;
use crate::file::{Leftover, ReadError, read_if_exists, remove_if_exists, replace};
use crate::text::{lines, quoted};

/// Name of the file in the partition's directory.
pub const FILE_NAME: &str = "quorum-state";

/// What `quorum-state` says.
///
/// Version 0 is written while kraft.version is 0, version 1 from kraft.version 1 on; either is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumStateFile {
    /// Leader of the epoch; `None` (−1 in the file) if unknown.
    pub leader_id: Option<NodeId>,
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
        /// The JSON text between the quotes; Kafka writes an empty one and reads none.
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
        let fields = Fields::parse(file, line.text, line.text)?;
        let (leader_id, voted_id) = (fields.number("leaderId")?, fields.number("votedId")?);
        let version = match fields.data_version()? {
            0 => QuorumStateVersion::V0 {
                cluster_id: fields.string_text("clusterId")?.to_owned(),
                applied_offset: fields.number("appliedOffset")?,
                current_voters: fields.voters()?,
            },
            1 => QuorumStateVersion::V1 {
                voted_directory_id: fields.uuid("votedDirectoryId")?,
            },
            _ => {
                let found = fields.field("data_version")?;
                return Err(fields.wrong(found, "data_version 0 or 1".to_owned()));
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
                let entry = |node: &NodeId| format!("{{\"voterId\":{}}}", node.0);
                let voters: Vec<String> = current_voters.iter().map(entry).collect();
                let voters = voters.join(",");
                format!(
                    "{{\"clusterId\":\"{cluster_id}\",{common},\"appliedOffset\":{applied_offset},\
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
        replace(disk, path, &self.to_bytes(), Leftover::Removed)
    }
}

/// The fields of a JSON object, each with the text of its value: the last of equal names counts, as Jackson keeps them.
/// Nothing is built of values that nobody asks for, so that their nesting costs nothing.
struct Fields<'a> {
    file: &'a str,
    /// The line that the object stands in; positions are counted in it.
    line: &'a str,
    /// Where the object begins.
    position: usize,
    values: BTreeMap<String, &'a RawValue>,
}

impl<'a> Fields<'a> {
    /// Reads the object that `text`, a part of `line`, begins with; what follows it is not looked at, as Jackson's
    /// `readTree` does not.
    fn parse(file: &'a str, line: &'a str, text: &'a str) -> Result<Fields<'a>, Corrupt> {
        let position = position_in(line, text);
        let mut json = serde_json::Deserializer::from_str(text);
        match BTreeMap::<String, &RawValue>::deserialize(&mut json) {
            Ok(values) => {
                for value in values.values() {
                    within_limits(file, line, value.get())?;
                }
                Ok(Fields {
                    file,
                    line,
                    position,
                    values,
                })
            }
            Err(error) => {
                // serde_json counts columns from 1, in bytes; column 0 stands for the start.
                let at = (position + error.column().saturating_sub(1)) as u64;
                Err(if error.is_eof() {
                    let end = (position + text.len()) as u64;
                    Corrupt::torn(
                        file,
                        end,
                        "the rest of a JSON object",
                        "the end of the text",
                    )
                } else {
                    Corrupt::invalid(file, at, "a JSON object", error.to_string())
                })
            }
        }
    }

    fn field(&self, name: &str) -> Result<&'a str, Corrupt> {
        let value = self.values.get(name).map(|value| value.get());
        value.ok_or_else(|| {
            let expected = format!("an object with field {name}");
            Corrupt::invalid(
                self.file,
                self.position as u64,
                expected,
                "none of that name",
            )
        })
    }

    fn wrong(&self, value: &str, expected: String) -> Corrupt {
        let at = position_in(self.line, value) as u64;
        Corrupt::invalid(self.file, at, expected, quoted(value))
    }

    /// An integer: a string of digits is none, nor is a number with a fraction or an exponent
    /// (4.4:clients/…/protocol/MessageUtil.java, `jsonNodeToInt`).
    fn number<N: FromStr>(&self, name: &str) -> Result<N, Corrupt> {
        let value = self.field(name)?;
        let parsed = value.parse();
        parsed.map_err(|_| self.wrong(value, format!("{name} as an integer")))
    }

    /// The lowest 16 bits of the number that Jackson's `shortValue` gives; 0 for what is no number.
    fn data_version(&self) -> Result<i16, Corrupt> {
        let value = self.field("data_version")?;
        let (sign, digits) = match value.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, value),
        };
        if digits.bytes().all(|digit| digit.is_ascii_digit()) {
            let low_bits = digits.bytes().fold(0_i16, |low, digit| {
                low.wrapping_mul(10).wrapping_add(i16::from(digit - b'0'))
            });
            return Ok(low_bits.wrapping_mul(sign));
        }
        let number = value.parse::<f64>().unwrap_or(0.0);
        Ok(number as i32 as i16)
    }

    /// What stands between the quotes of a string, escapes included.
    fn string_text(&self, name: &str) -> Result<&'a str, Corrupt> {
        let value = self.field(name)?;
        let text = value
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        text.ok_or_else(|| self.wrong(value, format!("{name} as a string")))
    }

    fn uuid(&self, name: &str) -> Result<Uuid, Corrupt> {
        let value = self.field(name)?;
        let text: Option<String> = serde_json::from_str(value).ok();
        let id = text.and_then(|text| text.parse().ok());
        id.ok_or_else(|| self.wrong(value, format!("{name} as a string: a base64 uuid")))
    }

    fn voters(&self) -> Result<Vec<NodeId>, Corrupt> {
        let value = self.field("currentVoters")?;
        let items: Vec<&RawValue> = serde_json::from_str(value)
            .map_err(|_| self.wrong(value, "an array of voters".to_owned()))?;
        let voters = items.into_iter().map(|item| {
            let voter = Fields::parse(self.file, self.line, item.get())?;
            voter.number("voterId").map(NodeId)
        });
        voters.collect()
    }
}

/// Refuses a field's value beyond Jackson's limits: 1000 levels (the object around it is one), 1000 characters of a
/// number (`StreamReadConstraints`).
fn within_limits(file: &str, line: &str, value: &str) -> Result<(), Corrupt> {
    const LIMIT: usize = 1000;
    let (mut depth, mut digits, mut in_string, mut escaped) = (1, 0, false, false);
    for (at, byte) in value.bytes().enumerate() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = byte == b'\\' && !escaped;
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        if depth > LIMIT || digits > LIMIT {
            let at = (position_in(line, value) + at) as u64;
            let expected = "at most 1000 levels, and 1000 digits of a number";
            return Err(Corrupt::invalid(file, at, expected, "more"));
        }
    }
    Ok(())
}

/// Where `part`, a slice of `line`, begins in it.
fn position_in(line: &str, part: &str) -> usize {
    part.as_ptr() as usize - line.as_ptr() as usize
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
