//! Feature levels that come with a metadata.version.

use clap::Args;
use serde_json::{Map, Value, json};
use storage_tool::version_mapping;

use crate::output_args::{OutputArgs, OutputForm};
use crate::release_args::ReleaseArgs;
use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim version-mapping`.
#[derive(Clone, Debug, Args)]
pub struct VersionMappingArgs {
    /// The release whose kafka-storage is meant.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The version to look up, such as 4.0 or 4.0-IV3; the newest for production by default
    #[arg(short, long, value_name = "VERSION")]
    pub release_version: Option<String>,
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(args: &VersionMappingArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let rules = args.release.rules()?;
    let mapping = match version_mapping(&rules, args.release_version.as_deref()) {
        Ok(mapping) => mapping,
        Err(refusal) => {
            writeln!(console.err, "{refusal}")?;
            return Ok(Exit::Failed);
        }
    };
    match args.output.form() {
        OutputForm::Json => {
            let features: Map<String, Value> = mapping
                .features
                .iter()
                .map(|(name, level)| ((*name).to_owned(), json!(level)))
                .collect();
            let document = json!({
                "release_version": mapping.release_version,
                "metadata_version": mapping.metadata_version.0,
                "features": features,
            });
            crate::json::print(console, &document)?;
        }
        OutputForm::Text => {
            writeln!(
                console.out,
                "metadata.version={} ({})",
                mapping.metadata_version, mapping.release_version
            )?;
            for (name, level) in &mapping.features {
                writeln!(console.out, "{name}={level}")?;
            }
        }
    }
    Ok(Exit::Held)
}
