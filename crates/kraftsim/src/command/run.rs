//! Scenario files in, a table of verdicts out.

pub(crate) mod document;
pub(crate) mod keep;
mod loader;
pub(crate) mod page;
mod problems;
pub(crate) mod scenarios;

use std::fs;
use std::path::PathBuf;

use clap::Args;
use releases::Release;
use simulator::Wire;
use simulator::scenario::run::{Options, Outcome, Verdict};
use simulator::scenario::{Scenario, parse, run as simulated};

use self::scenarios::Source;
use crate::cli::{OutputArgs, Shape, TraceArgs};
use crate::log_args::LogArgs;
use crate::release_args::QuirkArgs;
use crate::{CommandError, Console, Diagnosis, Exit, json};

/// Arguments of `kraftsim run`.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Exit status: 0 all scenarios held; 1 an expectation, an output or an invariant did not; \
                        2 a scenario cannot be read."
)]
pub struct RunArgs {
    /// Scenario files, or directories of them
    #[arg(value_name = "FILE|DIR", required = true)]
    pub paths: Vec<PathBuf>,
    /// Write what the commands print into the scenarios as their expected output
    #[arg(long, conflicts_with = "kafka")]
    pub bless: bool,
    /// Let every process run this release, whatever the scenarios say; their output is not compared then
    #[arg(long, value_name = "RELEASE")]
    pub kafka: Option<Release>,
    /// The known bugs; with any, output is not compared.
    #[command(flatten)]
    pub quirks: QuirkArgs,
    /// Let every message pass through real bytes, or none, whatever the scenarios say
    #[arg(long, value_name = "on|off", value_parser = wire)]
    pub wire: Option<Wire>,
    /// Write what every node leaves behind into DIR/SCENARIO/node-N: its directories, and a server.properties that
    /// points to them. What still runs at the end is left as if it were killed
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// What the crates of the model say.
    #[command(flatten)]
    pub log: LogArgs,
    /// What is printed beside the verdicts.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

fn wire(text: &str) -> Result<Wire, String> {
    match text {
        "on" => Ok(Wire::On),
        "off" => Ok(Wire::Off),
        _ => Err("it is on or off".to_owned()),
    }
}

/// A scenario that was run.
pub(crate) struct Report {
    pub(crate) source: Source,
    pub(crate) scenario: Scenario,
    pub(crate) outcome: Outcome,
}

impl Report {
    /// The text with the output that its commands printed.
    pub(crate) fn blessed(&self) -> String {
        self.scenario
            .bless(&self.source.text, &self.outcome.printed)
    }

    fn held(&self) -> bool {
        self.outcome.verdict() == Verdict::Held
    }
}

/// Runs the command.
pub fn run(args: &RunArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let quirks = args.quirks.quirks()?;
    if args.bless && !quirks.is_empty() {
        let what = "--bless cannot be used with --with or --without";
        let advice = "the output of a scenario is that of the run as it stands";
        return Err(Diagnosis::new(what).advice(advice).into());
    }
    let _log = args.log.begin();
    let options = Options {
        release: args.kafka,
        quirks,
        wire: args.wire,
        detail: args.trace.detail(),
    };
    let mut reports = Vec::new();
    let mut unreadable = 0;
    for source in scenarios::find(&args.paths)? {
        match report(source, &options) {
            Ok(report) => reports.push(report),
            Err(said) => {
                unreadable += 1;
                write!(console.err, "{}", said.rendered(console.style))?;
            }
        }
    }
    if args.bless {
        bless(&mut reports, console)?;
    }
    if let Some(dir) = &args.keep {
        keep::keep(&reports, dir)?;
    }
    match args.output.shape() {
        Shape::Json => json::print(console, &document::document(&reports, args.trace.is_on()))?,
        Shape::Text => page::print(console, &reports, args.trace.is_on())?,
    }
    Ok(match unreadable {
        0 if reports.iter().all(Report::held) => Exit::Held,
        0 => Exit::Failed,
        _ => Exit::BadInput,
    })
}

/// Parses and runs one scenario.
pub(crate) fn report(source: Source, options: &Options) -> Result<Report, problems::Said> {
    let said = |problem| problems::Said::new(&source, problem);
    let scenario = parse(&source.text).map_err(said)?;
    let mut load = loader::Loader::beside(&source.path);
    let outcome = simulated::run(&scenario, options, &mut |path| load.load(path)).map_err(said)?;
    Ok(Report {
        source,
        scenario,
        outcome,
    })
}

/// Rewrites the scenarios whose output is another, and takes them for what they are now.
fn bless(reports: &mut [Report], console: &mut Console) -> Result<(), CommandError> {
    for report in reports {
        if report.outcome.mismatches.is_empty() {
            continue;
        }
        let blessed = report.blessed();
        fs::write(&report.source.path, &blessed).map_err(|error| {
            Diagnosis::new(format!("the scenario cannot be written: {error}"))
                .at(&report.source.name)
        })?;
        report.outcome.mismatches.clear();
        writeln!(console.err, "blessed {}", report.source.name)?;
    }
    Ok(())
}
