//! What each action does.

mod client;
mod disk;
mod network;
mod process;

pub(crate) use client::feature_level;
