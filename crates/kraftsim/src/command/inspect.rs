//! What the files of a metadata directory hold.

use clap::Args;

use crate::cli::{OutputArgs, Shape};
use crate::inspect::diff;
use crate::inspect::text::{self, Depth};
use crate::inspect::{document, inspect};
use crate::json::Secrets;
use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim inspect`.
#[derive(Clone, Debug, Args)]
pub struct InspectArgs {
    /// A log directory, a metadata directory, a file of one, or a .tar, .tar.gz or .tar.xz of directories
    #[arg(value_name = "DIR|FILE|TAR")]
    pub path: String,
    /// Compare with another one; exit status 1 if they differ
    #[arg(long, value_name = "DIR|FILE|TAR")]
    pub diff: Option<String>,
    /// Show SCRAM keys, passwords and other secrets
    #[arg(long)]
    pub show_secrets: bool,
    /// One line a file, and its damage
    #[arg(long)]
    pub brief: bool,
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(args: &InspectArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let secrets = if args.show_secrets {
        Secrets::Shown
    } else {
        Secrets::Redacted
    };
    let report = inspect(&args.path)?;
    if let Some(other) = &args.diff {
        let other = inspect(other)?;
        let files = diff::compare(&report, &other, secrets);
        match args.output.shape() {
            Shape::Json => crate::json::print(console, &diff::document(&report, &other, &files))?,
            Shape::Text => diff::print(&files, console)?,
        }
        let differ = files.iter().any(|file| file.status.is_difference());
        return Ok(if differ { Exit::Failed } else { Exit::Held });
    }
    let depth = if args.brief {
        Depth::Brief
    } else {
        Depth::Full
    };
    match args.output.shape() {
        Shape::Json => crate::json::print(console, &document(&report, secrets))?,
        Shape::Text => text::print(&report, depth, secrets, console)?,
    }
    Ok(Exit::Held)
}
