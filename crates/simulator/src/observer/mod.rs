//! Watches a world from outside: what happens on every machine, whether it may, and what came of it.
//!
//! Every kind of run has one: after each event it looks at the machine that the event touched, tells the
//! [invariants](crate::invariants) what is different there, and writes it into the journal. Work is in proportion to what
//! changed. It never changes the world.
//!
//! Reading order: [`Observer`], [`JournalEntry`] and [`Happening`] (the journal), `deep_look` (durability, checkpoints, what
//! nodes know), `log_reader` (a log, followed from outside), [`ActivationRow`] (what an activation did).

mod activation;
mod deep_look;
mod journal;
pub(crate) mod log_reader;
mod notes;
#[expect(
    clippy::module_inception,
    reason = "the main type's file bears its name"
)]
mod observer;

pub use activation::ActivationRow;
pub use journal::{Happening, JournalEntry, Weight};
pub use observer::Observer;

pub(crate) use activation::source;
