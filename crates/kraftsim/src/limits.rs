//! How much is read at most; each limit is named in the error of what goes beyond it, and stands in `docs/limits.md`.
//!
//! The limits of directories and archives alike (entries, bytes, depth, length of names) are those of
//! [`disk::tree`], [`disk::regular`] and [`disk::path`]; those of scenarios are in [`simulator::scenario::limits`].

/// An archive is unpacked up to this many bytes: 4 GiB. Not all of them are kept in memory.
pub const MOST_UNPACKED_BYTES: u64 = 4 << 30;
/// A packed archive may grow to this: 256 MiB …
pub const GROWTH_ALLOWED_BYTES: u64 = 256 << 20;
/// … or to this many times its packed size, whichever is more.
pub const GROWTH_ALLOWED_TIMES: u64 = 32;
/// Memory that unpacking an `.xz` may take, in KiB: 128 MiB.
pub const MOST_XZ_MEMORY_KIB: u32 = 128 * 1024;
/// The largest `server.properties`: 1 MiB.
pub const MOST_CONFIG_BYTES: u64 = 1 << 20;
/// The largest scenario file: 1 MiB.
pub const MOST_SCENARIO_BYTES: u64 = 1 << 20;
/// The largest `result.json` that `write` takes records from: 16 MiB.
pub const MOST_RECORDING_BYTES: u64 = 16 << 20;
/// Things that were not read and are listed one by one; more are counted.
pub const MOST_LISTED: usize = 20;
/// Failing seeds of one `explore` that are kept with what happened; more are counted.
pub const MOST_FAILURES_KEPT: usize = 1000;
