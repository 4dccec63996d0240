//! The suite over the disks of this crate, and the same random operations on both of them.

use bytes::Bytes;
use proptest::prelude::*;

use crate::{Disk, DiskError, MemDisk, StdDisk, copy_tree, path, suite};

#[test]
fn mem_disk_passes_the_suite() {
    suite::run(|_| (MemDisk::new(), "/var/kafka".to_owned()));
    suite::run(|_| (MemDisk::new(), "relative".to_owned()));
}

#[test]
fn std_disk_passes_the_suite() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().to_str().unwrap().to_owned();
    suite::run(|case| (StdDisk::new(), path::join(&root, case)));
}

#[test]
fn a_clone_is_apart() {
    let mut disk = MemDisk::new();
    disk.create("f").unwrap();
    let mut clone = disk.clone();
    clone.append("f", &Bytes::from_static(b"x")).unwrap();
    assert_eq!(disk.size("f").unwrap(), Some(0));
    assert_eq!(clone.size("f").unwrap(), Some(1));
}

#[test]
fn an_append_shares_the_bytes() {
    let bytes = Bytes::from(vec![7; 64]);
    let mut disk = MemDisk::new();
    disk.create("f").unwrap();
    disk.append("f", &bytes).unwrap();
    assert_eq!(disk.read("f").unwrap().as_ptr(), bytes.as_ptr());
}

#[derive(Clone, Debug)]
enum Step {
    CreateDir(usize),
    Create(usize),
    Append(usize, Vec<u8>),
    Rename(usize, usize),
    Truncate(usize, u64),
    Remove(usize),
    RemoveDir(usize),
    ReadOnly(usize),
}

const PATHS: [&str; 7] = ["a", "b", "a/f", "a/g", "b/f", "b/c", "b/c/f"];

fn step() -> impl Strategy<Value = Step> {
    let place = 0..PATHS.len();
    prop_oneof![
        3 => place.clone().prop_map(Step::CreateDir),
        4 => place.clone().prop_map(Step::Create),
        4 => (place.clone(), proptest::collection::vec(any::<u8>(), 0..5))
            .prop_map(|(at, bytes)| Step::Append(at, bytes)),
        2 => (place.clone(), place.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (place.clone(), 0..6_u64).prop_map(|(at, size)| Step::Truncate(at, size)),
        1 => place.clone().prop_map(Step::Remove),
        1 => place.clone().prop_map(Step::RemoveDir),
        1 => place.prop_map(Step::ReadOnly),
    ]
}

/// `Ok`, or the kind of failure: the words of a real system are its own.
fn take(disk: &mut dyn Disk, root: &str, step: &Step) -> Result<(), &'static str> {
    let at = |place: &usize| path::join(root, PATHS[*place]);
    let done = match step {
        Step::CreateDir(place) => disk.create_dir_all(&at(place)),
        Step::Create(place) => disk.create(&at(place)),
        Step::Append(place, bytes) => disk.append(&at(place), &Bytes::copy_from_slice(bytes)),
        Step::Rename(from, to) => disk.rename(&at(from), &at(to)),
        Step::Truncate(place, size) => disk.truncate(&at(place), *size),
        Step::Remove(place) => disk.remove(&at(place)),
        Step::RemoveDir(place) => disk.remove_dir(&at(place)),
        Step::ReadOnly(place) => disk.set_read_only(&at(place)),
    };
    done.map_err(|error| match error {
        DiskError::NotFound { .. } => "not found",
        DiskError::Failed { .. } => "failed",
        DiskError::Crash => "crash",
    })
}

fn contents(disk: &mut dyn Disk, root: &str) -> Vec<(String, Bytes)> {
    let mut copy = MemDisk::new();
    copy_tree(disk, root, &mut copy, "").unwrap();
    copy.files()
        .map(|(path, bytes)| (path.to_owned(), bytes))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn memory_and_the_real_one_do_the_same(steps in proptest::collection::vec(step(), 0..40)) {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().to_str().unwrap();
        let (mut mem, mut real) = (MemDisk::new(), StdDisk::new());
        mem.create_dir_all(root).unwrap();
        for step in &steps {
            let (in_memory, on_disk) = (take(&mut mem, root, step), take(&mut real, root, step));
            prop_assert_eq!(in_memory.is_ok(), on_disk.is_ok(), "{:?}: {:?} {:?}", step, in_memory, on_disk);
        }
        prop_assert_eq!(contents(&mut mem, root), contents(&mut real, root));
    }
}
