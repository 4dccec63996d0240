//! Whole-system tests of kraftsim: agreement with real Kafka, the shape of the house, the command line.
//!
//! Knows nothing of how kraftsim comes to its answers: it starts it as a user does (or calls the same function in this
//! process) and compares.
//!
//! Modules in reading order: [`repository`] (where things stand in a clone), [`recorded`] (what real Kafka did, typed),
//! [`agree`] (the judge of the cells), [`lived`] (the judge of lived-in clusters), [`cli`] (command lines and what they print), [`kafka_files`] (the files that real Kafka left),
//! [`readers`] (what reads them), [`hostile`] (inputs as nobody would write them), [`schedules`] (step by step beside Kafka's own classes).
//!
//! ```
//! assert!(kraftsim_tests::repository::root().join("Cargo.toml").is_file());
//! ```

pub mod agree;
pub mod cli;
pub mod hostile;
pub mod kafka_files;
pub mod lived;
pub mod module_arrows;
pub mod readers;
pub mod recorded;
pub mod repository;
pub mod schedules;
