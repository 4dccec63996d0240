//! Archives of directories: `.tar`, `.tar.gz`, `.tar.xz`, told by their content.

use std::io::Read;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

/// An archive that unpacks to more than this is refused.
const MAX_UNPACKED_BYTES: u64 = 8 << 30;
/// Memory that unpacking may take.
const XZ_MEMORY_KIB: u32 = 256 * 1024;

const TAR_MAGIC_AT: usize = 257;

/// How an archive is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip.
    Gzip,
    /// xz.
    Xz,
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedFile {
    /// Its path, without a leading `./`.
    pub path: String,
    /// Its content.
    pub content: Bytes,
}

/// The files of an archive in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// Files that are whole.
    pub files: Vec<ArchivedFile>,
    /// Why the files end before the archive says they do.
    pub damage: Option<String>,
}

/// How these bytes are packed, if they are those of an archive.
pub fn packing(bytes: &[u8]) -> Option<Packing> {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        Some(Packing::Gzip)
    } else if bytes.starts_with(b"\xfd7zXZ\0") {
        Some(Packing::Xz)
    } else if bytes.get(TAR_MAGIC_AT..TAR_MAGIC_AT + 5) == Some(b"ustar") {
        Some(Packing::Plain)
    } else {
        None
    }
}

/// Reads an archive: all files of a good one, those in front of the damage of a damaged one.
pub fn read(packing: Packing, bytes: &Bytes) -> Archive {
    let (unpacked, damage) = match packing {
        Packing::Plain => (bytes.clone(), None),
        Packing::Gzip => unpack(MultiGzDecoder::new(&bytes[..])),
        Packing::Xz => unpack(XzReader::new_mem_limit(&bytes[..], true, XZ_MEMORY_KIB)),
    };
    let mut archive = Archive {
        files: Vec::new(),
        damage,
    };
    if let Err(error) = read_tar(&unpacked, &mut archive.files) {
        let place = format!("after {} files: {error}", archive.files.len());
        archive.damage.get_or_insert(place);
    }
    archive
}

/// What can be unpacked, and why not more.
fn unpack(reader: impl Read) -> (Bytes, Option<String>) {
    let mut unpacked = Vec::new();
    let damage = match reader.take(MAX_UNPACKED_BYTES).read_to_end(&mut unpacked) {
        Err(error) => Some(format!("after {} unpacked bytes: {error}", unpacked.len())),
        Ok(_) if unpacked.len() as u64 == MAX_UNPACKED_BYTES => {
            Some(format!("more than {MAX_UNPACKED_BYTES} bytes"))
        }
        Ok(_) => None,
    };
    (Bytes::from(unpacked), damage)
}

fn read_tar(unpacked: &Bytes, files: &mut Vec<ArchivedFile>) -> std::io::Result<()> {
    let mut archive = tar::Archive::new(&unpacked[..]);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let path = path.strip_prefix("./").map_or(path.clone(), str::to_owned);
        let size = entry.size();
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        if (content.len() as u64) < size {
            let found = format!("{path} has {} of its {size} bytes", content.len());
            return Err(std::io::Error::new(
                std::io::ErrorKind::UnexpectedEof,
                found,
            ));
        }
        files.push(ArchivedFile {
            path,
            content: Bytes::from(content),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn tar() -> Bytes {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, content) in [("./a", "first"), ("d/b", "second")] {
            let mut header = tar::Header::new_ustar();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            builder
                .append_data(&mut header, path, content.as_bytes())
                .unwrap();
        }
        Bytes::from(builder.into_inner().unwrap())
    }

    fn gzip(bytes: &[u8]) -> Bytes {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        Bytes::from(encoder.finish().unwrap())
    }

    fn names(archive: &Archive) -> Vec<&str> {
        archive
            .files
            .iter()
            .map(|file| file.path.as_str())
            .collect()
    }

    #[test]
    fn plain_and_packed_hold_the_same() {
        let plain = tar();
        assert_eq!(packing(&plain), Some(Packing::Plain));
        let archive = read(Packing::Plain, &plain);
        assert_eq!(
            (names(&archive), &archive.damage),
            (vec!["a", "d/b"], &None)
        );
        assert_eq!(archive.files[1].content, "second");
        let packed = gzip(&plain);
        assert_eq!(packing(&packed), Some(Packing::Gzip));
        assert_eq!(read(Packing::Gzip, &packed), archive);
        assert_eq!(packing(b"quorum-state"), None);
    }

    #[test]
    fn a_cut_archive_gives_what_is_whole() {
        let plain = tar();
        let archive = read(Packing::Plain, &plain.slice(..512 + 512 + 512 + 3));
        assert_eq!(names(&archive), ["a"]);
        assert!(archive.damage.unwrap().contains("d/b has 3 of its 6 bytes"));
        let packed = gzip(&plain);
        let archive = read(Packing::Gzip, &packed.slice(..packed.len() - 9));
        assert!(archive.damage.is_some());
    }

    #[test]
    fn no_damage_makes_it_panic() {
        let packed = gzip(&tar());
        for at in 0..packed.len() {
            let mut flipped = packed.to_vec();
            flipped[at] ^= 0x10;
            read(Packing::Gzip, &Bytes::from(flipped));
            read(Packing::Gzip, &packed.slice(..at));
        }
    }
}
