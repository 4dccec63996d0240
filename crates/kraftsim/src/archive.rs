//! Archives of directories, read as a directory is: `.tar`, `.tar.gz`, `.tar.xz`, told by their content.
//!
//! An archive is unpacked in memory and in one go; nothing is ever written. Only plain files and directories count: every
//! other member is named as not read, and so are members whose names lead out of the archive, and what stands twice. An
//! archive that does not end with the mark of its end was cut short.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek as _};
use std::path::Path;

use disk::regular::{self, Regular};
use disk::tree::{Budget, Candidate, Excess, ReadFile, Reading, Want};
use disk::{EntryKind, Via, path};
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use tar::{Entry, EntryType};

use crate::limits::{
    GROWTH_ALLOWED_BYTES, GROWTH_ALLOWED_TIMES, MOST_UNPACKED_BYTES, MOST_XZ_MEMORY_KIB,
};

const TAR_MAGIC_AT: usize = 257;
/// So many first bytes tell how an archive is packed.
const HEAD_BYTES: u64 = 512;

/// How an archive is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    Gzip,
    Xz,
}

/// How these bytes are packed, if they are the first ones of an archive.
pub fn packing(head: &[u8]) -> Option<Packing> {
    if head.starts_with(&[0x1f, 0x8b]) {
        Some(Packing::Gzip)
    } else if head.starts_with(b"\xfd7zXZ\0") {
        Some(Packing::Xz)
    } else if head.get(TAR_MAGIC_AT..TAR_MAGIC_AT + 5) == Some(b"ustar") {
        Some(Packing::Plain)
    } else {
        None
    }
}

/// Reads what is wanted of the archive in a file; nothing where the file is none.
pub fn open(
    path: &Path,
    budget: &mut Budget,
    want: &mut dyn FnMut(&Candidate) -> Want,
) -> io::Result<Option<(Packing, Reading)>> {
    let Regular { mut file, metadata } = regular::open(path)?;
    let mut head = Vec::new();
    (&mut file).take(HEAD_BYTES).read_to_end(&mut head)?;
    file.rewind()?;
    let reading = |packing| (packing, read(packing, file, metadata.len(), budget, want));
    Ok(packing(&head).map(reading))
}

/// Reads what is wanted of an archive of `size` packed bytes.
pub fn read(
    packing: Packing,
    packed: impl Read,
    size: u64,
    budget: &mut Budget,
    want: &mut dyn FnMut(&Candidate) -> Want,
) -> Reading {
    let allowed = GROWTH_ALLOWED_BYTES.max(size.saturating_mul(GROWTH_ALLOWED_TIMES));
    let (unpacked, most): (Box<dyn Read + '_>, u64) = match packing {
        Packing::Plain => (Box::new(packed), MOST_UNPACKED_BYTES),
        Packing::Gzip => (
            Box::new(MultiGzDecoder::new(packed)),
            allowed.min(MOST_UNPACKED_BYTES),
        ),
        Packing::Xz => (
            Box::new(XzReader::new_mem_limit(packed, true, MOST_XZ_MEMORY_KIB)),
            allowed.min(MOST_UNPACKED_BYTES),
        ),
    };
    let unpacked = Unpacked {
        inner: unpacked,
        most,
        left: most,
        ended: false,
    };
    let mut members = Members {
        budget,
        want,
        known: BTreeMap::new(),
        reading: Reading::default(),
    };
    if let Err(error) = members.read_all(tar::Archive::new(unpacked)) {
        let place = members.known.len();
        let why = format!("the archive ends in the middle, after {place} members: {error}");
        members.reading.leave_out("", why);
    }
    members.files_are_no_directories();
    members.reading
}

/// The unpacked bytes, as far as they may be unpacked.
struct Unpacked<R> {
    inner: R,
    most: u64,
    left: u64,
    /// The end was seen.
    ended: bool,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.ended |= read == 0 && !into.is_empty();
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let most = self.most;
            io::Error::other(format!(
                "it unpacks to more than {most} bytes, which is the limit for an archive of this size"
            ))
        })?;
        Ok(read)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    File,
    Directory,
}

