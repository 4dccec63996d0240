//! How much `drive` takes: far more than a schedule needs, and little enough that no input uses up the machine.

/// Voters and observers together.
pub(super) const NODES: usize = 100;
/// The most bytes that a line of a schedule may have.
pub const LINE_BYTES: usize = 16 << 20;
/// Records of one command.
pub(super) const RECORDS: i64 = 1 << 20;
/// The highest id of a node: its port is 9000 more.
pub(super) const HIGHEST_ID: i32 = 65_535 - 9_000;
