//! A random id in Kafka's text form.

use clap::Args;
use releases::Release;
use serde_json::json;

use crate::output_args::{OutputArgs, OutputForm};
use crate::release_args::release_parser;
use crate::system_draws::random_uuid;
use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim random-uuid`.
#[derive(Clone, Debug, Args)]
pub struct RandomUuidArgs {
    /// Whose kafka-storage; they all draw alike
    #[arg(long, value_name = "RELEASE", value_parser = release_parser())]
    pub kafka: Option<Release>,
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(args: &RandomUuidArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let id = random_uuid().to_string();
    match args.output.form() {
        OutputForm::Json => crate::json::print(console, &json!({ "uuid": id }))?,
        OutputForm::Text => writeln!(console.out, "{id}")?,
    }
    Ok(Exit::Held)
}
