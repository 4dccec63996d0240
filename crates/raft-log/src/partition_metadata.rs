//! `partition.metadata`: the topic id of a partition's directory.

use bytes::Bytes;
use records::Uuid;

use crate::Corrupt;
use crate::text::{TextLine, lines, number, quoted};

/// Name of the file in the partition's directory.
pub const FILE_NAME: &str = "partition.metadata";

/// What `partition.metadata` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionMetadata {
    /// Format version, 0; higher ones are read all the same.
    pub version: i32,
    /// Topic id, [`Uuid::METADATA_TOPIC_ID`] for the metadata log.
    pub topic_id: Uuid,
}

impl PartitionMetadata {
    /// The file of the metadata log.
    pub const METADATA_LOG: PartitionMetadata = PartitionMetadata {
        version: 0,
        topic_id: Uuid::METADATA_TOPIC_ID,
    };

    /// Reads the file as 4.4:storage/…/PartitionMetadataReadBuffer.java does: two lines, of which only what follows the
    /// colon counts.
    pub fn parse(file: &str, bytes: &Bytes) -> Result<PartitionMetadata, Corrupt> {
        let lines = lines(file, bytes)?;
        let (position, text) = value(file, bytes, lines.first(), "`version: ` and a number")?;
        let version: i32 = number(file, position, "the version", text)?;
        if version < 0 {
            return Err(Corrupt::invalid(
                file,
                position as u64,
                "version 0 or higher",
                text,
            ));
        }
        let (position, text) = value(file, bytes, lines.get(1), "`topic_id: ` and a topic id")?;
        let topic_id: Uuid = text.parse().map_err(|_| {
            Corrupt::invalid(file, position as u64, "a base64 topic id", quoted(text))
        })?;
        if topic_id == Uuid::ZERO {
            return Err(Corrupt::invalid(
                file,
                position as u64,
                "a topic id",
                "the zero id",
            ));
        }
        Ok(PartitionMetadata { version, topic_id })
    }

    /// The file's content.
    pub fn to_bytes(&self) -> Bytes {
        Bytes::from(format!(
            "version: {}\ntopic_id: {}",
            self.version, self.topic_id
        ))
    }
}

/// What follows the colon and at least one space, and where.
fn value<'a>(
    file: &str,
    bytes: &Bytes,
    line: Option<&TextLine<'a>>,
    expected: &str,
) -> Result<(usize, &'a str), Corrupt> {
    let Some(line) = line else {
        return Err(Corrupt::torn(
            file,
            bytes.len() as u64,
            expected,
            "the end of the file",
        ));
    };
    let malformed = || Corrupt::invalid(file, line.position as u64, expected, quoted(line.text));
    let (_, rest) = line.text.split_once(':').ok_or_else(malformed)?;
    let text = rest.trim_start_matches([' ', '\t']);
    if text.is_empty() || text.len() == rest.len() {
        return Err(malformed());
    }
    Ok((line.position + line.text.len() - text.len(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PartitionMetadata, Corrupt> {
        PartitionMetadata::parse(
            "partition.metadata",
            &Bytes::copy_from_slice(text.as_bytes()),
        )
    }

    #[test]
    fn the_metadata_logs_file() {
        let text = "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ";
        assert_eq!(parse(text), Ok(PartitionMetadata::METADATA_LOG));
        assert_eq!(PartitionMetadata::METADATA_LOG.to_bytes(), text);
    }

    #[test]
    fn damage_is_named_and_placed() {
        for (text, position) in [
            ("", 0),
            ("version: 0", 10),
            ("version: x\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ", 9),
            ("version: -1\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ", 9),
            ("version 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ", 0),
            ("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA", 21),
            ("version: 0\ntopic_id: short", 21),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.position, position, "{text:?}: {error}");
        }
    }
}
