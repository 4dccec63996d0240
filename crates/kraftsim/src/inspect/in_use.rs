//! Whether a process holds a directory.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What the `.lock` file of a log directory says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// A process holds it.
    Held,
    /// It stands there and nobody is seen to hold it: the process died, or runs where its locks are not seen.
    LeftBehind,
}

/// Asks the system who holds a lock file; the file itself is not touched, since even trying its lock could make a
/// starting server give up.
pub fn lock_state(path: &Path) -> Lock {
    let held = std::fs::metadata(path).is_ok_and(|metadata| {
        let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
        held_by_someone(&locks, metadata.dev(), metadata.ino())
    });
    if held { Lock::Held } else { Lock::LeftBehind }
}

/// Looks for device and inode in the sixth column of `/proc/locks`: `major:minor:inode`, the first two in hexadecimal.
fn held_by_someone(locks: &str, device: u64, inode: u64) -> bool {
    let major = (device >> 8) & 0xfff;
    let minor = (device & 0xff) | ((device >> 12) & 0xfff00);
    let wanted = format!("{major:02x}:{minor:02x}:{inode}");
    locks
        .lines()
        .any(|line| line.split_ascii_whitespace().any(|word| word == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_found_by_device_and_inode() {
        let locks = "1: POSIX  ADVISORY  WRITE 3548 fe:01:1835034 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 700 00:17:88 0 EOF\n";
        assert!(held_by_someone(locks, 0xfe01, 1_835_034));
        assert!(!held_by_someone(locks, 0xfe01, 183_503));
        assert!(!held_by_someone(locks, 0xfe02, 1_835_034));
        assert!(!held_by_someone("", 0, 0));
    }
}
