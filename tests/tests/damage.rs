//! Files of real Kafka, flipped, cut and inflated at every byte: a reader never panics, never takes memory out of
//! proportion to the file, and names a place inside the file.

use std::collections::BTreeMap;

use bytes::Bytes;
use kraftsim_tests::kafka_files::{KafkaFile, distinct};
use kraftsim_tests::readers::{self, FILE, OF_BATCHES, OF_TEXT, Reader};
use raft_log::Corrupt;
use rayon::prelude::*;

/// At how many bytes of a file the damage is done.
#[derive(Clone, Copy)]
enum Reach {
    /// Every byte of the smallest files of each kind, some bytes of all others: for every run of the tests.
    Sample,
    /// Every byte of every file: on demand, in a release build.
    Everything,
}

/// Files up to this size are damaged at every byte in every run: header, a few records and footer fit.
const SMALL_BYTES: usize = 300;
/// At how many places any other file is.
const PLACES: usize = 16;
/// A byte of a file may become this many in memory: a record of a dozen bytes becomes a typed value of hundreds.
const GROWTH: u64 = 128;
/// What reading takes whatever the size: names, messages, an empty log.
const OVERHEAD: u64 = 32 * 1024;

/// One file of each shape: files of one name and size differ in ids and times only.
fn shapes(want: fn(&str) -> bool) -> Vec<KafkaFile> {
    let mut shapes: BTreeMap<(String, usize), KafkaFile> = BTreeMap::new();
    for file in distinct()
        .into_iter()
        .filter(|file| want(&file.name) && !file.tampered)
    {
        let kind = file.name.rsplit('.').next().unwrap_or_default().to_owned();
        shapes.entry((kind, file.content.len())).or_insert(file);
    }
    shapes.into_values().collect()
}

fn of_batches() -> Vec<KafkaFile> {
    let mut files = shapes(|name| {
        matches!(name.rsplit('.').next(), Some("log" | "checkpoint")) && name != "quorum-state"
    });
    // The small ones show everything that the large ones show but their size.
    files.retain(|file| file.content.len() <= 16 * 1024);
    files
}

fn places(file: &KafkaFile, reach: Reach) -> impl Iterator<Item = usize> {
    let size = file.content.len();
    let step = match reach {
        Reach::Sample if size > SMALL_BYTES => size.div_ceil(PLACES),
        Reach::Sample | Reach::Everything => 1,
    };
    (0..size).step_by(step)
}

/// Reads with one reader and checks what every reader owes; returns the errors.
fn read((name, reader): &Reader, bytes: &Bytes, what: &str) -> Vec<Corrupt> {
    let mut errors = Vec::new();
    let used = allocation_counter::measure(|| errors = reader(bytes));
    let size = bytes.len() as u64;
    let limit = GROWTH * size + OVERHEAD;
    assert!(
        used.bytes_max <= limit,
        "{what}: {name} took {} bytes for {size}",
        used.bytes_max
    );
    for error in &errors {
        assert_eq!(error.file, FILE, "{what}: {name}: {error}");
        assert!(error.position <= size, "{what}: {name}: {error}");
        assert!(
            !error.expected.is_empty() && !error.found.is_empty(),
            "{what}: {name}: {error}"
        );
    }
    errors
}

fn read_all(readers: &[Reader], bytes: &Bytes, what: &str) {
    for reader in readers {
        read(reader, bytes, what);
    }
}

fn batches_flipped(reach: Reach) {
    of_batches().par_iter().for_each(|file| {
        for at in places(file, reach) {
            let mut bytes = file.content.to_vec();
            bytes[at] ^= [0x01, 0x80, 0xff, 0x40][at % 4];
            let what = format!("{} flipped at byte {at}", file.origin);
            let flipped = Bytes::from(bytes);
            read_all(OF_BATCHES, &flipped, &what);
            // Offset and epoch of a batch are outside its checksum; anything else is noticed.
            let errors = read(&readers::named("batches"), &flipped, &what);
            assert_eq!(
                errors.is_empty(),
                outside_checksum(file, at),
                "{what}: {errors:?}"
            );
            read_all(OF_BATCHES, &readers::with_valid_checksums(&flipped), &what);
        }
    });
}

