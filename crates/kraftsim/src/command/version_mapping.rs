//! Feature levels that come with a metadata.version.

use clap::Args;

use crate::cli::OutputArgs;
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim version-mapping`.
#[derive(Clone, Debug, Args)]
pub struct VersionMappingArgs {
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(_args: &VersionMappingArgs, _console: &mut Console) -> Result<Exit, CommandError> {
    Err(Diagnosis::new("this build has no `version-mapping` yet").into())
}
