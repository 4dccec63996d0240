//! What can be typed.

use clap::{CommandFactory as _, Parser, Subcommand};

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
    after_help = "Exit status: 0 success; 1 a violation, a failed expectation, damage or a refused format; 2 bad usage or \
                        input, or input that was not read whole; 130 interrupted."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: CliCommand,
}

/// One subcommand and its arguments.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Run scenario files and print a table of verdicts
    Run(run::RunArgs),
    /// Start copies of real controller directories on a release and tell what happens
    Rehearse(rehearse::RehearseArgs),
    /// Run random clusters with random faults, one run a seed, and name the runs in which an invariant did not hold
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

impl CliCommand {
    /// Runs the subcommand; its output goes to `console`.
    pub fn run(&self, console: &mut Console) -> Result<Exit, CommandError> {
        match self {
            CliCommand::Run(args) => run::run(args, console),
            CliCommand::Rehearse(args) => rehearse::run(args, console),
            CliCommand::Explore(args) => explore::run(args, console),
            CliCommand::Drive(args) => drive::run(args, console),
            CliCommand::Matrix(args) => matrix::run(args, console),
            CliCommand::Inspect(args) => inspect::run(args, console),
            CliCommand::Format(args) => format::run(args, console),
            CliCommand::Info(args) => info::run(args, console),
            CliCommand::RandomUuid(args) => random_uuid::run(args, console),
            CliCommand::VersionMapping(args) => version_mapping::run(args, console),
            CliCommand::FeatureDependencies(args) => feature_dependencies::run(args, console),
            CliCommand::Explain(args) => explain::run(args, console),
            CliCommand::Bench(args) => bench::run(args, console),
            CliCommand::Completions(args) => completions::run(args, &mut Cli::command(), console),
            CliCommand::Man(args) => man::run(args, Cli::command(), console),
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
