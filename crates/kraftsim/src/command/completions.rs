//! Completion scripts for shells.

use clap::Args;
use clap_complete::Shell;

use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that shall complete
    pub shell: Shell,
}

/// Prints the script for a command line.
pub fn run(
    args: &CompletionsArgs,
    root: &mut clap::Command,
    console: &mut Console,
) -> Result<Exit, CommandError> {
    // The generator panics when a write fails, so that it writes to memory first.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, root, "kraftsim", &mut script);
    console.out.write_all(&script)?;
    Ok(Exit::Held)
}
