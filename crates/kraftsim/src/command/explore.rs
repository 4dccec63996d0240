//! Seeds in, violations out.

mod as_scenario;
mod document;
mod interrupt;
mod page;
mod releases_of;
mod runner;
mod seeds;
mod summary;
mod table;

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use releases::Release;
use simulator::explore::{Exploration, Profile, QuorumKind, Selection, Situation};

use self::releases_of::ReleaseSet;
use self::runner::Runner;
use self::seeds::Seeds;
use crate::command::run;
use crate::log_args::LogArgs;
use crate::output_args::{OutputArgs, OutputForm};
use crate::release_args::QuirkArgs;
use crate::trace_args::TraceArgs;
use crate::{CommandError, Console, Diagnosis, Exit, json};

/// More jobs than any machine has processors for.
const MOST_JOBS: i64 = 1_024;

const AFTER_HELP: &str = "\
A seed draws a cluster, its faults and their times; the same seed is always the same run. The profiles: bootstrap, the \
first start of one to five controllers with faults at every stage; quorum, one of ten situations after Kafka's simulation of \
raft, then random faults; membership, voters that are added, removed and moved, and kraft.version upgraded, under faults. \
After the faults comes a phase without any, in which a controller must become active.\n\n\
--table runs every situation for every kind of cluster, by itself: the seeds for each of the situations, 3 and 5 voters, \
static and dynamic quorums, and the releases; those options leave out what is not named. Its column of times \
is the only thing printed that is not the same at every run.\n\n\
Exit status: 0 every seed held; 1 some did not; 2 bad usage; 130 Ctrl-C came first, and what ran held. Ctrl-C ends with \
the summary of what ran; a second one ends at once.";

/// Arguments of `kraftsim explore`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct ExploreArgs {
    /// The kind of runs
    #[arg(long, value_name = "PROFILE", value_parser = profile_parser())]
    pub profile: Profile,
    /// The seeds: from A up to B, without B; or one seed
    #[arg(long, value_name = "A..B", default_value = "1..101")]
    pub seeds: Seeds,
    /// How many seeds run at once; as many as there are processors, unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    pub jobs: Option<u16>,
    /// The releases that the nodes run (kraftsim explain lists them); of several, one is drawn for each node
    #[arg(long, value_name = "RELEASE,…", required_unless_present = "table")]
    pub kafka: Vec<ReleaseSet>,
    /// The situations into which the quorum may be brought; by default all of them
    #[arg(long = "situation", value_name = "NAME,…", value_delimiter = ',', value_parser = situation_parser())]
    pub situations: Vec<Situation>,
    /// The number of voters; by default it is drawn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=5))]
    pub voters: Option<u64>,
    /// The kind of quorum; by default it is drawn
    #[arg(long, value_name = "KIND", value_parser = quorum_parser())]
    pub quorum: Option<QuorumKind>,
    /// Print a table, one line for each situation, kind of quorum and release (without --kafka: the last patch of every release)
    #[arg(long)]
    pub table: bool,
    /// The known bugs.
    #[command(flatten)]
    pub quirks: QuirkArgs,
    /// Write the run of one seed as a scenario; running it gives the same events and the same hash
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    pub write: Option<PathBuf>,
    /// Write what every node of the one seed leaves behind into DIR/PROFILE-SEED/node-N, as `run --keep` does
    #[arg(long, value_name = "DIR", conflicts_with = "table")]
    pub keep: Option<PathBuf>,
    /// What is printed of the run of the one seed.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// What the crates of the model say in the run of the one seed.
    #[command(flatten)]
    pub log: LogArgs,
    /// How it is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl ExploreArgs {
    /// Whether something is asked for that only the run of one seed can give.
    fn shows_one_seed(&self) -> bool {
        self.write.is_some() || self.keep.is_some() || self.trace.is_on() || !self.log.is_empty()
    }
}

fn profile_parser() -> impl clap::builder::TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name)).map(|name| {
        name.parse::<Profile>()
            .expect("the possible values are profiles")
    })
}

fn situation_parser() -> impl clap::builder::TypedValueParser<Value = Situation> {
    PossibleValuesParser::new(Situation::ALL.map(Situation::name)).map(|name| {
        name.parse::<Situation>()
            .expect("the possible values are situations")
    })
}

fn quorum_parser() -> impl clap::builder::TypedValueParser<Value = QuorumKind> {
    PossibleValuesParser::new(QuorumKind::ALL.map(QuorumKind::name)).map(|name| {
        let mut all = QuorumKind::ALL.into_iter();
        all.find(|one| one.name() == name)
            .expect("the possible values are kinds of quorum")
    })
}

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
    let exploration = exploration(args, &releases, args.selection())?;
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

/// What is explored, with what was chosen instead of drawn.
fn exploration(
    args: &ExploreArgs,
    releases: &[Release],
    selection: Selection,
) -> Result<Exploration, Diagnosis> {
    let exploration = Exploration::new(args.profile, releases, args.quirks.quirks()?);
    let exploration = exploration.map_err(|error| Diagnosis::new(error.to_string()))?;
    exploration
        .with(selection)
        .map_err(|error| Diagnosis::new(error.to_string()))
}

impl ExploreArgs {
    fn selection(&self) -> Selection {
        Selection {
            situations: self.situations.clone(),
            voters: self.voters,
            quorum: self.quorum,
        }
    }

    /// The releases as they are told.
    fn releases(&self) -> String {
        let sets: Vec<String> = self.kafka.iter().map(ReleaseSet::to_string).collect();
        sets.join(",")
    }
}

/// The command that shows one seed again.
fn again(args: &ExploreArgs, releases: &str, selection: &Selection, seed: u64) -> String {
    let mut words = vec![format!("kraftsim explore --profile {}", args.profile)];
    if !selection.situations.is_empty() {
        let names: Vec<&str> = selection.situations.iter().map(|one| one.name()).collect();
        words.push(format!("--situation {}", names.join(",")));
    }
    words.extend(selection.voters.map(|voters| format!("--voters {voters}")));
    let quorum = selection.quorum.map(QuorumKind::name);
    words.extend(quorum.map(|quorum| format!("--quorum {quorum}")));
    words.push(format!("--seeds {seed} --kafka {releases}"));
    words.extend(
        args.quirks
            .planted
            .iter()
            .map(|quirk| format!("--with {quirk}")),
    );
    words.extend(
        args.quirks
            .mended
            .iter()
            .map(|quirk| format!("--without {quirk}")),
    );
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_explains_every_profile() {
        for profile in Profile::ALL {
            assert!(AFTER_HELP.contains(&format!("{profile}, ")), "{profile}");
        }
        let count = Situation::ALL.len();
        assert_eq!(count, 10, "the help says ten situations");
    }
}
