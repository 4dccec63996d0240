//! What `kraftsim explore` is asked.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use releases::Release;
use simulator::explore::{Exploration, Profile, QuorumKind, Selection, Situation};

use super::releases_of::ReleaseSet;
use super::seeds::Seeds;
use crate::Diagnosis;
use crate::log_args::LogArgs;
use crate::output_args::OutputArgs;
use crate::release_args::QuirkArgs;
use crate::trace_args::TraceArgs;

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
    pub(super) fn shows_one_seed(&self) -> bool {
        self.write.is_some() || self.keep.is_some() || self.trace.is_on() || !self.log.is_empty()
    }

    /// What is explored on `releases`, with what was chosen instead of drawn.
    pub(super) fn exploration(
        &self,
        releases: &[Release],
        selection: Selection,
    ) -> Result<Exploration, Diagnosis> {
        let exploration = Exploration::new(self.profile, releases, self.quirks.quirks()?);
        let exploration = exploration.map_err(|error| Diagnosis::new(error.to_string()))?;
        exploration
            .with(selection)
            .map_err(|error| Diagnosis::new(error.to_string()))
    }

    /// What was chosen instead of drawn.
    pub(super) fn selection(&self) -> Selection {
        Selection {
            situations: self.situations.clone(),
            voters: self.voters,
            quorum: self.quorum,
        }
    }

    /// The releases as they are told.
    pub(super) fn releases(&self) -> String {
        let sets: Vec<String> = self.kafka.iter().map(ReleaseSet::to_string).collect();
        sets.join(",")
    }

    /// The command that shows one seed again.
    pub(super) fn again(&self, releases: &str, selection: &Selection, seed: u64) -> String {
        let mut words = vec![format!("kraftsim explore --profile {}", self.profile)];
        if !selection.situations.is_empty() {
            let names: Vec<&str> = selection.situations.iter().map(|one| one.name()).collect();
            words.push(format!("--situation {}", names.join(",")));
        }
        words.extend(selection.voters.map(|voters| format!("--voters {voters}")));
        let quorum = selection.quorum.map(QuorumKind::name);
        words.extend(quorum.map(|quorum| format!("--quorum {quorum}")));
        words.push(format!("--seeds {seed} --kafka {releases}"));
        words.extend(
            self.quirks
                .planted
                .iter()
                .map(|quirk| format!("--with {quirk}")),
        );
        words.extend(
            self.quirks
                .mended
                .iter()
                .map(|quirk| format!("--without {quirk}")),
        );
        words.join(" ")
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
