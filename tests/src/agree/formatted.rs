//! Cells that only format: formatted again in empty directories, and compared file by file.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::cell::{UnpackedCell, files_below, node_folders, point_at};
use super::kraftsim::Kraftsim;
use super::placeholder::{Known, uuid_bytes};
use super::{Judged, Verdict, differ};
use crate::recorded::golden::Formatted;

/// Formats as the cell was, in a folder beside the recorded one.
pub fn judge(kraftsim: &Kraftsim, cell: &UnpackedCell) -> Judged<()> {
    let steps = &cell.spec.steps;
    if !steps.iter().all(|step| step.edits.is_empty()) {
        return Err(Verdict::Skip("edits between formats".to_owned()));
    }
    let (recorded, fresh) = (cell.work().join("formatted"), cell.work().join("fresh"));
    let known = Known::of(&cell.outcome.volatile, &recorded);
    prepare(&recorded, &fresh).or_else(|error| differ(error.to_string()))?;
    let step_of_each = steps.iter().flat_map(|step| {
        let times = step.nodes.as_ref().map_or(cell.spec.nodes, Vec::len);
        std::iter::repeat_n(step, times)
    });
    for (format, step) in cell.outcome.formats.iter().zip(step_of_each) {
        let own = step.format.as_ref().and_then(|of| of.cluster_id.as_ref());
        let cluster = own.unwrap_or(&cell.outcome.cluster_id);
        format_again(kraftsim, &fresh, format, cluster, &known)?;
    }
    for (id, node) in node_folders(&recorded) {
        compare(&id, &node, &fresh.join(format!("node-{id}")))?;
    }
    Ok(())
}

/// Every node's folder with its configuration and the empty directories that it names.
fn prepare(recorded: &Path, fresh: &Path) -> io::Result<()> {
    for (id, node) in node_folders(recorded) {
        let folder = fresh.join(format!("node-{id}"));
        fs::create_dir_all(&folder)?;
        fs::copy(
            node.join("server.properties"),
            folder.join("server.properties"),
        )?;
        let config = fs::read_to_string(point_at(&folder, fresh)?)?;
        for line in config.lines() {
            if let Some(("log.dirs" | "metadata.log.dir", directories)) = line.split_once('=') {
                for directory in directories.split(',') {
                    fs::create_dir_all(directory)?;
                }
            }
        }
    }
    Ok(())
}

fn format_again(
    kraftsim: &Kraftsim,
    fresh: &Path,
    format: &Formatted,
    cluster: &str,
    known: &Known,
) -> Judged<()> {
    let (node, release) = (format.node, format.version.as_str());
    let config = fresh
        .join(format!("node-{node}"))
        .join("server.properties")
        .display()
        .to_string();
    let mut args: Vec<String> = ["format", "-c", &config, "-t", cluster, "--kafka", release]
        .map(str::to_owned)
        .to_vec();
    args.extend(format.args.iter().map(|arg| known.filled_in(arg)));
    let answer = kraftsim.ask(&args);
    let expected = format.exit_code;
    if answer.exit == Some(expected) {
        return Ok(());
    }
    differ(format!(
        "format node {node} with {release} {:?}: exit {expected}, got {:?}: {}",
        &args[7..],
        answer.exit,
        answer.complaint
    ))
}

