//! Real controller directories in, activation out.

mod arguments;
mod document;
mod logs;
mod page;
pub(crate) mod standing;
mod subject;

use std::collections::BTreeMap;

use clap::Args;
use disk::tree::{Budget, NotRead};
use records::NodeId;
use releases::Rules;
use simulator::rehearse::{Plan, PlannedNode, rehearse};
use simulator::scenario::limits::MOST_NODES;

use self::arguments::{Assignment, Assignments, assign, no_such_node};
use self::subject::Subject;
use crate::json::Secrets;
use crate::log_args::LogArgs;
use crate::output_args::{OutputArgs, OutputForm};
use crate::release_args::QuirkArgs;
use crate::{CommandError, Console, Diagnosis, Exit, json};

const AFTER_HELP: &str = "\
A phase ends when the controllers that run are active, registered and quiet, or after 12 s of simulated time. The \
rehearsal works on copies in memory; the directories are only read. If Kafka would not start, the rehearsal says so and \
has status 0: this is a result, not an error.\n\n\
Exit status: 0 the rehearsal was made; 1 an invariant did not hold; 2 bad usage or input, such as a directory that does \
not exist, or files that cannot be read whole: nothing can be concluded from a part. docs/limits.md says how much is read \
at most.";

/// Arguments of `kraftsim rehearse`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct RehearseArgs {
    /// A node's server.properties; once per node
    #[arg(short, long = "config", value_name = "FILE", required = true)]
    pub config: Vec<String>,
    /// The release that the nodes run: RELEASE for all of them, ID=RELEASE for one
    #[arg(long, value_name = "[ID=]RELEASE", required = true)]
    pub on: Vec<Assignment>,
    /// The node that is to win the first election, if it can win one
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub leader: Option<i32>,
    /// After a clean stop of all nodes, start again on these releases; a node that is not named keeps its own
    #[arg(long, value_name = "[ID=]RELEASE,…")]
    pub then: Vec<Assignments>,
    /// A node that was never formatted: directories of its configuration may be missing, which is a mistake otherwise
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub unformatted: Vec<i32>,
    /// The known bugs.
    #[command(flatten)]
    pub quirks: QuirkArgs,
    /// The seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// What the crates of the model say.
    #[command(flatten)]
    pub log: LogArgs,
    /// Show SCRAM keys, passwords and other secrets in the records of --json
    #[arg(long)]
    pub show_secrets: bool,
    /// How it is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(args: &RehearseArgs, console: &mut Console) -> Result<Exit, CommandError> {
    if args.config.len() > MOST_NODES {
        let given = args.config.len();
        let what = format!("{given} configurations, and at most {MOST_NODES} nodes are rehearsed");
        return Err(Diagnosis::new(what).into());
    }
    let releases = rules_named(args)?;
    let mut budget = Budget::default();
    let subjects = args
        .config
        .iter()
        .map(|path| Subject::read(path, &releases, &mut budget, console))
        .collect::<Result<Vec<_>, _>>()?;
    let plan = plan(args, &subjects)?;
    check_whole(&subjects)?;
    check_there(&subjects, &args.unformatted)?;
    let _log = args.log.begin();
    let rehearsal = rehearse(&plan);
    match args.output.form() {
        OutputForm::Json => {
            let secrets = Secrets::shown_if(args.show_secrets);
            json::print(console, &document::document(&subjects, &rehearsal, secrets))?;
        }
        OutputForm::Text => page::print(console, &subjects, &rehearsal)?,
    }
    Ok(if rehearsal.violations.is_empty() {
        Exit::Held
    } else {
        Exit::Failed
    })
}

/// The rules of every release that is named, in that order.
fn rules_named(args: &RehearseArgs) -> Result<Vec<Rules>, Diagnosis> {
    let quirks = args.quirks.quirks()?;
    let later = args.then.iter().flat_map(|then| &then.0);
    let rules = args
        .on
        .iter()
        .chain(later)
        .map(|named| quirks.rules(named.release));
    rules
        .collect::<Result<_, _>>()
        .map_err(|error| Diagnosis::new(error.to_string()))
}

