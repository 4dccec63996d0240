//! What a feature level depends on.

use clap::Args;

use crate::cli::OutputArgs;
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim feature-dependencies`.
#[derive(Clone, Debug, Args)]
pub struct FeatureDependenciesArgs {
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(_args: &FeatureDependenciesArgs, _console: &mut Console) -> Result<Exit, CommandError> {
    Err(Diagnosis::new("this build has no `feature-dependencies` yet").into())
}
