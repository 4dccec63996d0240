//! The commands, a file per group: its types, its parser, how it is written.
//!
//! Reading order: [`declaration`], [`disk`], [`process`], [`time`], [`network`], [`client`], [`looking`], [`judging`], and
//! [`later`], the commands that the language has and this build does not.

pub mod client;
pub mod declaration;
pub mod disk;
pub mod judging;
pub mod later;
pub mod looking;
pub mod network;
pub mod process;
pub mod time;
