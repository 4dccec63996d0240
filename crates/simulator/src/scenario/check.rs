//! What no run could make sense of, found before one begins.

use records::NodeId;
use releases::Quirk;

use super::command::Command;
use super::condition::{Condition, Fact};
use super::document::Scenario;
use super::nodes::{NodeSelector, Nodes};
use super::problem::Problem;
use super::span::{Span, Spanned};
use super::verbs::client::{self, Client};
use super::verbs::disk::Disk;
use super::verbs::judging::Judging;
use super::verbs::looking::Looking;
use super::verbs::network::Network;
use super::verbs::process::Process;
use super::verbs::time::Timing;
use super::verbs::world::World;

/// Checks that a scenario has controllers, that its nodes are among them, that quirks exist, that what makes the world
/// comes before what happens in it, and that only commands which can happen at a moment stand behind `at` and `when`.
pub fn check(scenario: &Scenario) -> Result<(), Problem> {
    let mut checker = Checker::default();
    for statement in scenario.all_statements() {
        checker.command(&statement.command.value, &statement.command.span)?;
    }
    if checker.members.is_empty() {
        return Err(Problem::new(0..0, "this scenario has no controllers")
            .suggesting("begin with a line such as `controllers 1 2 3`"));
    }
    Ok(())
}

#[derive(Default)]
struct Checker {
    members: Vec<NodeId>,
    controllers: Option<Span>,
    begun: bool,
    copies: Vec<String>,
}

type Checked = Result<(), Problem>;

impl Checker {
    fn command(&mut self, command: &Command, span: &Span) -> Checked {
        match command {
            Command::World(world) => self.world(world, span),
            Command::Disk(disk) => {
                self.begin(span)?;
                self.disk(disk)
            }
            Command::Process(process) => {
                self.begin(span)?;
                self.nodes(process_nodes(process))
            }
            Command::Timing(timing) => self.timing(timing, span),
            Command::Network(network) => {
                self.begin(span)?;
                self.network(network)
            }
            Command::Client(command) => {
                self.begin(span)?;
                self.client(command)
            }
            Command::Looking(looking) => {
                self.begin(span)?;
                self.looking(looking)
            }
            Command::Judging(judging) => {
                self.begin(span)?;
                match judging {
                    Judging::Expect(condition) | Judging::Never(condition) => {
                        self.condition(condition)
                    }
                    Judging::Violation(_) => Ok(()),
                }
            }
        }
    }

    /// From here on things happen.
    fn begin(&mut self, span: &Span) -> Checked {
        if self.members.is_empty() {
            return Err(
                Problem::new(span.clone(), "no controllers are named before this line")
                    .suggesting("begin with a line such as `controllers 1 2 3`"),
            );
        }
        self.begun = true;
        Ok(())
    }

    fn world(&mut self, world: &World, span: &Span) -> Checked {
        match world {
            World::Controllers(nodes) => {
                if self.controllers.is_some() {
                    return Err(Problem::new(
                        span.clone(),
                        "the controllers are named twice",
                    ));
                }
                self.controllers = Some(span.clone());
                self.join(nodes)?;
            }
            World::Observers(nodes) => self.join(nodes)?,
            World::With(quirk) | World::Without(quirk) => {
                Quirk::named(&quirk.value)
                    .map_err(|error| Problem::new(quirk.span.clone(), error.to_string()))?;
            }
            World::Set {
                node: Some(node), ..
            } => self.number(node)?,
            _ => {}
        }
        let once = matches!(
            world,
            World::Controllers(_)
                | World::Observers(_)
                | World::Seed(_)
                | World::Quorum(_)
                | World::RandomDelays
                | World::Wire(_)
        );
        if once && self.begun {
            return Err(
                Problem::new(span.clone(), "this makes the world, which exists by now")
                    .suggesting("move it above the first command that does something"),
            );
        }
        Ok(())
    }

    fn join(&mut self, nodes: &[Spanned<NodeId>]) -> Checked {
        for node in nodes {
            if self.members.contains(&node.value) {
                return Err(Problem::new(
                    node.span.clone(),
                    format!("node {node} is named twice"),
                ));
            }
            self.members.push(node.value);
        }
        Ok(())
    }

    fn number(&self, node: &Spanned<NodeId>) -> Checked {
        if self.members.contains(&node.value) {
            return Ok(());
        }
        let members: Vec<String> = self.members.iter().map(ToString::to_string).collect();
        Err(Problem::new(
            node.span.clone(),
            format!("there is no node {node} in this world"),
        )
        .suggesting(format!("it has {}", members.join(" "))))
    }

    fn node(&self, node: &Spanned<NodeSelector>) -> Checked {
        match node.value {
            NodeSelector::Number(id) => self.number(&Spanned::new(id, node.span.clone())),
            _ => Ok(()),
        }
    }

    fn nodes(&self, nodes: &Nodes) -> Checked {
        nodes.0.iter().try_for_each(|node| self.node(node))
    }

