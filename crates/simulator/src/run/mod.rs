//! Runs: what can be done to a world, what can be asked of it, and the one loop that lets time pass.
//!
//! A scenario parses [`Action`]s and [`Condition`]s, a seed draws them, a rehearsal lists them. Deliberately knows nothing
//! of how they are written.
//!
//! Reading order: [`action`] and [`condition`] (the vocabulary), [`Setting`] (what the world is made of), [`Run`] and
//! [`Agent`] (the loop), `perform` (what each action does), `facts` and `select` (what conditions and parts mean),
//! [`Roles`] (ids by the part they play), [`Problem`] and [`Spanned`] (what is wrong, and where it was written).

pub mod action;
mod answers;
pub mod condition;
pub mod duration;
mod facts;
pub(crate) mod nearest;
mod perform;
mod problem;
mod quirks;
mod roles;
#[expect(
    clippy::module_inception,
    reason = "the main type's file bears its name"
)]
mod run;
mod select;
pub(crate) mod setting;
mod span;

pub use action::Action;
pub use condition::Condition;
pub use nearest::nearest;
pub use problem::Problem;
pub use quirks::Quirks;
pub use roles::Roles;
pub use run::{Agent, Files, Run, Said};
pub use setting::{Delays, Setting};
pub use span::{Place, Span, Spanned};

pub(crate) use facts::version_name;
pub(crate) use perform::feature_level;
pub(crate) use select::is_active;