struct Members<'a> {
    budget: &'a mut Budget,
    want: &'a mut dyn FnMut(&Candidate) -> Want,
    known: BTreeMap<String, Member>,
    reading: Reading,
}

impl Members<'_> {
    fn read_all<R: Read>(&mut self, mut archive: tar::Archive<Unpacked<R>>) -> io::Result<()> {
        for entry in archive.entries()? {
            if let Err(excess) = self.budget.entry() {
                self.reading.leave_out("", excess);
                return Ok(());
            }
            self.member(entry?)?;
        }
        let mut rest = archive.into_inner();
        if rest.ended {
            let why = "the archive has no mark of its end: it may have been cut short";
            self.reading.leave_out("", why);
            return Ok(());
        }
        // Read to the end, so that a checksum behind it is compared.
        let mut buffer = [0; 8192];
        loop {
            match rest.read(&mut buffer)? {
                0 => return Ok(()),
                read if buffer[..read].iter().all(|byte| *byte == 0) => {}
                _ => {
                    let why = "more follows behind the mark of the archive's end";
                    self.reading.leave_out("", why);
                    return Ok(());
                }
            }
        }
    }

    fn member<R: Read>(&mut self, mut entry: Entry<R>) -> io::Result<()> {
        let Ok(raw) = String::from_utf8(entry.path_bytes().into_owned()) else {
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            self.reading.leave_out(name, "a name that is not UTF-8");
            return Ok(());
        };
        let kind = match kind_of(&mut entry, &raw)? {
            Kind::Plain(kind) => kind,
            Kind::Header => return Ok(()),
            Kind::Other(why) => {
                self.reading.leave_out(raw, why);
                return Ok(());
            }
        };
        // The directory that was packed itself.
        if kind == Member::Directory && path::clean(&raw).is_empty() {
            return Ok(());
        }
        let path = match path::below(&raw) {
            Ok(path) => path,
            Err(misplaced) => {
                self.reading.leave_out(raw, misplaced);
                return Ok(());
            }
        };
        match (self.known.get(&path), kind) {
            (None, _) => {}
            (Some(Member::Directory), Member::Directory) => return Ok(()),
            (Some(_), _) => {
                self.reading
                    .leave_out(path, "it stands in the archive twice");
                return Ok(());
            }
        }
        self.known.insert(path.clone(), kind);
        self.wanted(path, kind, &mut entry)
    }

    fn wanted<R: Read>(
        &mut self,
        path: String,
        kind: Member,
        entry: &mut Entry<R>,
    ) -> io::Result<()> {
        let size = entry.size();
        let kind = match kind {
            Member::Directory => EntryKind::Directory,
            Member::File => EntryKind::File { size },
        };
        let via = Via::Name;
        let want = (self.want)(&Candidate {
            path: &path,
            kind,
            via,
        });
        match (want, kind) {
            (Want::Nothing, _) | (Want::Name, EntryKind::Directory) => {}
            (Want::Refused(why), _) => self.reading.leave_out(path, why),
            (Want::Whole, EntryKind::Directory) => self.reading.add_directory(path),
            (Want::File | Want::Openable, EntryKind::Directory) => {
                self.reading
                    .leave_out(path, "a directory, not a regular file");
            }
            (Want::Name | Want::Openable, _) => self.reading.add(ReadFile::named(path, size)),
            (Want::Whole | Want::File, _) if path.split('/').count() > disk::tree::MOST_DEPTH => {
                self.reading.leave_out(path, Excess::Depth);
            }
            (Want::Whole | Want::File, _) => match self.budget.file(size) {
                Err(excess) => self.reading.leave_out(path, excess),
                Ok(()) => return self.content(path, size, entry),
            },
        }
        Ok(())
    }

    fn content<R: Read>(
        &mut self,
        path: String,
        size: u64,
        entry: &mut Entry<R>,
    ) -> io::Result<()> {
        let mut content = Vec::new();
        let read = entry.take(size).read_to_end(&mut content);
        let found = content.len() as u64;
        if read.is_err() || found < size {
            let why = format!("the archive ends after {found} of its {size} bytes");
            self.reading.leave_out(path, why);
            return read.and_then(|_| Err(io::ErrorKind::UnexpectedEof.into()));
        }
        self.reading.add(ReadFile {
            path,
            size,
            content: Some(content.into()),
            grew_by: 0,
        });
        Ok(())
    }

    /// Names every member that is a file, and a directory for others.
    fn files_are_no_directories(&mut self) {
        for (path, _) in self.known.iter().filter(|(_, kind)| **kind == Member::File) {
            let inside = format!("{path}/");
            let next = self.known.range(inside.clone()..).next();
            if next.is_some_and(|(other, _)| other.starts_with(&inside)) {
                self.reading
                    .leave_out(path, "it is a file and a directory in the archive");
            }
        }
    }
}

