//! Values as JSON, with Kafka's own names.

use serde_json::Value;

use crate::{CommandError, Console};

/// Prints one document, indented, with a line end.
pub fn print(console: &mut Console, document: &Value) -> Result<(), CommandError> {
    serde_json::to_writer_pretty(&mut *console.out, document).map_err(std::io::Error::from)?;
    writeln!(console.out)?;
    Ok(())
}
