//! What a disk holds: batches, segments, checkpoints, legacy file, quorum-state, meta.properties
