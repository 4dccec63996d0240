//! What can be typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use simulator::Detail;

use crate::command::{
    bench, completions, drive, explain, explore, feature_dependencies, format, info, inspect, man,
    matrix, random_uuid, rehearse, run, version_mapping,
};
use crate::{CommandError, Console, Exit};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(about = "Simulates the controller quorum of Apache Kafka (KRaft), release by release")]
#[command(
    name = "kraftsim",
    version,
    propagate_version = false,
    max_term_width = 100
)]
#[command(
    after_help = "Exit status: 0 it held; 1 a violation, a failed expectation, damage or a refused format; 2 bad usage \
                        or input, input that was not read whole among it; 130 interrupted."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// One subcommand and its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run scenario files and print a table of verdicts
    Run(run::RunArgs),
    /// Start copies of real controller directories on a release and tell what happens
    Rehearse(rehearse::RehearseArgs),
    /// Run random clusters with random faults, seed by seed, and tell which did not hold
    Explore(explore::ExploreArgs),
    /// Drive replicas and controllers step by step through a schedule of JSON lines
    Drive(drive::DriveArgs),
    /// What gets activated, and from where, for every formatter, server release and quorum kind
    Matrix(matrix::MatrixArgs),
    /// Show what a metadata directory, a file in it, or an archive of one holds
    Inspect(inspect::InspectArgs),
    /// Format directories as a release's kafka-storage does
    Format(format::FormatArgs),
    /// Tell what kafka-storage info tells about the directories of a configuration
    Info(info::InfoArgs),
    /// Print a random id in Kafka's text form
    RandomUuid(random_uuid::RandomUuidArgs),
    /// Show the feature levels that come with a metadata.version
    VersionMapping(version_mapping::VersionMappingArgs),
    /// Show what a feature level depends on
    FeatureDependencies(feature_dependencies::FeatureDependenciesArgs),
    /// Explain a release, a rule or a quirk in plain words
    Explain(explain::ExplainArgs),
    /// Tell how fast the simulator is on this machine
    Bench(bench::BenchArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page
    Man(man::ManArgs),
}

impl Command {
    /// Does it.
    pub fn run(&self, console: &mut Console) -> Result<Exit, CommandError> {
        match self {
            Command::Run(args) => run::run(args, console),
            Command::Rehearse(args) => rehearse::run(args, console),
            Command::Explore(args) => explore::run(args, console),
            Command::Drive(args) => drive::run(args, console),
            Command::Matrix(args) => matrix::run(args, console),
            Command::Inspect(args) => inspect::run(args, console),
            Command::Format(args) => format::run(args, console),
            Command::Info(args) => info::run(args, console),
            Command::RandomUuid(args) => random_uuid::run(args, console),
            Command::VersionMapping(args) => version_mapping::run(args, console),
            Command::FeatureDependencies(args) => feature_dependencies::run(args, console),
            Command::Explain(args) => explain::run(args, console),
            Command::Bench(args) => bench::run(args, console),
            Command::Completions(args) => completions::run(args, console),
            Command::Man(args) => man::run(args, console),
        }
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// For people.
    Text,
    /// One JSON document.
    Json,
}

/// The option that every reporting command has.
#[derive(Clone, Debug, Args)]
pub struct OutputArgs {
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

impl OutputArgs {
    /// What was asked for.
    pub fn shape(&self) -> Shape {
        if self.json { Shape::Json } else { Shape::Text }
    }
}

/// What is printed of a run beside its result.
#[derive(Clone, Debug, Default, Args)]
pub struct TraceArgs {
    /// Print everything that happens, with times; with =messages,disk also messages and disk operations
    #[arg(long, value_name = "DETAIL,…", num_args = 0.., require_equals = true, value_delimiter = ',')]
    pub trace: Option<Vec<TraceDetail>>,
}

/// What a trace shows only where somebody asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceDetail {
    /// Messages that leave, arrive or are lost
    Messages,
    /// Operations on disks
    Disk,
}

impl TraceArgs {
    /// Whether anything is printed.
    pub fn is_on(&self) -> bool {
        self.trace.is_some()
    }

    /// What the journal has to keep.
    pub fn detail(&self) -> Detail {
        let named = self.trace.as_deref().unwrap_or_default();
        Detail {
            messages: named.contains(&TraceDetail::Messages),
            disk: named.contains(&TraceDetail::Disk),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_are_well_formed() {
        super::Cli::command().debug_assert();
    }
}
