use bytes::Bytes;
use raft_log::batch::{Batch, RecordView};
use records::control::ControlRecord;
use records::metadata::VersionedRecord;

use super::record::{control_record, record};
use super::visible::visible;

/// One record of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLine {
    pub offset: i64,
    /// What it says.
    pub text: String,
}

/// The records of a batch in words; one that cannot be read ends the list, with the reason.
pub fn batch_lines(batch: &Batch) -> Vec<RecordLine> {
    let mut offset = batch.base_offset();
    batch
        .records()
        .map(|found| match found {
            Ok(view) => {
                offset = view.offset;
                RecordLine {
                    offset,
                    text: words(batch, &view),
                }
            }
            Err(error) => RecordLine {
                offset,
                text: format!("unreadable: {error}"),
            },
        })
        .collect()
}

fn words(batch: &Batch, view: &RecordView) -> String {
    let value = bytes_of(view.value.as_ref());
    let decoded = if batch.is_control() {
        ControlRecord::decode(bytes_of(view.key.as_ref()), value)
            .map(|decoded| control_record(&decoded))
    } else {
        VersionedRecord::decode(value).map(|decoded| record(&decoded))
    };
    decoded.unwrap_or_else(|error| visible(&format!("unreadable: {error}")).into_owned())
}

fn bytes_of(field: Option<&Bytes>) -> &[u8] {
    field.map_or(&[], |bytes| bytes.as_ref())
}
