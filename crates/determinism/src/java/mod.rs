//! What Java 17 does the same in every run, and Kafka's messages and records therefore show: hash codes, the order in
//! which hash tables and immutable sets hand out their entries, the numbers of `java.util.Random`.
//!
//! `tests/java_orders.rs` holds them against orders recorded from a real JVM.

mod concurrent_table;
mod hash;
mod hash_table;
mod immutable_set;
mod random;

pub use concurrent_table::ConcurrentTable;
pub use hash::{hash_all, hash_bool, hash_long, hash_string, hash_uuid};
pub use hash_table::HashTable;
pub use immutable_set::sort_as_immutable_set;
pub(crate) use random::JavaRandom;
