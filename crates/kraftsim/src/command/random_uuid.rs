//! A random id in Kafka's text form.

use clap::Args;

use crate::cli::OutputArgs;
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim random-uuid`.
#[derive(Clone, Debug, Args)]
pub struct RandomUuidArgs {
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(_args: &RandomUuidArgs, _console: &mut Console) -> Result<Exit, CommandError> {
    Err(Diagnosis::new("this build has no `random-uuid` yet").into())
}
