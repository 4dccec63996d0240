//! What the log says: metadata and control records, feature levels, Uuid; bytes <-> values, no I/O.
