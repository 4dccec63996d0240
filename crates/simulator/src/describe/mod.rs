//! Records, batches and files in a line of words each, as scenarios, rehearsals and reports show them.
//!
//! Words hold still from run to run: no times, no drawn ids. Secrets are never shown.
//!
//! Reading order: [`record`] and [`control_record`], [`batch_lines`], [`file()`].

mod batch;
mod file;
mod one_line;
mod record;

pub use batch::{RecordLine, batch_lines};
pub use file::file;
pub use record::{control_record, feature_level, record};
