//! What a feature level depends on.

use clap::Args;
use serde_json::{Value, json};
use storage_tool::{FeatureDependencies, feature_dependencies};

use crate::output_args::{OutputArgs, OutputForm};
use crate::release_args::ReleaseArgs;
use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim feature-dependencies`.
#[derive(Clone, Debug, Args)]
pub struct FeatureDependenciesArgs {
    /// The release whose kafka-storage is meant.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The feature level to look up
    #[arg(short, long = "feature", value_name = "NAME=LEVEL", required = true)]
    pub features: Vec<String>,
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command. Features before one that is unknown are answered, as kafka-storage does.
pub fn run(args: &FeatureDependenciesArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let rules = args.release.rules()?;
    let mut answers = Vec::new();
    let mut refusal = None;
    for feature in &args.features {
        match feature_dependencies(&rules, feature) {
            Ok(answer) => answers.push(answer),
            Err(why) => {
                refusal = Some(why);
                break;
            }
        }
    }
    match args.output.form() {
        OutputForm::Json => {
            let features: Vec<Value> = answers.iter().map(document).collect();
            crate::json::print(console, &json!({ "features": features }))?;
        }
        OutputForm::Text => answers
            .iter()
            .try_for_each(|answer| tell(answer, console))?,
    }
    match refusal {
        Some(why) => {
            console.out.flush()?;
            writeln!(console.err, "{why}")?;
            Ok(Exit::Failed)
        }
        None => Ok(Exit::Held),
    }
}

fn tell(answer: &FeatureDependencies, console: &mut Console) -> Result<(), CommandError> {
    let name = named(&answer.name, answer.level, answer.metadata_version);
    if answer.needs.is_empty() {
        writeln!(console.out, "{name} has no dependencies.")?;
        return Ok(());
    }
    writeln!(console.out, "{name} requires:")?;
    for (needed, level, metadata_version) in &answer.needs {
        writeln!(
            console.out,
            "    {}",
            named(needed, *level, *metadata_version)
        )?;
    }
    Ok(())
}

fn named(name: &str, level: i16, metadata_version: Option<&str>) -> String {
    metadata_version.map_or_else(
        || format!("{name}={level}"),
        |version| format!("{name}={level} ({version})"),
    )
}

fn document(answer: &FeatureDependencies) -> Value {
    let needs = answer
        .needs
        .iter()
        .map(|(name, level, _)| json!({ "feature": name, "level": level }));
    json!({ "feature": answer.name, "level": answer.level, "requires": needs.collect::<Vec<_>>() })
}
