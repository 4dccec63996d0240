//! Chance and the clock of the real machine, for formatting real directories.

use std::time::{SystemTime, UNIX_EPOCH};

use records::Uuid;
use storage_tool::{Draws, salt_text};

/// The operating system's random numbers and clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDraws;

/// A random id that Kafka would have taken too.
pub fn random_uuid() -> Uuid {
    loop {
        if let Some(id) = Uuid::generate_from(random()) {
            return id;
        }
    }
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    bytes
}

impl Draws for SystemDraws {
    fn directory_id(&mut self, _directory: &str) -> Uuid {
        random_uuid()
    }

    fn now_ms(&mut self) -> i64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn salt(&mut self) -> Vec<u8> {
        salt_text(random())
    }

    fn file_number(&mut self) -> u64 {
        u64::from_be_bytes(random())
    }
}
