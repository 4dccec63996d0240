use super::*;
use crate::{Entry, MemDisk, ReadOnlyDisk, StdDisk};

fn put(disk: &mut dyn Disk, path: &str, content: &'static [u8]) {
    disk.create_dir_all(path::parent(path)).unwrap();
    disk.create(path).unwrap();
    disk.append(path, &Bytes::from_static(content)).unwrap();
}

fn everything(disk: &mut dyn Disk, root: &str) -> (Vec<String>, Vec<String>) {
    let reading = read_tree(disk, root, &mut Budget::default(), &mut |_| Want::Whole).unwrap();
    let (files, not_read) = reading.parts();
    let names = files.into_iter().map(|file| file.path).collect();
    (names, not_read.iter().map(ToString::to_string).collect())
}

#[test]
fn what_is_wanted_is_read() {
    let mut disk = MemDisk::new();
    for path in ["r/a", "r/d/b", "r/d/c", "r/x/y"] {
        put(&mut disk, path, b"12");
    }
    let mut want = |candidate: &Candidate| match candidate.path {
        "x" => Want::Nothing,
        "d/c" => Want::Name,
        "a" => Want::File,
        _ => Want::Whole,
    };
    let reading = read_tree(&mut disk, "r", &mut Budget::default(), &mut want).unwrap();
    let files = reading.whole().unwrap();
    let found: Vec<(&str, bool)> = files
        .iter()
        .map(|file| (file.path.as_str(), file.content.is_some()))
        .collect();
    assert_eq!(found, [("a", true), ("d/b", true), ("d/c", false)]);
    let mut want = |_: &Candidate| Want::File;
    let reading = read_tree(&mut disk, "r", &mut Budget::default(), &mut want).unwrap();
    assert_eq!(reading.whole().unwrap_err().len(), 2);
}

#[test]
fn limits_are_named() {
    let mut disk = MemDisk::new();
    put(&mut disk, "r/a", b"1234");
    put(&mut disk, "r/b", b"1234");
    let mut budget = Budget {
        entries: 10,
        bytes: 5,
    };
    let (files, not_read) = read_tree(&mut disk, "r", &mut budget, &mut |_| Want::Whole)
        .unwrap()
        .parts();
    assert_eq!(files.len(), 1);
    assert!(not_read[0].to_string().starts_with("b: with its 4 bytes"));
    let mut budget = Budget {
        entries: 1,
        bytes: 50,
    };
    let (files, not_read) = read_tree(&mut disk, "r", &mut budget, &mut |_| Want::Whole)
        .unwrap()
        .parts();
    assert_eq!((files.len(), not_read.len()), (1, 1));
    let deep = format!("r/{}f", "d/".repeat(MOST_DEPTH + 1));
    put(&mut disk, &deep, b"1");
    let (_, not_read) = everything(&mut disk, "r");
    assert!(not_read[0].contains("directories deep"), "{not_read:?}");
    assert_eq!(
        Budget::default().file(MOST_FILE_BYTES + 1),
        Err(Excess::File {
            size: MOST_FILE_BYTES + 1
        })
    );
}

/// A disk on which one file changes, or cannot be read.
struct Moving {
    inner: MemDisk,
    at: &'static str,
    how: fn(&mut MemDisk) -> Result<()>,
}

impl Moving {
    fn of(at: &'static str, how: fn(&mut MemDisk) -> Result<()>) -> ReadOnlyDisk<Self> {
        let mut inner = MemDisk::new();
        put(&mut inner, "r/f", b"12345");
        put(&mut inner, "r/g", b"1");
        ReadOnlyDisk::new(Moving { inner, at, how })
    }
}

