//! What every disk must do, as one list of cases that run over any [`Disk`].
//!
//! A disk of another crate runs the same cases with feature `suite` of this crate:
//!
//! ```
//! disk::suite::run(|_case| (disk::MemDisk::new(), "root".to_owned()));
//! ```

use bytes::Bytes;

use crate::{Disk, DiskError, EntryKind, Operation, Result, path};

/// One case: its name, and what it does with an empty directory that exists.
pub type Case = (&'static str, fn(&mut dyn Disk, &str));

/// What every implementation of [`Disk`] must pass.
pub const CASES: &[Case] = &[
    ("appended bytes are read back", appended_bytes_are_read_back),
    ("a missing file is not found", missing_file_is_not_found),
    ("create empties", create_empties),
    (
        "directories nest and list in order",
        directories_nest_and_list_in_order,
    ),
    ("rename replaces", rename_replaces),
    ("truncate only shortens", truncate_only_shortens),
    ("remove removes the one or the whole", remove_removes),
    ("read-only files stay", read_only_files_stay),
    ("a directory is not a file", directory_is_not_a_file),
    ("slashes do not matter", slashes_do_not_matter),
];

/// Runs all cases, each on the disk and directory that `make` returns; the directory is created first.
///
/// # Panics
/// With the name of the case, when the disk does something else.
pub fn run<D: Disk>(mut make: impl FnMut(&str) -> (D, String)) {
    for (name, case) in CASES {
        let (mut disk, root) = make(name);
        disk.create_dir_all(&root)
            .expect("the suite's directory can be made");
        case(&mut disk, &root);
    }
}

const HELLO: Bytes = Bytes::from_static(b"hello");
const WORLD: Bytes = Bytes::from_static(b", world");

#[track_caller]
fn ok<T>(result: Result<T>) -> T {
    result.expect("the operation succeeds")
}

#[track_caller]
fn not_found<T: std::fmt::Debug>(result: Result<T>, operation: Operation) {
    match result {
        Err(DiskError::NotFound {
            operation: found, ..
        }) if found == operation => {}
        other => panic!(
            "expected `{}` to find nothing, got {other:?}",
            operation.name()
        ),
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T>, operation: Operation) {
    match result {
        Err(DiskError::Failed {
            operation: found, ..
        }) if found == operation => {}
        other => panic!(
            "expected `{}` to be refused, got {other:?}",
            operation.name()
        ),
    }
}

fn names(disk: &mut dyn Disk, dir: &str) -> Vec<String> {
    ok(disk.list(dir))
        .into_iter()
        .map(|entry| entry.name)
        .collect()
}

fn write(disk: &mut dyn Disk, path: &str, bytes: &Bytes) {
    ok(disk.create(path));
    ok(disk.append(path, bytes));
}

fn appended_bytes_are_read_back(disk: &mut dyn Disk, root: &str) {
    let file = path::join(root, "f");
    ok(disk.create(&file));
    assert_eq!(ok(disk.read(&file)), "");
    ok(disk.append(&file, &HELLO));
    ok(disk.append(&file, &Bytes::new()));
    ok(disk.append(&file, &WORLD));
    ok(disk.sync(&file));
    ok(disk.sync_dir(root));
    assert_eq!(ok(disk.size(&file)), Some(12));
    assert_eq!(ok(disk.read(&file)), "hello, world");
    assert_eq!(ok(disk.read_at(&file, 3, 6)), "lo, wo");
    assert_eq!(ok(disk.read_at(&file, 10, 99)), "ld");
    assert_eq!(ok(disk.read_at(&file, 12, 1)), "");
    assert_eq!(ok(disk.read_at(&file, 99, u64::MAX)), "");
    ok(disk.append(&file, &HELLO));
    assert_eq!(ok(disk.read(&file)), "hello, worldhello");
}

fn missing_file_is_not_found(disk: &mut dyn Disk, root: &str) {
    let file = path::join(root, "missing");
    not_found(disk.append(&file, &HELLO), Operation::Append);
    not_found(disk.sync(&file), Operation::Sync);
    not_found(disk.truncate(&file, 0), Operation::Truncate);
    not_found(disk.remove(&file), Operation::Remove);
    not_found(disk.read(&file), Operation::Read);
    not_found(disk.read_at(&file, 0, 1), Operation::Read);
    not_found(disk.set_read_only(&file), Operation::SetReadOnly);
    not_found(
        disk.rename(&file, &path::join(root, "other")),
        Operation::Rename,
    );
    not_found(disk.list(&file), Operation::List);
    not_found(disk.sync_dir(&file), Operation::SyncDirectory);
    not_found(disk.remove_dir(&file), Operation::Remove);
    not_found(disk.create(&path::join(&file, "f")), Operation::Create);
    assert_eq!(ok(disk.size(&file)), None);
    assert!(names(disk, root).is_empty());
}

fn create_empties(disk: &mut dyn Disk, root: &str) {
    let file = path::join(root, "f");
    write(disk, &file, &HELLO);
    ok(disk.create(&file));
    assert_eq!(ok(disk.read(&file)), "");
    ok(disk.append(&file, &WORLD));
    assert_eq!(ok(disk.read(&file)), ", world");
}

fn directories_nest_and_list_in_order(disk: &mut dyn Disk, root: &str) {
    let deep = path::join(root, "b/c");
    ok(disk.create_dir_all(&deep));
    ok(disk.create_dir_all(&deep));
    write(disk, &path::join(root, "b-"), &HELLO);
    write(disk, &path::join(root, "a"), &WORLD);
    write(disk, &path::join(&deep, "inner"), &HELLO);
    let entries = ok(disk.list(root));
    let listed: Vec<_> = entries
        .iter()
        .map(|entry| (entry.name.as_str(), entry.kind))
        .collect();
    assert_eq!(
        listed,
        [
            ("a", EntryKind::File { size: 7 }),
            ("b", EntryKind::Directory),
            ("b-", EntryKind::File { size: 5 }),
        ]
    );
    assert_eq!(names(disk, &deep), ["inner"]);
    ok(disk.sync_dir(&deep));
}

fn rename_replaces(disk: &mut dyn Disk, root: &str) {
    let (from, to) = (path::join(root, "f.tmp"), path::join(root, "f"));
    write(disk, &from, &HELLO);
    write(disk, &to, &WORLD);
    ok(disk.rename(&from, &to));
    assert_eq!(names(disk, root), ["f"]);
    assert_eq!(ok(disk.read(&to)), "hello");
    ok(disk.rename(&to, &to));
    assert_eq!(ok(disk.read(&to)), "hello");
    let lost = path::join(root, "missing/f");
    not_found(disk.rename(&to, &lost), Operation::Rename);
    assert_eq!(ok(disk.read(&to)), "hello");
}

fn truncate_only_shortens(disk: &mut dyn Disk, root: &str) {
    let file = path::join(root, "f");
    write(disk, &file, &HELLO);
    ok(disk.append(&file, &WORLD));
    ok(disk.truncate(&file, 12));
    ok(disk.truncate(&file, 7));
    assert_eq!(ok(disk.read(&file)), "hello, ");
    refused(disk.truncate(&file, 8), Operation::Truncate);
    ok(disk.truncate(&file, 5));
    ok(disk.append(&file, &HELLO));
    assert_eq!(ok(disk.read(&file)), "hellohello");
    ok(disk.truncate(&file, 0));
    assert_eq!(ok(disk.size(&file)), Some(0));
}

fn remove_removes(disk: &mut dyn Disk, root: &str) {
    let dir = path::join(root, "d");
    ok(disk.create_dir_all(&path::join(&dir, "e")));
    write(disk, &path::join(&dir, "f"), &HELLO);
    write(disk, &path::join(&dir, "e/g"), &HELLO);
    write(disk, &path::join(root, "d2"), &HELLO);
    ok(disk.remove(&path::join(&dir, "f")));
    assert_eq!(names(disk, &dir), ["e"]);
    ok(disk.remove_dir(&dir));
    assert_eq!(names(disk, root), ["d2"]);
    not_found(disk.read(&path::join(&dir, "e/g")), Operation::Read);
}

fn read_only_files_stay(disk: &mut dyn Disk, root: &str) {
    let (file, moved) = (path::join(root, "f"), path::join(root, "g"));
    write(disk, &file, &HELLO);
    ok(disk.set_read_only(&file));
    refused(disk.append(&file, &WORLD), Operation::Append);
    refused(disk.truncate(&file, 1), Operation::Truncate);
    refused(disk.create(&file), Operation::Create);
    assert_eq!(ok(disk.read(&file)), "hello");
    ok(disk.rename(&file, &moved));
    refused(disk.append(&moved, &WORLD), Operation::Append);
    ok(disk.remove(&moved));
    assert!(names(disk, root).is_empty());
}

fn directory_is_not_a_file(disk: &mut dyn Disk, root: &str) {
    let (dir, file) = (path::join(root, "d"), path::join(root, "f"));
    ok(disk.create_dir_all(&dir));
    write(disk, &file, &HELLO);
    refused(disk.create(&dir), Operation::Create);
    refused(disk.append(&dir, &HELLO), Operation::Append);
    refused(disk.read(&dir), Operation::Read);
    refused(disk.remove(&dir), Operation::Remove);
    refused(disk.rename(&dir, &file), Operation::Rename);
    refused(disk.rename(&file, &dir), Operation::Rename);
    refused(disk.list(&file), Operation::List);
    refused(disk.sync_dir(&file), Operation::SyncDirectory);
    refused(disk.create_dir_all(&file), Operation::CreateDirectory);
    refused(
        disk.create_dir_all(&path::join(&file, "d")),
        Operation::CreateDirectory,
    );
    assert_eq!(ok(disk.size(&dir)), None);
    assert_eq!(names(disk, root), ["d", "f"]);
}

fn slashes_do_not_matter(disk: &mut dyn Disk, root: &str) {
    let dir = format!("{root}/d/");
    ok(disk.create_dir_all(&dir));
    write(disk, &format!("{dir}/f"), &HELLO);
    assert_eq!(ok(disk.read(&format!("{root}//d/f"))), "hello");
    assert_eq!(names(disk, &dir), ["f"]);
    assert_eq!(ok(disk.size(&format!("{root}/d/f"))), Some(5));
}
