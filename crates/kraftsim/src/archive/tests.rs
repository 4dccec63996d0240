use std::io::Write;

use disk::tree::NotRead;

use super::*;

fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, content) in members {
        append(&mut builder, path, EntryType::Regular, content);
    }
    builder.into_inner().unwrap()
}

/// Writes the name as it is, which the library would refuse.
fn append(builder: &mut tar::Builder<Vec<u8>>, path: &str, kind: EntryType, content: &[u8]) {
    let mut header = tar::Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..path.len()].copy_from_slice(path.as_bytes());
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_entry_type(kind);
    header.set_cksum();
    builder.append(&header, content).unwrap();
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn reading(bytes: &[u8]) -> Reading {
    let packing = packing(bytes).unwrap_or(Packing::Plain);
    let (size, mut budget) = (bytes.len() as u64, Budget::default());
    read(packing, bytes, size, &mut budget, &mut |_| Want::Whole)
}

fn parts(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let (files, not_read) = reading(bytes).parts();
    let names = files.into_iter().map(|file| file.path).collect();
    (names, not_read.iter().map(NotRead::to_string).collect())
}

#[test]
fn plain_and_packed_hold_the_same() {
    let plain = tar_of(&[("./a", b"first"), ("d/b", b"second")]);
    assert_eq!(packing(&plain), Some(Packing::Plain));
    let files = reading(&plain).whole().unwrap();
    assert_eq!(files[1].content.as_deref(), Some(&b"second"[..]));
    let packed = gzip(&plain);
    assert_eq!(packing(&packed), Some(Packing::Gzip));
    assert_eq!(reading(&packed), reading(&plain));
    let two = [gzip(&plain[..700]), gzip(&plain[700..])].concat();
    assert_eq!(reading(&two), reading(&plain));
    assert_eq!(packing(b"quorum-state"), None);
}

#[test]
fn an_archive_cut_anywhere_is_not_whole() {
    let plain = tar_of(&[("a", b"first"), ("d/b", b"second")]);
    let packed = gzip(&plain);
    // Zeros at the end of a tar fill it up and say nothing.
    for cut in 0..2048 + 512 {
        assert!(!parts(&plain[..cut]).1.is_empty(), "{cut}");
    }
    assert!(parts(&plain[..2048 + 512]).1.is_empty());
    for cut in 2..packed.len() {
        assert!(!parts(&packed[..cut]).1.is_empty(), "{cut}");
    }
    let (files, not_read) = parts(&plain[..512 + 512 + 512 + 3]);
    assert_eq!(files, ["a"]);
    assert!(
        not_read.contains(&"d/b: the archive ends after 3 of its 6 bytes".to_owned()),
        "{not_read:?}"
    );
}

#[test]
fn what_follows_the_end_is_not_dropped_in_silence() {
    let one = tar_of(&[("a", b"first")]);
    let two = [one.clone(), tar_of(&[("b", b"second")])].concat();
    let (files, not_read) = parts(&two);
    assert_eq!(files, ["a"]);
    assert_eq!(
        not_read,
        ["more follows behind the mark of the archive's end"]
    );
    let padded = [one, vec![0; 20_000]].concat();
    assert!(reading(&padded).whole().is_ok());
}

#[test]
fn members_that_are_no_plain_files_are_named() {
    let mut builder = tar::Builder::new(Vec::new());
    let kinds = [
        (EntryType::Link, "hard", "a hard link to"),
        (EntryType::Symlink, "soft", "a symbolic link to"),
        (EntryType::Fifo, "fifo", "a FIFO"),
        (EntryType::Char, "char", "a character device"),
        (EntryType::Block, "block", "a block device"),
        (EntryType::new(b'V'), "label", "a member of the type `V`"),
    ];
    append(&mut builder, "plain", EntryType::Regular, b"x");
    for (kind, name, _) in kinds {
        append(&mut builder, name, kind, b"");
    }
    let sparse = b"22 GNU.sparse.major=1\n";
    append(&mut builder, "x", EntryType::XHeader, sparse);
    append(
        &mut builder,
        "GNUSparseFile.0/s",
        EntryType::Regular,
        b"1\n",
    );
    let (files, not_read) = parts(&builder.into_inner().unwrap());
    assert_eq!(files, ["plain"]);
    for (_, name, why) in kinds {
        let found = not_read.iter().find(|one| one.starts_with(name));
        assert!(found.is_some_and(|one| one.contains(why)), "{not_read:?}");
    }
    assert!(
        not_read.iter().any(|one| one.contains("a sparse file")),
        "{not_read:?}"
    );
    assert_eq!(not_read.len(), kinds.len() + 1);
}

#[test]
fn names_that_lead_out_or_stand_twice_are_named() {
    let (files, not_read) = parts(&tar_of(&[
        ("../up", b"1"),
        ("d/../../up", b"1"),
        ("/etc/absolute", b"1"),
        ("twice", b"1"),
        ("./twice", b"2"),
        ("both", b"1"),
        ("both/inside", b"1"),
        ("fine", b"1"),
    ]));
    assert_eq!(files, ["both", "both/inside", "fine", "twice"]);
    assert_eq!(not_read.len(), 5, "{not_read:?}");
    for why in [
        "../up: a path with `..`",
        "d/../../up: a path with `..`",
        "/etc/absolute: an absolute path",
        "twice: it stands in the archive twice",
        "both: it is a file and a directory",
    ] {
        assert!(
            not_read.iter().any(|one| one.starts_with(why)),
            "{why}: {not_read:?}"
        );
    }
}

#[test]
fn a_name_in_an_extended_header_is_held_to_the_same() {
    let mut builder = tar::Builder::new(Vec::new());
    append(&mut builder, "x", EntryType::XHeader, b"14 path=../up\n");
    append(&mut builder, "harmless", EntryType::Regular, b"1");
    append(&mut builder, "x", EntryType::XHeader, b"9 path=a\nb\n");
    append(&mut builder, "other", EntryType::Regular, b"1");
    let (files, not_read) = parts(&builder.into_inner().unwrap());
    assert_eq!(files, Vec::<String>::new());
    assert!(not_read[0].contains("`..`"), "{not_read:?}");
    assert!(
        not_read[1].contains("an extended header that cannot be read"),
        "{not_read:?}"
    );
}

#[test]
fn a_small_archive_does_not_grow_without_bound() {
    let mut inner = tar::Header::new_gnu();
    inner.set_path("0.log").unwrap();
    inner.set_size(1 << 33);
    inner.set_cksum();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(inner.as_bytes()).unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..300 {
        encoder.write_all(&zeros).unwrap();
    }
    let packed = encoder.finish().unwrap();
    let (files, not_read) = parts(&packed);
    assert_eq!(files, Vec::<String>::new());
    assert!(
        not_read
            .iter()
            .any(|one| one.contains("the limit of one file"))
            && not_read
                .iter()
                .any(|one| one.contains("unpacks to more than 268435456")),
        "{not_read:?}"
    );
}

#[test]
fn no_damage_makes_it_panic() {
    let packed = gzip(&tar_of(&[("a", b"first"), ("d/b", b"second")]));
    for at in 0..packed.len() {
        let mut flipped = packed.clone();
        flipped[at] ^= 0x10;
        drop(reading(&flipped));
    }
}
