//! Time, chance and digests: what makes two runs of one seed the same run.
//!
//! Deliberately knows nothing of Kafka, and of Java only what its collections do. Has no way to read a clock or a
//! system's randomness: every value here is a function of its inputs.
//!
//! Reading order: [`Time`] (simulated microseconds), [`Rng`] (xoshiro256++ with named forks), [`Draws`] (a stream of
//! draws that can be prescribed and read back), [`Digest`] (the rolling hash that runs are compared by), [`java`] (what
//! of Java's collections shows in bytes and messages).
//!
//! ```
//! use determinism::{Digest, Rng, Time};
//! let mut rng = Rng::from_seed(7).fork("election");
//! let timeout = Time::from_millis(1000 + rng.below(1000));
//! let mut digest = Digest::new();
//! digest.write_u64(timeout.as_micros());
//! assert_eq!(digest.value(), digest.clone().value());
//! ```

mod digest;
mod draws;
pub mod java;
mod rng;
mod time;

pub use digest::Digest;
pub use draws::{Draw, Draws};
pub use rng::Rng;
pub use time::Time;
