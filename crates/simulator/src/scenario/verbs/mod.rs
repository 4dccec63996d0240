//! The commands, a file per group: its types, its parser, how it is written.
//!
//! Reading order: [`declaration`], [`disk`], [`process`], [`time`], [`network`], [`client`], [`looking`], [`judging`].

pub mod client;
pub mod declaration;
pub mod disk;
pub mod judging;
pub mod looking;
pub mod network;
pub mod process;
pub mod time;
