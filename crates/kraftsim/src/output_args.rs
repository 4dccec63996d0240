//! How a report is printed.

use clap::Args;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    Text,
    /// One JSON document.
    Json,
}

/// The option that every reporting command has.
#[derive(Clone, Debug, Args)]
pub struct OutputArgs {
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

impl OutputArgs {
    /// What was asked for.
    pub fn form(&self) -> OutputForm {
        if self.json {
            OutputForm::Json
        } else {
            OutputForm::Text
        }
    }
}
