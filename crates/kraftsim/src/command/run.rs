//! Scenario files in, a table of verdicts out.

use clap::Args;

use crate::cli::OutputArgs;
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim run`.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(_args: &RunArgs, _console: &mut Console) -> Result<Exit, CommandError> {
    Err(Diagnosis::new("this build has no `run` yet").into())
}
