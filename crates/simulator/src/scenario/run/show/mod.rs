//! What the looking commands print.

mod diff;
mod files;
mod image;
mod log;

pub(super) use diff::diff;
pub(super) use files::files;
pub(super) use image::image;
pub(super) use log::log;
