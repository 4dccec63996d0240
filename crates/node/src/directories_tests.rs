use bytes::Bytes;
use config::ServerConfig;
use determinism::Rng;
use disk::{Disk as _, MemDisk};

use crate::directories::{DirectoriesError, DirectoryRefusal, open};

const GOOD: &str = "version=1\nnode.id=1\ncluster.id=c\ndirectory.id=AAAAAAAAAAAAAAAAAAABAA\n";

fn config() -> ServerConfig {
    ServerConfig::parse(
        &releases::Release::V4_4_0.rules(),
        [
            ("process.roles", "controller"),
            ("node.id", "1"),
            ("controller.listener.names", "CONTROLLER"),
            ("listeners", "CONTROLLER://:9093"),
            ("controller.quorum.voters", "1@localhost:9093"),
            ("log.dirs", "/b,/a"),
            ("metadata.log.dir", "/b"),
        ],
    )
    .unwrap()
}

fn disk(files: &[(&str, &str)]) -> MemDisk {
    let mut disk = MemDisk::new();
    for dir in ["/a", "/b"] {
        disk.create_dir_all(dir).unwrap();
    }
    for (path, text) in files {
        disk.create_dir_all(disk::path::parent(path)).unwrap();
        disk.create(path).unwrap();
        disk.append(path, &Bytes::copy_from_slice(text.as_bytes()))
            .unwrap();
    }
    disk
}

fn refusal(files: &[(&str, &str)]) -> DirectoryRefusal {
    match open(&config(), "date", Rng::from_seed(1), &mut disk(files)) {
        Err(DirectoriesError::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn a_directory_without_an_id_gets_one_and_keeps_it() {
    let bare = "version=1\nnode.id=1\ncluster.id=c\n";
    let mut disk = disk(&[("/a/meta.properties", GOOD), ("/b/meta.properties", bare)]);
    let first = open(&config(), "date", Rng::from_seed(1), &mut disk).unwrap();
    let again = open(&config(), "date", Rng::from_seed(2), &mut disk).unwrap();
    assert_eq!(first, again);
    assert_eq!(first.cluster_id, "c");
    assert_eq!(disk.read("/a/meta.properties").unwrap(), GOOD);
}

#[test]
fn each_refusal_says_what_is_wrong() {
    let refused =
        |b: &str| refusal(&[("/a/meta.properties", GOOD), ("/b/meta.properties", b)]).to_string();
    for (b, words) in [
        (GOOD, "is that of both /a and /b"),
        (
            "version=1\nnode.id=2\ncluster.id=c\n",
            "has node id 2, but this is node 1",
        ),
        (
            "version=1\nnode.id=1\ncluster.id=d\n",
            "has cluster.id d, the directories before it have c",
        ),
        (
            "version=1\nnode.id=1\ncluster.id=c\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAQ\n",
            "reserved directory id",
        ),
        (
            "version=9\n",
            "the metadata log directory /b has an unreadable meta.properties",
        ),
        ("cluster.id=c\n", "/b/meta.properties has no node id"),
        ("broker.id=1\n", "/b/meta.properties has no cluster.id"),
    ] {
        let text = refused(b);
        assert!(text.contains(words), "{b:?}: {text}");
    }
    assert_eq!(
        refusal(&[("/a/meta.properties", GOOD)]),
        DirectoryRefusal::NotFormatted {
            dir: "/b".to_owned()
        }
    );
    assert!(matches!(
        refusal(&[]),
        DirectoryRefusal::NoneReadable { .. }
    ));
    let elsewhere = [
        ("/a/meta.properties", GOOD),
        ("/a/__cluster_metadata-0/x", ""),
    ];
    assert!(matches!(
        refusal(&elsewhere),
        DirectoryRefusal::MetadataLogElsewhere { .. }
    ));
}
