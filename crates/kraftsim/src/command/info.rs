//! What `kafka-storage info` tells.

use std::path::PathBuf;

use clap::Args;
use disk::StdDisk;
use serde_json::json;
use storage_tool::{DirectoryInfo, info};

use crate::config_file::read_config;
use crate::output_args::{OutputArgs, OutputForm};
use crate::release_args::ReleaseArgs;
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim info`.
#[derive(Clone, Debug, Args)]
pub struct InfoArgs {
    /// The server's properties file
    #[arg(short, long, value_name = "FILE")]
    pub config: PathBuf,
    /// The release whose kafka-storage is meant.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command. A problem with the directories ends it with status 1, as kafka-storage does.
pub fn run(args: &InfoArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let rules = args.release.rules()?;
    let config = match read_config(&rules, &args.config)? {
        Ok(config) => config,
        Err(error) => {
            writeln!(console.err, "{}: {error}", args.config.display())?;
            return Ok(Exit::Failed);
        }
    };
    let found = info(&config, &mut StdDisk::new())
        .map_err(|error| Diagnosis::new(format!("cannot look at the directories: {error}")))?;
    match args.output.form() {
        OutputForm::Json => {
            let document = json!({ "directories": found.found, "metadata": found.metadata, "problems": found.problems });
            crate::json::print(console, &document)?;
        }
        OutputForm::Text => tell(&found, console)?,
    }
    Ok(if found.problems.is_empty() {
        Exit::Held
    } else {
        Exit::Failed
    })
}

fn tell(info: &DirectoryInfo, console: &mut Console) -> Result<(), CommandError> {
    if !info.found.is_empty() {
        let heading = if info.found.len() == 1 {
            "Found log directory:"
        } else {
            "Found log directories:"
        };
        writeln!(console.out, "{heading}")?;
        for directory in &info.found {
            writeln!(console.out, "  {directory}")?;
        }
        writeln!(console.out)?;
    }
    if let Some(metadata) = &info.metadata {
        let pairs: Vec<String> = metadata
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        writeln!(console.out, "Found metadata: {{{}}}\n", pairs.join(", "))?;
    }
    if !info.problems.is_empty() {
        let heading = if info.problems.len() == 1 {
            "Found problem:"
        } else {
            "Found problems:"
        };
        writeln!(console.out, "{heading}")?;
        for problem in &info.problems {
            writeln!(console.out, "  {problem}")?;
        }
        writeln!(console.out)?;
    }
    Ok(())
}
