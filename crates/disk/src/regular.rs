//! The one place that opens files of the real file system for reading.
//!
//! Only a regular file is ever opened, links followed: opening a FIFO waits for its writer, a device may have no end, and
//! both may stand behind a link. The kind is asked for before the file is opened, and again of what was opened, in case
//! that somebody replaced it in between; the flags of the opening make sure that even then nothing waits.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;

use crate::Special;

/// The largest file that is read whole: 512 MiB.
pub const MOST_FILE_BYTES: u64 = 512 << 20;

/// A regular file, open for reading.
#[derive(Debug)]
pub struct Regular {
    /// The file, at its beginning.
    pub file: File,
    /// What the system says of it since it is open.
    pub metadata: Metadata,
}

/// Opens a regular file for reading.
pub fn open(path: &Path) -> io::Result<Regular> {
    must_be_regular(&fs::metadata(path)?)?;
    let file = options().open(path)?;
    let metadata = file.metadata()?;
    must_be_regular(&metadata)?;
    Ok(Regular { file, metadata })
}

/// The content of a regular file of at most `most` bytes. What is appended while it is read is left out.
pub fn read(path: &Path, most: u64) -> io::Result<Bytes> {
    let Regular { file, metadata } = open(path)?;
    let size = metadata.len();
    if size > most {
        return Err(too_large(size, most));
    }
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

/// The error of a file that is larger than what may be read of one.
pub fn too_large(size: u64, most: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("it has {size} bytes, and at most {most} are read"),
    )
}

fn must_be_regular(metadata: &Metadata) -> io::Result<()> {
    let found = metadata.file_type();
    if found.is_file() {
        return Ok(());
    }
    let kind = if found.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "a directory, not a regular file",
        ));
    } else {
        special(found)
    };
    Err(io::Error::other(kind.to_string()))
}

/// What kind of thing a file type is that is neither that of a directory nor of a regular file.
#[cfg(unix)]
pub(crate) fn special(found: FileType) -> Special {
    use std::os::unix::fs::FileTypeExt as _;
    if found.is_fifo() {
        Special::Fifo
    } else if found.is_socket() {
        Special::Socket
    } else if found.is_char_device() {
        Special::CharacterDevice
    } else if found.is_block_device() {
        Special::BlockDevice
    } else {
        Special::Unknown
    }
}

#[cfg(not(unix))]
pub(crate) fn special(_found: FileType) -> Special {
    Special::Unknown
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    options
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    fn refused(path: &Path) -> String {
        read(path, 10).expect_err("nothing to read").to_string()
    }

    #[test]
    fn only_regular_files_are_opened() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        fs::write(at("plain"), b"0123456789").unwrap();
        symlink(at("plain"), at("link")).unwrap();
        assert_eq!(read(&at("link"), 10).unwrap(), "0123456789");
        assert!(read(&at("plain"), 9).is_err());

        assert!(
            Command::new("mkfifo")
                .arg(at("fifo"))
                .status()
                .unwrap()
                .success()
        );
        let _socket = UnixListener::bind(at("socket")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        symlink("nowhere", at("broken")).unwrap();
        assert_eq!(refused(&at("fifo")), "a FIFO, not a regular file");
        assert_eq!(refused(&at("socket")), "a socket, not a regular file");
        assert_eq!(
            refused(&at("zero")),
            "a character device, not a regular file"
        );
        assert_eq!(refused(temp.path()), "a directory, not a regular file");
        assert_eq!(
            read(&at("broken"), 10).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
    }
}
