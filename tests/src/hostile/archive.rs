//! Archives: real ones with bytes, headers and blocks changed.

use std::io::{Read as _, Write as _};
use std::sync::LazyLock;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::Dice;
use crate::repository::golden;

const BLOCK: usize = 512;

/// Plain tars of some directories of real Kafka.
static REAL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let cells = [
        "c-restart-static-4.4.0",
        "a-standalone-f3.9.2-s3.9.2",
        "a-static-f4.3.1-s4.4.0",
    ];
    let unpacked = |cell: &&str| {
        let packed = std::fs::read(golden().join(cell).join("input.tar.gz"));
        let packed = packed.expect("the repository carries its cells");
        let mut tar = Vec::new();
        let read = MultiGzDecoder::new(packed.as_slice()).read_to_end(&mut tar);
        read.expect("a recorded archive is whole");
        tar
    };
    cells.iter().map(unpacked).collect()
});

/// Places in the header of a member: where, how long, and what is written there.
const FIELDS: [(usize, usize, &[&[u8]]); 5] = [
    (
        0,
        100,
        &[
            b"../../outside",
            b"/tmp/kraftsim-outside",
            b"..",
            b"data/../../x",
            b"\x1b[2J",
            b"",
            b"meta.properties",
            b"data/__cluster_metadata-0/00000000000000000000.log",
            b"\xff\xfe",
        ],
    ),
    (
        124,
        12,
        &[
            b"77777777777\0",
            b"00000000000\0",
            b"\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff",
            b"-0000000001\0",
            b"99999999999\0",
        ],
    ),
    (
        156,
        1,
        &[
            b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"L", b"K", b"S", b"x", b"g", b"\0", b"Z",
        ],
    ),
    (
        157,
        100,
        &[b"../../outside", b"/etc/passwd", b"meta.properties"],
    ),
    (345, 155, &[b"..", b"/", b"a/b/c", b"\x1b]0;x\x07"]),
];

/// A changed archive, plain or packed.
pub fn archive(dice: &mut Dice<'_>) -> Vec<u8> {
    let mut tar = dice.one(&REAL).clone();
    for _ in 0..dice.below(6) {
        change(dice, &mut tar);
    }
    match dice.below(4) {
        0 => tar,
        1 => {
            let mut packed = packed(&tar);
            if !packed.is_empty() {
                let at = dice.below(packed.len());
                packed[at] ^= 1 << dice.below(8);
            }
            packed
        }
        _ => packed(&tar),
    }
}

fn change(dice: &mut Dice<'_>, tar: &mut Vec<u8>) {
    let blocks = tar.len() / BLOCK;
    if blocks == 0 {
        return;
    }
    let at = dice.below(blocks) * BLOCK;
    match dice.below(8) {
        0 => tar.truncate(at + dice.below(BLOCK)),
        1 => {
            let block = tar[at..at + BLOCK].to_vec();
            let to = dice.below(blocks) * BLOCK;
            tar.splice(to..to, block);
        }
        2 => {
            let byte = dice.below(tar.len());
            tar[byte] = dice.below(256) as u8;
        }
        3 => {
            let raw = dice.raw(BLOCK);
            tar[at..at + raw.len()].copy_from_slice(raw);
        }
        _ => header(dice, tar),
    }
}

/// Writes one field of the header of some member, mostly with the right checksum.
fn header(dice: &mut Dice<'_>, tar: &mut [u8]) {
    let is_header = |at: &usize| tar.get(at + 257..at + 262) == Some(b"ustar");
    let headers: Vec<usize> = (0..tar.len()).step_by(BLOCK).filter(is_header).collect();
    if headers.is_empty() {
        return;
    }
    let at = *dice.one(&headers);
    let Some(header) = tar.get_mut(at..at + BLOCK) else {
        return;
    };
    let (start, length, values) = dice.one(&FIELDS);
    let value = dice.one(values);
    header[*start..start + length].fill(0);
    header[*start..start + value.len()].copy_from_slice(value);
    if !dice.once_in(8) {
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
}

fn packed(tar: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let written = encoder.write_all(tar).and_then(|()| encoder.finish());
    written.expect("memory takes any writing")
}
