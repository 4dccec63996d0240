//! Records, batches and files in a line of words each, as scenarios, rehearsals and reports show them.
//!
//! Words hold still from run to run: no times, no drawn ids. Secrets are never shown, and neither are control characters of
//! what comes from outside.
//!
//! Reading order: [`record`] and [`control_record`], [`batch_lines`], [`file()`], [`visible`].

mod batch;
mod file;
mod one_line;
mod record;
mod visible;

pub use batch::{RecordLine, batch_lines};
pub use file::file;
pub use record::{control_record, feature_level, record};
pub use visible::{is_hidden, push_escape, visible};
