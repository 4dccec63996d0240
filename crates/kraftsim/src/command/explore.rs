//! Seeds in, violations out.

mod document;
mod interrupt;
mod page;
mod seeds;
mod summary;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use releases::Release;
use simulator::explore::{Exploration, Profile, SeedOutcome};

use self::interrupt::Interrupt;
use self::seeds::Seeds;
use self::summary::Summary;
use crate::cli::{OutputArgs, Shape};
use crate::release_args::{quirk_parser, release_parser, rules};
use crate::{CommandError, Console, Diagnosis, Exit, json};

/// Seeds that each job is given before the next are handed out: enough that no job waits long for another.
const SEEDS_A_JOB: usize = 8;

const AFTER_HELP: &str = "\
A seed draws a cluster, its faults and their times; the same seed is always the same run. The profiles: bootstrap, the \
first start of one to five controllers with faults at every stage; quorum, the nine situations of Kafka's simulation of \
raft and then random faults. After the faults comes a phase without any, in which a controller must become active.\n\n\
Exit status: 0 every seed held; 1 some did not; 2 bad usage. Ctrl-C ends with the summary of what ran.";

/// Arguments of `kraftsim explore`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct ExploreArgs {
    /// What kind of runs
    #[arg(long, value_name = "PROFILE", value_parser = profile_parser())]
    pub profile: Profile,
    /// Which seeds: from A up to and without B, or one
    #[arg(long, value_name = "A..B", default_value = "1..101")]
    pub seeds: Seeds,
    /// How many seeds run at once; as many as there are processors, unless given
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// What runs; of several releases each node draws one
    #[arg(long, value_name = "RELEASE,…", value_delimiter = ',', required = true, value_parser = release_parser())]
    pub kafka: Vec<Release>,
    /// Plant a known bug in every release
    #[arg(long = "with", value_name = "QUIRK", value_parser = quirk_parser())]
    pub planted: Vec<String>,
    /// Mend a known bug in every release
    #[arg(long = "without", value_name = "QUIRK", value_parser = quirk_parser())]
    pub mended: Vec<String>,
    /// How it is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

fn profile_parser() -> impl clap::builder::TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name)).map(|name| {
        name.parse::<Profile>()
            .expect("the possible values are profiles")
    })
}

/// Runs the command.
pub fn run(args: &ExploreArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let releases = args.kafka.iter();
    let rules = releases.map(|release| rules(*release, &args.planted, &args.mended));
    let exploration = Exploration::new(args.profile, rules.collect::<Result<_, _>>()?);
    let summary = explored(args, &exploration)?;
    match args.output.shape() {
        Shape::Json => json::print(console, &document::document(args, &summary))?,
        Shape::Text => page::print(console, args, &summary)?,
    }
    Ok(if summary.failures.is_empty() {
        Exit::Held
    } else {
        Exit::Failed
    })
}

/// Runs the seeds, some at once, and takes them in by number.
fn explored(args: &ExploreArgs, exploration: &Exploration) -> Result<Summary, Diagnosis> {
    let mut jobs = rayon::ThreadPoolBuilder::new();
    if let Some(count) = args.jobs {
        jobs = jobs.num_threads(count.get());
    }
    let jobs = jobs
        .build()
        .map_err(|error| Diagnosis::new(format!("the jobs cannot be started: {error}")))?;
    let interrupt = Interrupt::awaited();
    let progress = progress(args.seeds.count());
    let mut summary = Summary::default();
    for at_once in args
        .seeds
        .portions(SEEDS_A_JOB * jobs.current_num_threads())
    {
        let outcomes: Vec<Option<SeedOutcome>> = jobs.install(|| {
            let seeds = at_once.into_par_iter();
            seeds
                .map(|seed| (!interrupt.came()).then(|| exploration.seed(seed)))
                .collect()
        });
        for outcome in outcomes.into_iter().flatten() {
            summary.take(outcome);
        }
        progress.set_position(summary.ran);
        progress.set_message(match summary.failures.len() {
            0 => String::new(),
            failed => format!("{failed} failed"),
        });
        if interrupt.came() {
            summary.interrupted = summary.ran < args.seeds.count();
            break;
        }
    }
    progress.finish_and_clear();
    Ok(summary)
}

/// A bar on standard error, if that is a terminal.
fn progress(seeds: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(seeds), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} seeds, {eta} left {msg}");
    bar.with_style(style.expect("the template is well formed"))
}

/// The command that shows one seed again.
fn again(args: &ExploreArgs, seed: u64) -> String {
    let releases: Vec<&str> = args.kafka.iter().map(|one| one.name()).collect();
    let mut words = vec![format!(
        "kraftsim explore --profile {} --seeds {seed} --kafka {}",
        args.profile,
        releases.join(",")
    )];
    words.extend(args.planted.iter().map(|quirk| format!("--with {quirk}")));
    words.extend(args.mended.iter().map(|quirk| format!("--without {quirk}")));
    words.join(" ")
}
