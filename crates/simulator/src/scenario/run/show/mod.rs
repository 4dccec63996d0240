//! What the looking commands print.

mod diff;
mod files;
mod image;
mod log;

use determinism::Time;

pub(super) use diff::diff;
pub(super) use files::files;
pub(super) use image::image;
pub(super) use log::log;

/// `3.2045s`, to the tenth of a millisecond.
pub(super) fn time(at: Time) -> String {
    let tenths = at.as_micros() / 100;
    format!("{:>3}.{:04}s", tenths / 10_000, tenths % 10_000)
}
