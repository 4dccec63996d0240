//! What the files of a metadata directory hold.

use clap::Args;
use disk::tree::Budget;

use crate::inspect::text::{self, Depth};
use crate::inspect::{Document, diff, inspect};
use crate::json::{self, Secrets};
use crate::output_args::{OutputArgs, OutputForm};
use crate::{CommandError, Console, Exit};

const AFTER_HELP: &str = "\
Exit status: 0 everything was read and nothing is damaged, with --diff: and nothing differs; 1 damage, or a difference; \
2 bad usage, or an input that cannot be read, or not whole: what was not read is named first, and nothing follows from what \
is missing then. docs/limits.md says how much is read at most.";

/// Arguments of `kraftsim inspect`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
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
    let secrets = Secrets::shown_if(args.show_secrets);
    let mut budget = Budget::default();
    let report = inspect(&args.path, &mut budget)?;
    if let Some(other) = &args.diff {
        let other = inspect(other, &mut budget)?;
        let files = diff::compare(&report, &other, secrets);
        match args.output.form() {
            OutputForm::Json => json::print(console, &diff::document(&report, &other, &files))?,
            OutputForm::Text => diff::print(&report, &other, &files, console)?,
        }
        let differ = files.iter().filter(|file| file.status.is_difference());
        let not_read = (report.source.not_read.len() + other.source.not_read.len()) as u64;
        return Ok(Exit::failed_if(differ.count() as u64).max(Exit::bad_input_if(not_read)));
    }
    let depth = if args.brief {
        Depth::Brief
    } else {
        Depth::Full
    };
    match args.output.form() {
        OutputForm::Json => {
            let report = &report;
            json::print(console, &Document { report, secrets })?;
        }
        OutputForm::Text => text::print(&report, depth, secrets, console)?,
    }
    Ok(Exit::failed_if(report.damaged() as u64)
        .max(Exit::bad_input_if(report.source.not_read.len() as u64)))
}
