//! The run of one seed, as the scenario that it is.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use simulator::explore::SeedOutcome;
use simulator::scenario::run::Options;

use super::arguments::ExploreArgs;
use crate::Diagnosis;
use crate::command::run::report::RunReport;
use crate::command::run::scenarios::ScenarioText;
use crate::command::run::{self, keep};

/// Runs a seed once more, as a scenario, and writes and keeps what was asked for.
pub(super) fn report(args: &ExploreArgs, outcome: &SeedOutcome) -> Result<RunReport, Diagnosis> {
    let report = run_as_scenario(args, outcome)?;
    if let Some(path) = &args.write {
        write_new(path, &report.blessed())?;
    }
    if let Some(dir) = &args.keep {
        keep::keep(std::slice::from_ref(&report), dir)?;
    }
    Ok(report)
}

fn run_as_scenario(args: &ExploreArgs, outcome: &SeedOutcome) -> Result<RunReport, Diagnosis> {
    let seed = outcome.seed;
    let title = format!(
        "Seed {seed} of profile {} on {}",
        args.profile,
        args.releases()
    );
    let name = format!("{}-{seed}.scenario", args.profile);
    let source = ScenarioText {
        path: PathBuf::from(&name),
        name,
        text: format!("title \"{title}\"\n{}", outcome.scenario()),
    };
    let text = source.text.clone();
    let options = Options {
        detail: args.trace.detail(),
        ..Options::default()
    };
    let _log = args.log.begin();
    let report = run::report(source, &options)
        .map_err(|_| defect(outcome, "it cannot be read again").found(text))?;
    if report.outcome.hash == outcome.hash {
        Ok(report)
    } else {
        let hash = format!("hash {:016x}", report.outcome.hash);
        Err(defect(outcome, "it goes another way").found(hash))
    }
}

/// What a seed did and what its scenario does are the same, or this program is at fault.
fn defect(outcome: &SeedOutcome, why: &str) -> Diagnosis {
    let seed = outcome.seed;
    Diagnosis::new(format!("seed {seed} cannot be shown as a scenario: {why}"))
        .expected(format!("hash {:016x}", outcome.hash))
        .advice("this is a defect of kraftsim: please report it with the command that you ran")
}

/// A file that stands there already is left alone.
fn write_new(path: &Path, text: &str) -> Result<(), Diagnosis> {
    let cannot = |error: std::io::Error| {
        Diagnosis::new(format!("the scenario cannot be written: {error}"))
            .at(path.display().to_string())
            .advice("--write makes a new file; name another one, or remove this one")
    };
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(cannot)?;
    file.write_all(text.as_bytes()).map_err(cannot)
}