/// What could not be read is not absent, so nothing is concluded from it.
fn check_whole(subjects: &[Subject]) -> Result<(), Diagnosis> {
    let partly = |subject: &&Subject| !subject.loaded.not_read.is_empty();
    let nodes: Vec<String> = subjects.iter().filter(partly).map(Subject::id).collect();
    let not_read: Vec<NotRead> = subjects
        .iter()
        .flat_map(|subject| subject.loaded.not_read.clone())
        .collect();
    if not_read.is_empty() {
        return Ok(());
    }
    let whose = match nodes.as_slice() {
        [one] => format!("node {one}"),
        several => format!("nodes {}", several.join(", ")),
    };
    Err(Diagnosis::new(format!(
        "the directories of {whose} were not read whole, so nothing is rehearsed"
    ))
    .found_each(&not_read)
    .advice("rehearse on a copy that can be read; docs/limits.md says how much is read at most"))
}

/// A directory that does not exist is a mistyped path, unless the node is said to be unformatted.
fn check_there(subjects: &[Subject], unformatted: &[i32]) -> Result<(), Diagnosis> {
    let nodes: Vec<NodeId> = subjects.iter().map(Subject::node).collect();
    let mut named = unformatted.iter().map(|id| NodeId(*id));
    if let Some(stranger) = named.find(|id| !nodes.contains(id)) {
        return Err(no_such_node(&nodes, stranger));
    }
    for subject in subjects {
        let missing = &subject.loaded.missing;
        let (id, path) = (subject.id(), subject.config_path.as_str());
        let meant = unformatted.contains(&subject.node().0);
        if !missing.is_empty() && !meant {
            let places = missing.iter().map(|dir| NotRead {
                path: dir.clone(),
                why: "no such directory".to_owned(),
            });
            return Err(Diagnosis::new(format!(
                "a directory of node {id} does not exist, so nothing is rehearsed"
            ))
            .at(path)
            .found_each(&places.collect::<Vec<_>>())
            .advice(format!(
                "correct the path; if node {id} was never formatted, say so with --unformatted {id}"
            )));
        }
        let formatted = subject.found.iter().find(|file| file.is_meta_properties());
        if let Some(file) = formatted.filter(|_| meant) {
            return Err(Diagnosis::new(format!(
                "node {id} is said to be unformatted, and is formatted"
            ))
            .at(path)
            .found(file.name.as_str())
            .advice(format!("leave --unformatted {id} out")));
        }
    }
    Ok(())
}

fn plan(args: &RehearseArgs, subjects: &[Subject]) -> Result<Plan, Diagnosis> {
    let nodes: Vec<NodeId> = subjects.iter().map(Subject::node).collect();
    for (at, node) in nodes.iter().enumerate() {
        if let Some(first) = nodes[..at].iter().position(|other| other == node) {
            return Err(
                Diagnosis::new(format!("two configurations are of node {node}"))
                    .at(format!(
                        "{} and {}",
                        subjects[first].config_path, subjects[at].config_path
                    ))
                    .expected("one server.properties for each node"),
            );
        }
    }
    let leader = args.leader.map(NodeId);
    if let Some(leader) = leader.filter(|leader| !nodes.contains(leader)) {
        return Err(no_such_node(&nodes, leader));
    }
    let mut releases = assign(&nodes, &BTreeMap::new(), &args.on)?;
    if let Some(node) = nodes.iter().find(|node| !releases.contains_key(node)) {
        return Err(
            Diagnosis::new(format!("no release is given for node {node}")).expected(format!(
                "--on RELEASE for all nodes, or --on {node}=RELEASE"
            )),
        );
    }
    let planned = subjects.iter().map(|subject| PlannedNode {
        config: subject.loaded.config.clone(),
        disk: subject.loaded.disk.clone(),
        release: releases[&subject.node()],
    });
    let mut plan = Plan::new(planned.collect());
    plan.leader = leader;
    plan.seed = args.seed;
    plan.quirks = args.quirks.quirks()?;
    for then in &args.then {
        releases = assign(&nodes, &releases, &then.0)?;
        plan.then.push(releases.clone());
    }
    Ok(plan)
}