impl Disk for Moving {
    fn list(&mut self, dir: &str) -> Result<Vec<Entry>> {
        self.inner.list(dir)
    }
    fn read(&mut self, path: &str) -> Result<Bytes> {
        let content = self.inner.read(path);
        if path == self.at {
            (self.how)(&mut self.inner)?;
        }
        content
    }
    fn size(&mut self, path: &str) -> Result<Option<u64>> {
        self.inner.size(path)
    }
    fn read_at(&mut self, _: &str, _: u64, _: u64) -> Result<Bytes> {
        unreachable!("trees are read file by file")
    }
    fn create_dir_all(&mut self, _: &str) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn create(&mut self, _: &str) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn append(&mut self, _: &str, _: &Bytes) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn sync(&mut self, _: &str) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn rename(&mut self, _: &str, _: &str) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn sync_dir(&mut self, _: &str) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn truncate(&mut self, _: &str, _: u64) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn remove(&mut self, _: &str) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn remove_dir(&mut self, _: &str) -> Result<()> {
        unreachable!("nothing is written")
    }
    fn set_read_only(&mut self, _: &str) -> Result<()> {
        unreachable!("nothing is written")
    }
}

#[test]
fn a_file_that_changes_meanwhile_is_not_read_whole_unless_it_grew() {
    let mut grows = Moving::of("r/f", |disk| disk.append("r/f", &Bytes::from_static(b"6")));
    let reading = read_tree(&mut grows, "r", &mut Budget::default(), &mut |_| {
        Want::Whole
    });
    let files = reading.unwrap().whole().unwrap();
    assert_eq!(files[0].grew_by, 1);
    let mut shrinks = Moving::of("r/f", |disk| disk.truncate("r/f", 1));
    let (files, not_read) = everything(&mut shrinks, "r");
    assert_eq!(files, ["g"]);
    assert!(not_read[0].starts_with("f: it changed while"));
    let mut goes = Moving::of("r/f", |disk| disk.remove("r/g"));
    let (files, not_read) = everything(&mut goes, "r");
    assert_eq!(files, ["f"]);
    assert_eq!(not_read, ["g: it went away while it was read"]);
    let mut fails = Moving::of("r/f", |_| {
        Err(DiskError::Failed {
            operation: crate::Operation::Read,
            path: "r/f".to_owned(),
            reason: "input/output error".to_owned(),
        })
    });
    let (files, not_read) = everything(&mut fails, "r");
    assert_eq!(files, ["g"]);
    assert_eq!(not_read, ["f: it cannot be read: input/output error"]);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_named_and_links_are_followed() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    std::fs::write(root.join("plain"), b"x").unwrap();
    symlink("plain", root.join("link")).unwrap();
    symlink("nowhere", root.join("broken")).unwrap();
    symlink("itself", root.join("itself")).unwrap();
    symlink("/dev/zero", root.join("zero")).unwrap();
    std::fs::write(root.join(std::ffi::OsStr::from_bytes(b"a\xff")), b"x").unwrap();
    symlink(".", root.join("loop")).unwrap();
    let mut disk = StdDisk::new();
    let mut want = |candidate: &Candidate| match (candidate.kind, candidate.via) {
        (EntryKind::Directory, Via::Link) => Want::File,
        _ => Want::Whole,
    };
    let root = root.to_str().unwrap();
    let reading = read_tree(&mut disk, root, &mut Budget::default(), &mut want).unwrap();
    let (files, not_read) = reading.parts();
    let files: Vec<String> = files.into_iter().map(|file| file.path).collect();
    assert_eq!(files, ["link", "plain"]);
    let not_read: Vec<String> = not_read.iter().map(ToString::to_string).collect();
    assert_eq!(not_read.len(), 5, "{not_read:?}");
    for (found, why) in not_read.iter().zip([
        "a\u{fffd}: a name that is not UTF-8",
        "broken: a symbolic link to nothing",
        "itself: a symbolic link that cannot be followed",
        "loop: a directory, not a regular file",
        "zero: a character device, not a regular file",
    ]) {
        assert!(found.starts_with(why), "{found}");
    }
    // A loop ends at a limit.
    let (_, not_read) = everything(&mut StdDisk::new(), root);
    assert!(
        not_read.iter().any(|one| one.contains("directories deep")),
        "{not_read:?}"
    );
}