fn outside_checksum(file: &KafkaFile, at: usize) -> bool {
    let mut start = 0;
    for batch in raft_log::batch::read_batches(FILE, &file.content, 0).flatten() {
        if at < start + batch.size() {
            let within = at - start;
            return within < 8 || (12..16).contains(&within);
        }
        start += batch.size();
    }
    false
}

fn batches_cut(reach: Reach) {
    of_batches().par_iter().for_each(|file| {
        let mut ends = vec![0];
        for batch in raft_log::batch::read_batches(FILE, &file.content, 0).flatten() {
            ends.push(ends[ends.len() - 1] + batch.size());
        }
        for at in places(file, reach) {
            let what = format!("{} cut at byte {at}", file.origin);
            let cut = file.content.slice(..at);
            let errors = read(&readers::named("batches"), &cut, &what);
            assert_eq!(errors.is_empty(), ends.contains(&at), "{what}: {errors:?}");
            read_all(OF_BATCHES, &cut, &what);
        }
    });
}

fn batches_inflated(reach: Reach) {
    of_batches().par_iter().for_each(|file| {
        for at in places(file, reach) {
            let (before, after) = file.content.split_at(at);
            let what = format!("{} inflated at byte {at}", file.origin);
            // More bytes than there were, and lengths that promise more than there is.
            for inserted in [&[0_u8][..], &[0xff; 5]] {
                let bytes = Bytes::from([before, inserted, after].concat());
                read_all(OF_BATCHES, &bytes, &what);
                read_all(OF_BATCHES, &readers::with_valid_checksums(&bytes), &what);
            }
            let mut bytes = file.content.to_vec();
            for (byte, huge) in bytes[at..].iter_mut().zip([0x7f, 0xff, 0xff, 0xff]) {
                *byte = huge;
            }
            let promised = Bytes::from(bytes);
            read_all(OF_BATCHES, &promised, &what);
            read_all(OF_BATCHES, &readers::with_valid_checksums(&promised), &what);
        }
    });
}

fn text_files_damaged(reach: Reach) {
    let files = shapes(|name| {
        name.ends_with("properties")
            || [
                "quorum-state",
                "leader-epoch-checkpoint",
                "partition.metadata",
            ]
            .contains(&name)
    });
    assert!(files.len() > 10, "{} files", files.len());
    files.par_iter().for_each(|file| {
        for at in places(file, reach) {
            let what = format!("{} damaged at byte {at}", file.origin);
            let (before, after) = file.content.split_at(at);
            let mut flipped = file.content.to_vec();
            flipped[at] ^= [0x01, 0x80, 0xff, 0x40][at % 4];
            for bytes in [
                Bytes::from(flipped),
                file.content.slice(..at),
                Bytes::from([before, b"9999999999", after].concat()),
                Bytes::from([before, b"[[[[[[[[{\"\\u", after].concat()),
            ] {
                read_all(OF_TEXT, &bytes, &what);
            }
        }
    });
}

#[test]
fn flipped_batches_are_noticed() {
    batches_flipped(Reach::Sample);
}

#[test]
fn cut_batches_are_noticed() {
    batches_cut(Reach::Sample);
}

#[test]
fn inflated_batches_do_no_harm() {
    batches_inflated(Reach::Sample);
}

#[test]
fn damaged_text_files_do_no_harm() {
    text_files_damaged(Reach::Sample);
}

#[test]
#[ignore = "minutes; `cargo test --release -p kraftsim-tests --test damage -- --ignored`"]
fn every_byte_of_every_file() {
    batches_flipped(Reach::Everything);
    batches_cut(Reach::Everything);
    batches_inflated(Reach::Everything);
    text_files_damaged(Reach::Everything);
}
