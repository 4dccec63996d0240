//! Releases, rules and quirks in plain words.

use clap::Args;

use crate::cli::OutputArgs;
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainArgs {
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(_args: &ExplainArgs, _console: &mut Console) -> Result<Exit, CommandError> {
    Err(Diagnosis::new("this build has no `explain` yet").into())
}
