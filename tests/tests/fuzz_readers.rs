//! A fuzz target for every reader. Under `cargo test` each runs over its corpus and a bounded number of random inputs;
//! `cargo bolero test fuzz_readers::…` runs one for as long as wanted.

use bytes::Bytes;
use kraftsim_tests::readers::{FILE, named, with_valid_checksums};

fn fuzz(reader: &str, input: &[u8]) {
    let bytes = Bytes::copy_from_slice(input);
    for bytes in [with_valid_checksums(input), bytes] {
        for error in (named(reader).1)(&bytes) {
            assert_eq!(error.file, FILE, "{error}");
            assert!(error.position <= bytes.len() as u64, "{error}");
        }
    }
}

macro_rules! targets {
    ($($name:ident: $reader:literal;)*) => {
        $(
            #[test]
            fn $name() {
                bolero::check!().with_iterations(2_000).with_max_len(1_024).for_each(|input: &[u8]| fuzz($reader, input));
            }
        )*
    };
}

targets! {
    batches: "batches";
    unchecked_batches: "batches whatever their checksum";
    checkpoint: "checkpoint";
    legacy_file: "legacy file";
    segment_of_a_log: "segment of a log";
    quorum_state: "quorum-state";
    leader_epoch_checkpoint: "leader-epoch-checkpoint";
    partition_metadata: "partition.metadata";
    meta_properties: "meta.properties";
    properties: "properties";
}
