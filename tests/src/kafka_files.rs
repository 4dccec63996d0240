//! The files that real Kafka left, out of the archives of the cells.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use disk::tree::{Budget, ReadFile, Want};
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
    pub content: Bytes,
    /// Whether a recorder damaged it, or may have, after Kafka wrote it.
    pub tampered: bool,
}

/// Cells whose input was damaged on purpose.
const TAMPERED: [&str; 9] = [
    "e-boot-", "e-zero-", "e-log-", "e-state-", "e-left-", "e-meta-", "g-empty-", "g-torn-", "x-",
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

/// The files of an archive of the repository, each with its path there.
pub fn in_archive(path: &Path) -> Vec<(String, Bytes)> {
    let reading = archive::open(path, &mut Budget::default(), &mut |_| Want::Whole);
    let (_, reading) = reading
        .expect("an archive of the repository can be read")
        .expect("an archive of the repository is one");
    let files = reading.whole();
    let files = files.unwrap_or_else(|not_read| panic!("{}: {not_read:?}", path.display()));
    let content = |file: ReadFile| (file.path, file.content.expect("its content is wanted"));
    files.into_iter().map(content).collect()
}

fn files_of(path: &Path) -> Vec<KafkaFile> {
    let cell = path
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default()
        .to_string_lossy();
    let tampered = TAMPERED.iter().any(|prefix| cell.starts_with(prefix));
    let file = |(path, content): (String, Bytes)| KafkaFile {
        origin: format!("{cell}/{path}"),
        name: path.rsplit('/').next().unwrap_or_default().to_owned(),
        content,
        tampered,
    };
    in_archive(path).into_iter().map(file).collect()
}
