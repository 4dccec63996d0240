//! Copying a directory from one disk to another.

use crate::{Disk, DiskError, EntryKind, Operation, Result, path};

/// Copies directory `from` with all in it to `to` on another disk, and returns the number of files copied.
pub fn copy_tree(
    source: &mut dyn Disk,
    from: &str,
    target: &mut dyn Disk,
    to: &str,
) -> Result<usize> {
    target.create_dir_all(to)?;
    let mut count = 0;
    for entry in source.list(from)? {
        let source_path = path::join(from, &entry.name);
        let target_path = path::join(to, &entry.name);
        match entry.kind {
            EntryKind::Directory => count += copy_tree(source, &source_path, target, &target_path)?,
            EntryKind::File { .. } => {
                let content = source.read(&source_path)?;
                target.create(&target_path)?;
                target.append(&target_path, &content)?;
                count += 1;
            }
            EntryKind::Special(special) => {
                return Err(DiskError::Failed {
                    operation: Operation::Read,
                    path: source_path,
                    reason: special.to_string(),
                });
            }
        }
    }
    Ok(count)
}
