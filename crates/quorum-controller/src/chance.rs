//! What a controller takes from chance.

use determinism::{Draws, Rng};
use records::Uuid;

/// The randomness of one controller: where replicas go, and new ids.
#[derive(Clone, Debug)]
pub struct Chance {
    /// For the placement of replicas.
    pub placer: Draws,
    /// For ids of topics.
    pub ids: Ids,
}

/// Where new ids come from.
#[derive(Clone, Debug)]
pub enum Ids {
    /// A stream of a run.
    Drawn(Rng),
    /// The number of the last id: each counts one further, as in the driver of Kafka's own classes.
    Counted(u64),
}

impl Chance {
    /// Chance from a named stream of a run.
    pub fn from_rng(rng: &Rng) -> Self {
        Chance {
            placer: Draws::from_rng(rng.fork("placer")),
            ids: Ids::Drawn(rng.fork("ids")),
        }
    }
}

impl Ids {
    pub(crate) fn next_id(&mut self) -> Uuid {
        loop {
            let mut bytes = [0; 16];
            match self {
                Ids::Drawn(rng) => bytes = rng.bytes16(),
                Ids::Counted(last) => {
                    *last += 1;
                    bytes[..8].copy_from_slice(b"01234567");
                    bytes[8..].copy_from_slice(&last.to_be_bytes());
                }
            }
            if let Some(id) = Uuid::generate_from(bytes) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_ids_are_those_of_the_driver() {
        let mut ids = Ids::Counted(0);
        assert_eq!(ids.next_id().to_string(), "MDEyMzQ1RjeAAAAAAAAAAQ");
        assert_eq!(ids.next_id().to_string(), "MDEyMzQ1RjeAAAAAAAAAAg");
    }
}
