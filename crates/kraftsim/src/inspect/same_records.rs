//! Checkpoints that two nodes wrote of the same state.

use bytes::Bytes;
use disk::path::file_name;
use raft_log::batch::RecordError;
use raft_log::checkpoint::parse_name;
use records::control::ControlRecord;

use super::FileReport;
use super::file_report::Content;

/// Whether both are whole checkpoints with the same id and the same records.
///
/// The order of metadata records, how they are cut into batches and when they were written depend on the process that wrote
/// them: images lie in hash maps, and the hash of some keys, such as `ConfigResource`, contains the identity hash of an enum
/// constant (`4.4:metadata/…/image/ConfigurationsImage.java`, `4.4:clients/…/common/config/ConfigResource.java`).
pub fn hold_the_same_records(left: &FileReport, right: &FileReport) -> bool {
    let id = |file: &FileReport| parse_name(file_name(&file.path)).ok().flatten();
    let (Some(a), Some(b)) = (id(left), id(right)) else {
        return false;
    };
    let are_whole = left.damage.is_empty() && right.damage.is_empty();
    a == b && are_whole && matches!((records(left), records(right)), (Some(a), Some(b)) if a == b)
}

/// The control records in their order, and the values of the metadata records, sorted.
fn records(file: &FileReport) -> Option<(Vec<ControlRecord>, Vec<Option<Bytes>>)> {
    let Content::Batches(batches) = &file.content else {
        return None;
    };
    let (mut control, mut metadata) = (Vec::new(), Vec::new());
    for at in batches {
        if at.batch.is_control() {
            control.extend(at.batch.control_records().ok()?);
        } else {
            let values = at.batch.records().map(|record| Ok(record?.value));
            metadata.extend(values.collect::<Result<Vec<_>, RecordError>>().ok()?);
        }
    }
    metadata.sort_unstable();
    Some((control, metadata))
}
