//! Schedules step by step, as the driver of Kafka's own classes takes them.

use std::io;

use clap::Args;
use releases::Release;

use crate::drive::{DrivenSchedule, LINE_BYTES, ScheduleLines};
use crate::log_args::LogArgs;
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim drive`.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "One command per line on standard input, one answer per line on standard output, as JSON; \
                        docs/step-by-step.md lists them. Invariants that were broken are named on standard error at the end."
)]
pub struct DriveArgs {
    /// The release that all nodes run
    #[arg(long, value_name = "RELEASE")]
    pub kafka: Release,
    /// What the crates of the model say.
    #[command(flatten)]
    pub log: LogArgs,
}

/// Runs the command.
pub fn run(args: &DriveArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let _log = args.log.begin();
    let mut session = DrivenSchedule::new(args.kafka.rules());
    for line in ScheduleLines::new(io::stdin().lock(), LINE_BYTES) {
        let line =
            line.map_err(|error| Diagnosis::new(format!("cannot read the schedule: {error}")))?;
        if let Some(answer) = session.line(&line) {
            writeln!(console.out, "{answer}")?;
            console.out.flush()?;
        }
    }
    for violation in session.violations() {
        writeln!(console.err, "{violation}")?;
    }
    Ok(Exit::Held)
}
