//! The files that real Kafka left, out of the archives of the cells.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use kraftsim::archive;
use rayon::prelude::*;

use crate::repository::{files, root};

/// A file of a real controller's directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KafkaFile {
    /// The cell it comes from, and its path there; of equal files, the first.
    pub origin: String,
    /// Name without folders.
    pub name: String,
    /// Content.
    pub content: Bytes,
    /// Whether a recorder damaged it, or may have, after Kafka wrote it.
    pub tampered: bool,
}

/// Cells whose input was damaged on purpose.
const TAMPERED: [&str; 8] = [
    "e-boot-", "e-zero-", "e-log-", "e-state-", "e-left-", "e-meta-", "g-empty-", "g-torn-",
];

/// Every distinct file of the golden cells and the lived-in clusters: of files with equal name and content, one.
pub fn distinct() -> Vec<KafkaFile> {
    let tests = root().join("tests");
    let mut archives = files(&tests.join("golden"), &["input.tar.gz"]);
    archives.extend(files(&tests.join("lived"), &["controllers.tar.xz"]));
    let read: Vec<Vec<KafkaFile>> = archives.par_iter().map(|path| files_of(path)).collect();
    let mut distinct: BTreeMap<(String, Bytes), KafkaFile> = BTreeMap::new();
    for file in read.into_iter().flatten() {
        let key = (file.name.clone(), file.content.clone());
        let kept = distinct.entry(key).or_insert_with(|| file.clone());
        // What an untouched cell holds too is no damage.
        kept.tampered &= file.tampered;
    }
    distinct.into_values().collect()
}

fn files_of(path: &Path) -> Vec<KafkaFile> {
    let bytes = Bytes::from(std::fs::read(path).expect("an archive of the repository can be read"));
    let packing = archive::packing(&bytes).expect("an archive of the repository is one");
    let archive = archive::read(packing, &bytes);
    assert_eq!(archive.damage, None, "{}", path.display());
    let cell = path
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default()
        .to_string_lossy();
    let tampered = TAMPERED.iter().any(|prefix| cell.starts_with(prefix));
    let file = |file: archive::ArchivedFile| KafkaFile {
        origin: format!("{cell}/{}", file.path),
        name: file.path.rsplit('/').next().unwrap_or_default().to_owned(),
        content: file.content,
        tampered,
    };
    archive.files.into_iter().map(file).collect()
}
