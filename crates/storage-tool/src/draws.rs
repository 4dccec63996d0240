//! What Kafka's formatter takes from chance and from the clock, so that a caller can prescribe it.

use std::collections::{BTreeMap, VecDeque};

use determinism::Rng;
use records::Uuid;

/// Where ids, times and salts come from.
pub trait Draws {
    /// The id of a directory that is being formatted.
    fn directory_id(&mut self, directory: &str) -> Uuid;
    /// A reading of the clock, in milliseconds since 1970. One is taken for each time that ends up in a file: per
    /// directory, for each batch of `bootstrap.checkpoint`; for the time in the header of the zero checkpoint and for each
    /// of its batches; for the date in `meta.properties`.
    fn now_ms(&mut self) -> i64;
    /// The salt of a SCRAM credential.
    fn salt(&mut self) -> Vec<u8>;
    /// The number in the name of a file that is being written.
    fn file_number(&mut self) -> u64;
}

/// Draws from one random stream, the clock standing still: for directories of a simulation.
#[derive(Clone, Debug)]
pub struct SeededDraws {
    rng: Rng,
    now_ms: i64,
}

impl SeededDraws {
    /// Draws from `rng`; the clock shows `now_ms`.
    pub fn new(rng: Rng, now_ms: i64) -> Self {
        SeededDraws { rng, now_ms }
    }
}

impl Draws for SeededDraws {
    fn directory_id(&mut self, _directory: &str) -> Uuid {
        loop {
            if let Some(id) = Uuid::generate_from(self.rng.bytes16()) {
                return id;
            }
        }
    }

    fn now_ms(&mut self) -> i64 {
        self.now_ms
    }

    fn salt(&mut self) -> Vec<u8> {
        let mut random = [self.rng.below(256) as u8; 17];
        random[1..].copy_from_slice(&self.rng.bytes16());
        salt_text(random)
    }

    fn file_number(&mut self) -> u64 {
        self.rng.next_u64()
    }
}

/// A salt as Kafka makes it: the digits to base 36 of a random number of 130 bits, the last of the 17 `random` bytes.
pub fn salt_text(random: [u8; 17]) -> Vec<u8> {
    let mut number = random;
    number[0] &= 0b11;
    let mut digits = Vec::new();
    while digits.is_empty() || number.iter().any(|byte| *byte != 0) {
        let mut remainder = 0_u16;
        for byte in &mut number {
            let dividend = remainder << 8 | u16::from(*byte);
            *byte = (dividend / 36) as u8;
            remainder = dividend % 36;
        }
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[usize::from(remainder)]);
    }
    digits.reverse();
    digits
}

/// Prescribed ids and readings of the clock, before those of another source.
#[derive(Clone, Debug)]
pub struct Prescribed<D> {
    ids_by_path: BTreeMap<String, Uuid>,
    ids: VecDeque<Uuid>,
    readings: VecDeque<i64>,
    last_reading: Option<i64>,
    rest: D,
}

impl<D: Draws> Prescribed<D> {
    /// Prescribes nothing: every draw comes from `rest`.
    pub fn over(rest: D) -> Self {
        Prescribed {
            ids_by_path: BTreeMap::new(),
            ids: VecDeque::new(),
            readings: VecDeque::new(),
            last_reading: None,
            rest,
        }
    }

    /// The id of one directory.
    pub fn directory(&mut self, path: &str, id: Uuid) {
        self.ids_by_path.insert(path.to_owned(), id);
    }

    /// The id of the next directory that has none of its own: with `--standalone` the metadata directory comes first,
    /// the others follow in ascending order.
    pub fn next_directory(&mut self, id: Uuid) {
        self.ids.push_back(id);
    }

    /// The next reading of the clock. After the last one prescribed, the clock stands still.
    pub fn reading(&mut self, ms: i64) {
        self.readings.push_back(ms);
    }

    /// Ids that no directory took, each with the path it was meant for.
    pub fn unused_ids(&self) -> impl Iterator<Item = (Option<&str>, Uuid)> {
        let by_path = self
            .ids_by_path
            .iter()
            .map(|(path, id)| (Some(path.as_str()), *id));
        by_path.chain(self.ids.iter().map(|id| (None, *id)))
    }
}

impl<D: Draws> Draws for Prescribed<D> {
    fn directory_id(&mut self, directory: &str) -> Uuid {
        let own = self.ids_by_path.remove(directory);
        own.or_else(|| self.ids.pop_front())
            .unwrap_or_else(|| self.rest.directory_id(directory))
    }

    fn now_ms(&mut self) -> i64 {
        if let Some(reading) = self.readings.pop_front() {
            self.last_reading = Some(reading);
        }
        self.last_reading.unwrap_or_else(|| self.rest.now_ms())
    }

    fn salt(&mut self) -> Vec<u8> {
        self.rest.salt()
    }

    fn file_number(&mut self) -> u64 {
        self.rest.file_number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_prescribed_comes_first() {
        let id = |byte: u8| Uuid::from_bytes([byte; 16]);
        let mut draws = Prescribed::over(SeededDraws::new(Rng::from_seed(1), 7));
        assert_eq!(draws.now_ms(), 7);
        draws.directory("/b", id(2));
        draws.next_directory(id(1));
        draws.reading(10);
        draws.reading(20);
        assert_eq!(
            (draws.directory_id("/a"), draws.directory_id("/b")),
            (id(1), id(2))
        );
        assert!(![id(1), id(2)].contains(&draws.directory_id("/c")));
        assert_eq!(
            [draws.now_ms(), draws.now_ms(), draws.now_ms()],
            [10, 20, 20]
        );
        draws.directory("/z", id(3));
        assert_eq!(
            draws.unused_ids().collect::<Vec<_>>(),
            [(Some("/z"), id(3))]
        );
    }

    #[test]
    fn salts_are_digits_to_base_36() {
        let salt = |number: u32| {
            let mut random = [0; 17];
            random[13..].copy_from_slice(&number.to_be_bytes());
            salt_text(random)
        };
        assert_eq!(salt(0), b"0");
        assert_eq!(salt(36 * 36 + 35), b"10z");
        assert_eq!(salt_text([0xff; 17]).len(), 26);
    }
}
