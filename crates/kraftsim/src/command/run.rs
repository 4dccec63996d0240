//! Scenario files in, a table of verdicts out.

pub(crate) mod document;
pub(crate) mod keep;
mod loader;
pub(crate) mod page;
mod problems;
pub(crate) mod report;
pub(crate) mod scenarios;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use releases::Release;
use simulator::Wire;
use simulator::scenario::run::Options;
use simulator::scenario::{parse, run as simulated};

use self::report::RunReport;
use self::scenarios::ScenarioText;
use crate::log_args::LogArgs;
use crate::output_args::{OutputArgs, OutputForm};
use crate::release_args::{QuirkArgs, release_parser};
use crate::trace_args::TraceArgs;
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
    #[arg(long, conflicts_with_all = ["kafka", "planted", "mended"])]
    pub bless: bool,
    /// Let every process run this release, whatever the scenarios say; their output is not compared then
    #[arg(long, value_name = "RELEASE", value_parser = release_parser())]
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

/// Runs the command.
pub fn run(args: &RunArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let _log = args.log.begin();
    let options = Options {
        release: args.kafka,
        quirks: args.quirks.quirks()?,
        wire: args.wire,
        detail: args.trace.detail(),
    };
    let sources = scenarios::find(&args.paths)?;
    if let Some(dir) = &args.keep {
        keep::check(&sources, dir)?;
    }
    let mut reports = Vec::new();
    let mut unreadable = 0;
    for source in sources {
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
    match args.output.form() {
        OutputForm::Json => {
            let document = document::document(&reports, unreadable, args.trace.is_on());
            json::print(console, &document)?;
        }
        OutputForm::Text => page::print(console, &reports, unreadable, args.trace.is_on())?,
    }
    let failed = reports.iter().filter(|report| !report.held()).count();
    Ok(Exit::failed_if(failed as u64).max(Exit::bad_input_if(unreadable as u64)))
}

/// Parses and runs one scenario.
pub(crate) fn report(
    source: ScenarioText,
    options: &Options,
) -> Result<RunReport, problems::LocatedProblem> {
    let said = |problem| problems::LocatedProblem::new(&source, problem);
    let scenario = parse(&source.text).map_err(said)?;
    let mut load = loader::Loader::beside(&source.path);
    let outcome = simulated::run(&scenario, options, &mut |path| load.load(path)).map_err(said)?;
    Ok(RunReport {
        source,
        scenario,
        outcome,
    })
}

/// Rewrites the scenarios whose output is another, and takes them for what they are now.
fn bless(reports: &mut [RunReport], console: &mut Console) -> Result<(), CommandError> {
    for report in reports {
        if report.outcome.mismatches.is_empty() {
            continue;
        }
        let blessed = report.blessed();
        rewrite(&report.source.path, &blessed).map_err(|error| {
            Diagnosis::new(format!("the scenario cannot be written: {error}"))
                .at(&report.source.name)
        })?;
        report.outcome.mismatches.clear();
        writeln!(console.err, "blessed {}", report.source.name)?;
    }
    Ok(())
}

/// Replaces a file's text in one step, so that a full disk leaves the old text; a link to the file stays one.
fn rewrite(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&temporary)?;
    let written = write_synced(file, text).and_then(|()| {
        fs::set_permissions(&temporary, fs::metadata(&path)?.permissions())?;
        fs::rename(&temporary, &path)
    });
    if written.is_err() {
        // Whether it goes or not, the error that is told is the first one.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_synced(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
