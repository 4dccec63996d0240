//! Reading, printing and refusing.

mod limits;
mod problems;
mod round_trip;
mod strategies;
