//! What a client of raft is told, and when, and what it may ask.
//!
//! Deliberately knows neither how raft elects and replicates nor what a controller does with what it is told.
//!
//! Reading order: [`Event`] (the callbacks), `dispatch` (which event comes next, per listener and release),
//! `contract` (checks a stream of events against CB-1 to CB-3), [`RaftClient`] (what a listener may ask).
