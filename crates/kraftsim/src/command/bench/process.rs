//! What the operating system says of this process. Where it does not say (no Linux), the clock on the wall has to do.

use std::fs;
use std::time::Instant;

/// Time on a processor since a moment.
pub(super) struct CpuClock {
    wall: Instant,
    on_processor_ns: Option<u64>,
}

impl CpuClock {
    /// From now on.
    pub(super) fn started() -> Self {
        CpuClock {
            wall: Instant::now(),
            on_processor_ns: on_processor_ns(),
        }
    }

    /// Microseconds since the start.
    pub(super) fn elapsed_us(&self) -> u64 {
        match (self.on_processor_ns, on_processor_ns()) {
            (Some(start), Some(now)) => (now - start) / 1_000,
            _ => u64::try_from(self.wall.elapsed().as_micros()).unwrap_or(u64::MAX),
        }
    }
}

/// The first field of `schedstat`: nanoseconds that this thread has spent on a processor.
fn on_processor_ns() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// The most memory that the process has held since [`forget_peak`].
pub(super) fn peak_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// Begins the peak anew, where the system lets us; otherwise it is that of the whole process so far.
pub(super) fn forget_peak() {
    let asked = fs::write("/proc/self/clear_refs", "5");
    drop(asked);
}
