//! Real controller directories in, activation out.

mod arguments;
mod document;
mod logs;
mod page;
pub(crate) mod standing;

use std::collections::BTreeMap;

use clap::Args;
use config::ServerConfig;
use config::properties::Properties;
use disk::{ReadOnlyDisk, StdDisk};
use records::NodeId;
use simulator::rehearse::{LoadError, LoadedNode, Plan, PlannedNode, load, rehearse};

use self::arguments::{Assignment, Assignments, assign, no_such_node};
use self::standing::{StandingFile, files};
use crate::cli::{OutputArgs, Shape};
use crate::log_args::LogArgs;
use crate::release_args::QuirkArgs;
use crate::{CommandError, Console, Diagnosis, Exit, json};

const AFTER_HELP: &str = "\
A phase ends when the live controllers are active, registered and quiet, or after 12 s of simulated time. Works on \
copies in memory; the directories are opened for reading only. That Kafka would refuse to start is a result.\n\n\
Exit status: 0 the rehearsal was made; 1 an invariant did not hold; 2 bad usage or input.";

/// Arguments of `kraftsim rehearse`.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct RehearseArgs {
    /// A node's server.properties; once per node
    #[arg(short, long = "config", value_name = "FILE", required = true)]
    pub config: Vec<String>,
    /// What runs: one release for all nodes, or one for a node
    #[arg(long, value_name = "[ID=]RELEASE", required = true)]
    pub on: Vec<Assignment>,
    /// Which node wins the first election, where that can be arranged
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub leader: Option<i32>,
    /// After a clean stop of all nodes, start again on these releases; a node that is not named keeps its own
    #[arg(long, value_name = "[ID=]RELEASE,…")]
    pub then: Vec<Assignments>,
    /// The known bugs.
    #[command(flatten)]
    pub quirks: QuirkArgs,
    /// Where every random choice comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// What the crates of the model say.
    #[command(flatten)]
    pub log: LogArgs,
    /// How it is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A node as it was found.
pub(crate) struct Subject {
    config_path: String,
    loaded: LoadedNode,
    found: Vec<StandingFile>,
}

impl Subject {
    fn node(&self) -> NodeId {
        self.loaded.config.node_id()
    }

    fn id(&self) -> String {
        self.node().to_string()
    }

    fn server(&self) -> &ServerConfig {
        self.loaded.config.server()
    }
}

/// Runs the command.
pub fn run(args: &RehearseArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let subjects = args
        .config
        .iter()
        .map(|path| subject(path))
        .collect::<Result<Vec<_>, _>>()?;
    let plan = plan(args, &subjects)?;
    let _log = args.log.begin();
    let rehearsal = rehearse(&plan);
    match args.output.shape() {
        Shape::Json => json::print(console, &document::document(&subjects, &rehearsal))?,
        Shape::Text => page::print(console, &subjects, &rehearsal)?,
    }
    Ok(if rehearsal.violations.is_empty() {
        Exit::Held
    } else {
        Exit::Failed
    })
}

fn subject(config_path: &str) -> Result<Subject, Diagnosis> {
    let mut real = ReadOnlyDisk::new(StdDisk::new());
    let loaded = load(&mut real, config_path).map_err(|error| unusable(config_path, &error))?;
    let found = files(
        &mut loaded.disk.clone(),
        loaded.config.server(),
        config_path,
    );
    Ok(Subject {
        config_path: config_path.to_owned(),
        loaded,
        found,
    })
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

/// Why a configuration cannot be used, with the line that is to blame where there is one.
fn unusable(path: &str, error: &LoadError) -> Diagnosis {
    let said = error.to_string();
    let prefix = format!("{path}: ");
    let what = said.strip_prefix(&prefix).unwrap_or(&said).to_owned();
    Diagnosis::new(format!("the configuration cannot be used: {what}"))
        .at(blamed_line(path, &what)
            .map_or_else(|| path.to_owned(), |line| format!("{path}:{line}")))
}

/// The number of the first line whose key the message names.
fn blamed_line(path: &str, message: &str) -> Option<usize> {
    let bytes = bytes::Bytes::from(std::fs::read(path).ok()?);
    let properties = Properties::parse(path, &bytes).ok()?;
    let named = properties.iter().filter(|(key, _)| message.contains(key));
    // Of `listeners` and `advertised.listeners`, the longer key is the one that is meant.
    let (key, _) = named.max_by_key(|(key, _)| key.len())?;
    let position = usize::try_from(properties.position(key)?).ok()?;
    Some(bytes[..position].split(|byte| *byte == b'\n').count())
}