enum Kind {
    Plain(Member),
    /// It says something of the archive, or of members to come, that changes nothing in what they hold.
    Header,
    /// Something else, in words.
    Other(String),
}

fn kind_of<R: Read>(entry: &mut Entry<R>, path: &str) -> io::Result<Kind> {
    let target = entry
        .link_name_bytes()
        .map(|target| String::from_utf8_lossy(&target).into_owned())
        .unwrap_or_default();
    let kind = entry.header().entry_type();
    Ok(match kind {
        EntryType::Regular | EntryType::Continuous => match said_by_pax(entry)? {
            Some(odd) => Kind::Other(odd),
            None if path.ends_with('/') && entry.size() == 0 => Kind::Plain(Member::Directory),
            None if path.ends_with('/') => {
                Kind::Other("a file with the name of a directory".to_owned())
            }
            None => Kind::Plain(Member::File),
        },
        EntryType::Directory => Kind::Plain(Member::Directory),
        EntryType::Link => Kind::Other(format!("a hard link to {target}, not a regular file")),
        EntryType::Symlink => {
            Kind::Other(format!("a symbolic link to {target}, not a regular file"))
        }
        EntryType::Fifo => Kind::Other("a FIFO, not a regular file".to_owned()),
        EntryType::Char => Kind::Other("a character device, not a regular file".to_owned()),
        EntryType::Block => Kind::Other("a block device, not a regular file".to_owned()),
        EntryType::GNUSparse => Kind::Other(SPARSE.to_owned()),
        EntryType::XGlobalHeader => match global(entry)? {
            Some(odd) => Kind::Other(odd),
            None => Kind::Header,
        },
        other => {
            let letter = other.as_byte().escape_ascii();
            Kind::Other(format!(
                "a member of the type `{letter}`, not a regular file"
            ))
        }
    })
}

const SPARSE: &str = "a sparse file, of which the archive leaves parts out";

/// What an extended header says that makes a member something else than the plain file that it looks like.
fn said_by_pax<R: Read>(entry: &mut Entry<R>) -> io::Result<Option<String>> {
    let Some(records) = entry.pax_extensions()? else {
        return Ok(None);
    };
    let mut paths = 0;
    for record in records {
        let Ok(Ok(key)) = record.as_ref().map(tar::PaxExtension::key) else {
            return Ok(Some("an extended header that cannot be read".to_owned()));
        };
        if key.starts_with("GNU.sparse.") {
            return Ok(Some(SPARSE.to_owned()));
        }
        paths += u32::from(key == "path");
    }
    Ok((paths > 1).then(|| "an extended header with two paths".to_owned()))
}

/// What a header for all members to come says of more than when and by whom they were made.
fn global<R: Read>(entry: &mut Entry<R>) -> io::Result<Option<String>> {
    const HARMLESS: [&str; 8] = [
        "comment", "atime", "ctime", "mtime", "uid", "gid", "uname", "gname",
    ];
    let Some(records) = entry.pax_extensions()? else {
        return Ok(None);
    };
    for record in records {
        let Ok(Ok(key)) = record.as_ref().map(tar::PaxExtension::key) else {
            return Ok(Some("a global header that cannot be read".to_owned()));
        };
        if !HARMLESS.contains(&key) {
            return Ok(Some(format!(
                "a global header that sets {key} of all members"
            )));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
