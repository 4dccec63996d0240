//! How large a scenario may be. Whatever goes beyond a limit is a problem that names it; `docs/limits.md` lists them.

use determinism::Time;

/// Controllers and observers of one world.
pub const MOST_NODES: usize = 64;
/// The most bytes that a line may have.
pub const MOST_LINE_BYTES: usize = 64 << 10;
/// Commands inside each other: `repeat` in `repeat`, and a command behind `at` or `when`.
pub const MOST_DEPTH: usize = 16;
/// Commands that are carried out, those of a `repeat` as often as they are repeated.
pub const MOST_COMMANDS: u64 = 100_000;
/// Lines with `at`, `when` and `never` that wait at the same time.
pub const MOST_WAITING: usize = 10_000;
/// Simulated time: 7 days.
pub const MOST_TIME: Time = Time::from_secs(7 * 24 * 3600);
/// The most events that one scenario may cause.
pub const MOST_EVENTS: u64 = 10_000_000;
/// What all commands print together, in bytes: 64 MiB.
pub const MOST_PRINTED_BYTES: usize = 64 << 20;
