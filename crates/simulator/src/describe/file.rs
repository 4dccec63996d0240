use bytes::Bytes;
use raft_log::batch::{Batch, read_batches};

use super::batch::batch_lines;
use super::visible::visible;

/// How many records of a file are named one by one.
const NAMED_RECORDS: usize = 8;

/// What a file of a controller's directory holds, in a line; `name` is its path or its last part.
pub fn file(name: &str, content: &Bytes) -> String {
    visible(&words(name, content)).into_owned()
}

fn words(name: &str, content: &Bytes) -> String {
    let last = name.rsplit('/').next().unwrap_or(name);
    if content.is_empty() {
        return "empty".to_owned();
    }
    match last.rsplit_once('.') {
        Some((_, "checkpoint")) => return checkpoint(last, content),
        Some((_, "log")) => return segment(last, content),
        _ => {}
    }
    match last {
        "leader-epoch-checkpoint" => epochs(content),
        "quorum-state" | "meta.properties" | "partition.metadata" => text(content),
        _ => format!("{} bytes", content.len()),
    }
}

/// The batches that can be read, and what stands in the way of the rest.
fn batches(name: &str, content: &Bytes) -> (Vec<Batch>, Option<String>) {
    let mut good = Vec::new();
    for found in read_batches(name, content, 0) {
        match found {
            Ok(batch) => good.push(batch),
            Err(error) => return (good, Some(error.to_string())),
        }
    }
    (good, None)
}

/// Control records without the snapshot's frame, then metadata records.
fn checkpoint(name: &str, content: &Bytes) -> String {
    let (batches, damage) = batches(name, content);
    let words = |control: bool| -> Vec<String> {
        let of_kind = batches.iter().filter(|batch| batch.is_control() == control);
        of_kind
            .flat_map(batch_lines)
            .map(|line| line.text)
            .collect()
    };
    let mut parts: Vec<String> = words(true)
        .into_iter()
        .filter(|text| !text.starts_with("snapshot "))
        .collect();
    let data = words(false);
    parts.extend(data.iter().take(NAMED_RECORDS).cloned());
    if data.len() > NAMED_RECORDS {
        parts.push(format!(
            "and {} more metadata records",
            data.len() - NAMED_RECORDS
        ));
    }
    if data.is_empty() {
        parts.push("no metadata records".to_owned());
    }
    with_damage(&parts.join(", "), damage)
}

fn segment(name: &str, content: &Bytes) -> String {
    let (batches, damage) = batches(name, content);
    let summary = match (batches.first(), batches.last()) {
        (Some(first), Some(last)) => format!(
            "{}, offsets {} to {}, last epoch {}",
            counted(batches.len(), "batch", "batches"),
            first.base_offset(),
            last.last_offset(),
            last.leader_epoch()
        ),
        _ => "no batch".to_owned(),
    };
    with_damage(&summary, damage)
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn with_damage(summary: &str, damage: Option<String>) -> String {
    match damage {
        Some(damage) => format!("{summary}; damaged: {damage}"),
        None => summary.to_owned(),
    }
}

/// Below a version and a count, each line is an epoch and its first offset.
fn epochs(content: &Bytes) -> String {
    let said = std::str::from_utf8(content).unwrap_or_default();
    let pairs = said.lines().skip(2).map(|line| line.split_once(' '));
    let pairs: Option<Vec<String>> = pairs
        .map(|pair| pair.map(|(epoch, offset)| format!("epoch {epoch} from offset {offset}")))
        .collect();
    pairs
        .filter(|pairs| !pairs.is_empty())
        .map_or_else(|| text(content), |pairs| pairs.join(", "))
}

/// The lines of a small text file without comments, joined.
fn text(content: &Bytes) -> String {
    match std::str::from_utf8(content) {
        Ok(text) => {
            let lines = text
                .lines()
                .filter(|line| !line.starts_with('#') && !line.is_empty());
            lines.collect::<Vec<_>>().join(", ")
        }
        Err(error) => format!(
            "{} bytes; damaged: byte {} is not text",
            content.len(),
            error.valid_up_to()
        ),
    }
}

#[cfg(test)]
mod tests {
    use raft_log::batch::BatchBuilder;
    use records::metadata::{FeatureLevelRecord, VersionedRecord};

    use super::*;

    fn level(feature_level: i16) -> Vec<u8> {
        let name = "metadata.version".to_owned();
        let record = FeatureLevelRecord {
            name,
            feature_level,
            ..Default::default()
        };
        let mut value = Vec::new();
        VersionedRecord::new(0, record).encode(&mut value).unwrap();
        value
    }

    #[test]
    fn a_checkpoint_by_its_records_and_a_damaged_one_by_its_damage() {
        let mut builder = BatchBuilder::data(0, 0, 0);
        builder.append_value(&level(21));
        let whole = builder.finish().bytes().clone();
        assert_eq!(
            file("a/bootstrap.checkpoint", &whole),
            "metadata.version 21 (3.9-IV0)"
        );
        let cut = whole.slice(..whole.len() - 1);
        let words = file("a/bootstrap.checkpoint", &cut);
        assert!(
            words.starts_with("no metadata records; damaged: "),
            "{words}"
        );
    }

    #[test]
    fn a_segment_by_its_offsets() {
        let mut builder = BatchBuilder::data(3, 2, 0);
        builder.append_value(&level(21));
        builder.append_value(&level(25));
        let bytes = builder.finish().bytes().clone();
        assert_eq!(
            file("0.log", &bytes),
            "1 batch, offsets 3 to 4, last epoch 2"
        );
        assert_eq!(file("0.log", &Bytes::new()), "empty");
    }

    #[test]
    fn epochs_by_their_first_offsets() {
        let content = Bytes::from_static(b"0\n2\n1 0\n3 12\n");
        let words = file("leader-epoch-checkpoint", &content);
        assert_eq!(words, "epoch 1 from offset 0, epoch 3 from offset 12");
        assert_eq!(
            file("leader-epoch-checkpoint", &Bytes::from_static(b"0\n0\n")),
            "0, 0"
        );
    }

    #[test]
    fn text_files_without_comments() {
        let content = Bytes::from_static(b"#Thu\nnode.id=1\nversion=1\n");
        assert_eq!(file("meta.properties", &content), "node.id=1, version=1");
        assert!(file("meta.properties", &Bytes::from_static(b"a\xff")).contains("byte 1"));
    }
}