    fn file(&self, file: &Spanned<super::FileRef>) -> Checked {
        self.node(&Spanned::new(file.value.node, file.span.clone()))
    }

    fn disk(&mut self, disk: &Disk) -> Checked {
        match disk {
            Disk::Format(format) => self.nodes(&format.nodes),
            Disk::Load { node, .. } => self.number(node),
            Disk::Copy { file, name } => {
                self.copies.push(name.value.clone());
                self.file(file)
            }
            Disk::Put { name, file } => {
                if !self.copies.contains(&name.value) {
                    let problem =
                        Problem::new(name.span.clone(), format!("nothing was copied as `{name}`"));
                    return Err(match super::nearest::nearest(&name.value, self.copied()) {
                        Some(near) => problem.suggesting(format!("did you mean `{near}`?")),
                        None => problem.suggesting(format!("`copy 1:FILE as {name}` comes first")),
                    });
                }
                self.file(file)
            }
            Disk::Remove(file) | Disk::Truncate { file, .. } | Disk::Corrupt { file, .. } => {
                self.file(file)
            }
            Disk::Wipe(nodes) | Disk::LoseUnsynced(nodes) => self.nodes(nodes),
            Disk::Swap(a, b) | Disk::Clone { from: a, to: b } => {
                self.number(a)?;
                self.number(b)
            }
        }
    }

    fn copied(&self) -> impl Iterator<Item = &str> {
        self.copies.iter().map(String::as_str)
    }

    fn timing(&mut self, timing: &Timing, span: &Span) -> Checked {
        self.begin(span)?;
        match timing {
            Timing::RunUntil(condition, _) => self.condition(condition),
            Timing::RunFor(_) | Timing::Repeat(..) => Ok(()),
            Timing::At(_, command) => self.later(command, span),
            Timing::When(condition, command) => {
                self.condition(condition)?;
                self.later(command, span)
            }
        }
    }

    fn later(&mut self, command: &Command, span: &Span) -> Checked {
        if matches!(command, Command::World(_) | Command::Timing(_)) {
            return Err(Problem::new(
                span.clone(),
                format!("`{command}` cannot wait for a moment of the run"),
            ));
        }
        self.command(command, span)
    }

    fn network(&self, network: &Network) -> Checked {
        match network {
            Network::Cut(a, b) => {
                self.node(a)?;
                self.node(b)
            }
            Network::CutOneWay(link)
            | Network::Delay(link, _)
            | Network::Drop {
                link: Some(link), ..
            } => {
                self.node(&link.from)?;
                self.node(&link.to)
            }
            Network::Isolate(nodes) => self.nodes(nodes),
            Network::Split(sides) => sides.iter().try_for_each(|side| self.nodes(side)),
            Network::Heal | Network::Drop { link: None, .. } => Ok(()),
        }
    }

    fn client(&self, command: &Client) -> Checked {
        match command {
            Client::AddVoter(node) | Client::RemoveVoter { node, .. } => self.node(node),
            // One may ask for a controller that there is not.
            Client::UnregisterController(_) | Client::DescribeQuorum | Client::Write { .. } => {
                Ok(())
            }
            Client::UpdateFeature { feature, level, .. } => {
                client::level(&feature.value, level).map(|_| ())
            }
        }
    }

    fn looking(&self, looking: &Looking) -> Checked {
        match looking {
            Looking::Files(nodes)
            | Looking::Log(nodes, _)
            | Looking::Image(nodes)
            | Looking::Callbacks(nodes)
            | Looking::Versions(nodes) => self.nodes(nodes),
            Looking::Diff(a, b) => {
                self.node(a)?;
                self.node(b)
            }
            Looking::Quorum | Looking::Timeline => Ok(()),
        }
    }

    fn condition(&self, condition: &Condition) -> Checked {
        match &condition.fact {
            Fact::Active(node) | Fact::Claimed(node) | Fact::Leader(node) => {
                node.iter().try_for_each(|node| self.node(node))
            }
            Fact::Running(nodes)
            | Fact::Exited(nodes, _)
            | Fact::Registered(nodes)
            | Fact::SameLog(nodes)
            | Fact::SameImage(nodes) => self.nodes(nodes),
            Fact::LogEnd(_, on)
            | Fact::Committed(_, on)
            | Fact::MetadataVersion(_, on)
            | Fact::Feature(_, _, on)
            | Fact::Source(_, on)
            | Fact::BootstrapRecords(_, on)
            | Fact::Records(_, _, on) => on.iter().try_for_each(|node| self.node(node)),
            Fact::File(file) => self.file(file),
            Fact::Quiet | Fact::Answered | Fact::Epoch(_) => Ok(()),
        }
    }
}

fn process_nodes(process: &Process) -> &Nodes {
    match process {
        Process::Start(nodes, _)
        | Process::Stop(nodes)
        | Process::Crash(nodes)
        | Process::CrashAt(nodes, _)
        | Process::Restart(nodes, _)
        | Process::Pause(nodes, _)
        | Process::Resume(nodes)
        | Process::Upgrade(nodes, _) => nodes,
    }
}
