//! Every record that stands in the logs and checkpoints of the recorded cells, read and written again: the same bytes.

use std::io::Read as _;
use std::path::Path;

use bytes::Bytes;
use flate2::read::GzDecoder;
use raft_log::batch::read_batches;
use records::control::ControlRecord;
use records::metadata::VersionedRecord;
use tar::Archive;

/// Records of one file, up to the first batch that is damaged (some cells damage one on purpose).
fn check_file(name: &str, bytes: &Bytes) -> u64 {
    let mut count = 0;
    for batch in read_batches(name, bytes, 0).map_while(Result::ok) {
        for record in batch.records() {
            let record = record.unwrap_or_else(|error| panic!("{name}: {error}"));
            let value = record.value.as_deref().unwrap_or_default();
            let (mut key_again, mut value_again) = (Vec::new(), Vec::new());
            if batch.is_control() {
                let key = record.key.as_deref().unwrap_or_default();
                let control = ControlRecord::decode(key, value)
                    .unwrap_or_else(|error| panic!("{name}, offset {}: {error}", record.offset));
                assert!(
                    control.kind().is_some(),
                    "{name}: a control record of unknown type"
                );
                control.encode_key(&mut key_again);
                control
                    .encode_value(&mut value_again)
                    .expect("what was read can be written");
                assert_eq!(key_again, key, "{name}, offset {}", record.offset);
            } else {
                let data = VersionedRecord::decode(value)
                    .unwrap_or_else(|error| panic!("{name}, offset {}: {error}", record.offset));
                data.encode(&mut value_again)
                    .expect("what was read can be written");
            }
            assert_eq!(value_again, value, "{name}, offset {}", record.offset);
            count += 1;
        }
    }
    count
}

fn is_batches(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.extension().is_some_and(|extension| extension == "log") || name.contains(".checkpoint")
}

fn check_cell(archive: &Path) -> u64 {
    let file = std::fs::File::open(archive).expect("a cell has its input");
    let mut count = 0;
    for entry in Archive::new(GzDecoder::new(file)).entries().expect("a tar") {
        let mut entry = entry.expect("a whole tar");
        let path = entry.path().expect("a readable name").into_owned();
        if entry.header().entry_type().is_file() && is_batches(&path) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("a whole tar");
            let name = format!("{}: {}", archive.display(), path.display());
            count += check_file(&name, &Bytes::from(bytes));
        }
    }
    count
}

#[test]
fn every_recorded_record_is_written_as_it_was_read() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut cells = 0;
    let mut records = 0;
    for cell in std::fs::read_dir(golden).expect("tests/golden").flatten() {
        let archive = cell.path().join("input.tar.gz");
        if archive.is_file() {
            cells += 1;
            records += check_cell(&archive);
        }
    }
    assert!(
        cells > 500 && records > 13_000,
        "{cells} cells, {records} records"
    );
}
