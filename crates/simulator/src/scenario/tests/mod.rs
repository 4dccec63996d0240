//! Reading, printing and refusing.

mod problems;
mod round_trip;
mod strategies;