fn compare(id: &str, recorded: &Path, fresh: &Path) -> Judged<()> {
    let read = |folder: &Path| -> Vec<(String, Vec<u8>)> {
        let files = files_below(folder).into_iter();
        let files = files.filter(|(name, _)| name.rsplit('/').next() != Some(".lock"));
        files
            .map(|(name, path)| (name, fs::read(path).unwrap_or_default()))
            .collect()
    };
    let (expected, got) = (read(recorded), read(fresh));
    let names = |files: &[(String, Vec<u8>)]| {
        files
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    if names(&expected) != names(&got) {
        return differ(format!(
            "node-{id}: files {:?}, got {:?}",
            names(&expected),
            names(&got)
        ));
    }
    for ((name, expected), (_, got)) in without_drawn_ids(expected)
        .iter()
        .zip(&without_drawn_ids(got))
    {
        if name == "server.properties" {
            continue;
        }
        if expected.len() != got.len() && !name.ends_with(".properties") {
            return differ(format!(
                "node-{id}/{name}: {} bytes, got {}",
                expected.len(),
                got.len()
            ));
        }
        if plain(name, expected) != plain(name, got) {
            return differ(format!("node-{id}/{name}: content differs"));
        }
    }
    Ok(())
}

/// Directory ids are drawn: the id of a node becomes a mark of the same length, in text and in bytes. Where a node has
/// several, only the lines that hold them do.
fn without_drawn_ids(mut files: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    let ids: BTreeSet<String> = files
        .iter()
        .filter(|(name, _)| name.ends_with("meta.properties"))
        .flat_map(|(_, content)| directory_ids(content))
        .collect();
    let ids: Vec<String> = ids.into_iter().collect();
    for (name, content) in &mut files {
        match ids.as_slice() {
            [] => {}
            [id] => {
                *content = replaced(content, id.as_bytes(), b"<directory-id-in-text>");
                if let Some(raw) = uuid_bytes(id) {
                    *content = replaced(content, &raw, b"<sixteen-byte-i>");
                }
            }
            _ if name.ends_with(".properties") => {
                for id in &ids {
                    let line = format!("directory.id={id}");
                    *content = replaced(content, line.as_bytes(), b"directory.id=<id>");
                }
            }
            _ => {}
        }
    }
    files
}

fn directory_ids(properties: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(properties);
    let values = text
        .lines()
        .filter_map(|line| line.strip_prefix("directory.id="));
    values
        .filter(|id| !id.is_empty() && !id.contains(char::is_whitespace))
        .map(str::to_owned)
        .collect()
}

fn replaced(content: &[u8], what: &[u8], by: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(content.len());
    let mut at = 0;
    while at < content.len() {
        if content[at..].starts_with(what) {
            result.extend_from_slice(by);
            at += what.len();
        } else {
            result.push(content[at]);
            at += 1;
        }
    }
    result
}

/// A file without what the clock gives: CRCs and times of batches, the time in a snapshot header, comment lines.
fn plain(name: &str, content: &[u8]) -> Vec<u8> {
    if name.ends_with(".properties") {
        let text = String::from_utf8_lossy(content);
        let mut lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        lines.sort_unstable();
        return lines.join("\n").into_bytes();
    }
    let mut bytes = content.to_vec();
    if !name.contains(".checkpoint") {
        return bytes;
    }
    let mut at = 0;
    while let Some(batch) = bytes.get_mut(at..).filter(|batch| batch.len() >= 61) {
        batch[17..21].fill(0);
        batch[27..43].fill(0);
        if at == 0 && batch.len() >= 81 && batch[73..81].iter().any(|byte| *byte != 0) {
            batch[73..81].fill(1);
        }
        let length = batch[8..12]
            .iter()
            .fold(0_usize, |length, byte| length << 8 | usize::from(*byte));
        at += 12 + length;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_free_and_all_else_is_held_fast() {
        let mut batch = vec![7; 90];
        batch[8..12].copy_from_slice(&78_i32.to_be_bytes());
        let original = plain("x.checkpoint", &batch);
        for at in 0..batch.len() {
            let mut changed = batch.clone();
            changed[at] ^= 1;
            let free = (17..21).contains(&at) || (27..43).contains(&at) || (73..81).contains(&at);
            assert_eq!(
                plain("x.checkpoint", &changed) == original,
                free,
                "byte {at}"
            );
            assert_ne!(
                plain("00.log", &changed),
                plain("00.log", &batch),
                "byte {at}"
            );
        }
    }

    #[test]
    fn a_drawn_id_is_free_and_another_ones_place_is_not() {
        let id = "AAAAAAAAAAAAAAAAAAAAAQ";
        let file = |id: &str| {
            (
                "meta.properties".to_owned(),
                format!("version=1\ndirectory.id={id}\n").into_bytes(),
            )
        };
        let other = file("AAAAAAAAAAAAAAAAAAAAAg");
        assert_eq!(
            without_drawn_ids(vec![file(id)]),
            without_drawn_ids(vec![other])
        );
        let raw = |id: &str| ("0.checkpoint".to_owned(), uuid_bytes(id).expect("a Uuid"));
        let with_own_id = without_drawn_ids(vec![file(id), raw(id)]);
        let with_foreign_id = without_drawn_ids(vec![file(id), raw("AAAAAAAAAAAAAAAAAAAAAg")]);
        assert_ne!(with_own_id[1], with_foreign_id[1]);
    }
}
