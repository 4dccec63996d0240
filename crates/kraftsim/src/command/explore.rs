//! Seeds in, violations out.

mod arguments;
mod as_scenario;
mod document;
mod interrupt;
mod page;
mod releases_of;
mod runner;
mod seeds;
mod summary;
mod table;

use releases::Release;
use simulator::explore::Profile;

pub use self::arguments::ExploreArgs;
use self::runner::Runner;
use crate::command::run;
use crate::output_args::OutputForm;
use crate::{CommandError, Console, Diagnosis, Exit, json};

/// Runs the command.
pub fn run(args: &ExploreArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let only_quorum = |option: &str| {
        Diagnosis::new(format!("{option} is for --profile quorum"))
            .advice("profile bootstrap has no situations")
    };
    if args.profile != Profile::Quorum && args.table {
        return Err(only_quorum("--table").into());
    }
    if args.profile != Profile::Quorum && !args.situations.is_empty() {
        return Err(only_quorum("--situation").into());
    }
    let runner = Runner::new(args.jobs)?;
    if args.table {
        return table::run(args, &runner, console);
    }
    let releases = args.kafka.iter().flat_map(|set| set.0.iter().copied());
    let releases: Vec<Release> = releases.collect();
    let exploration = args.exploration(&releases, args.selection())?;
    let of_one = args.shows_one_seed();
    if of_one && args.seeds.count() != 1 {
        let what = "--write, --keep, --trace and --log are for one seed";
        let seed = args.seeds.from;
        return Err(Diagnosis::new(what)
            .found(format!("--seeds {}..{}", args.seeds.from, args.seeds.to))
            .advice(format!("name one, such as --seeds {seed}"))
            .into());
    }
    let progress = runner.progress(args.seeds.count());
    let summary = runner.run(&exploration, args.seeds, &progress);
    progress.finish_and_clear();
    let report = match &summary.last {
        Some(outcome) if of_one => Some(as_scenario::report(args, outcome)?),
        _ => None,
    };
    let traced = report.as_ref().filter(|_| args.trace.is_on());
    match args.output.form() {
        OutputForm::Json => {
            let mut document = document::document(args, &summary);
            if let Some(report) = traced {
                document["trace"] = run::document::journal(&report.outcome);
            }
            json::print(console, &document)?;
        }
        OutputForm::Text => {
            if let Some(report) = traced {
                run::page::trace_of(console, report)?;
            }
            page::print(console, args, &summary)?;
        }
    }
    Ok(Exit::failed_if(summary.failed).max(Exit::interrupted_if(summary.interrupted)))
}
