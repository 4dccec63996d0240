//! What no run could make sense of, found before one begins.

use std::mem::Discriminant;

use records::NodeId;
use releases::Quirk;

use super::command::Command;
use super::document::{Scenario, Statement, statements};
use super::known;
use super::limits::{MOST_COMMANDS, MOST_NODES};
use super::verbs::judging::Judging;
use super::verbs::looking::Looking;
use super::verbs::time::{Else, Timing};
use crate::invariants::JUDGED;
use crate::run::action::{
    Action, ClientAction, Declaration, DiskAction, FileRef, NetworkAction, NodeSelector, Nodes,
    ProcessAction,
};
use crate::run::condition::{Condition, Fact};
use crate::run::nearest;
use crate::run::{Problem, Span, Spanned, feature_level};

/// Checks that a scenario has controllers, that its nodes are among them, that quirks exist, that what makes the world
/// comes before what happens in it, and that only commands which can happen at a moment stand behind `at` and `when`.
pub fn check(scenario: &Scenario) -> Result<(), Problem> {
    let mut checker = Checker::default();
    for statement in scenario.all_statements() {
        checker.command(&statement.command.value, &statement.command.span)?;
    }
    commands_within_limit(scenario)?;
    if checker.members.is_empty() {
        return Err(Problem::new(0..0, "this scenario has no controllers")
            .suggesting("begin with a line such as `controllers 1 2 3`"));
    }
    Ok(())
}

/// A `repeat` counts its commands as often as it repeats them.
fn commands_within_limit(scenario: &Scenario) -> Checked {
    let mut count = 0_u64;
    for statement in scenario.statements() {
        count = count.saturating_add(commands(statement));
        if count > MOST_COMMANDS {
            let what = format!("a scenario carries out at most {MOST_COMMANDS} commands");
            let span = statement.command.span.clone();
            return Err(Problem::new(span, what).suggesting("repeat less, or make two scenarios"));
        }
    }
    Ok(())
}

fn commands(statement: &Statement) -> u64 {
    match &statement.command.value {
        Command::Timing(Timing::Repeat(times, body)) => {
            let body = statements(body).map(commands).fold(1, u64::saturating_add);
            body.saturating_mul(u64::from(*times).max(1))
        }
        _ => 1,
    }
}

#[derive(Default)]
struct Checker {
    members: Vec<NodeId>,
    controllers: Option<Span>,
    begun: bool,
    copies: Vec<String>,
    /// The kinds of declarations so far.
    said: Vec<Discriminant<Declaration>>,
}

type Checked = Result<(), Problem>;

impl Checker {
    fn command(&mut self, command: &Command, span: &Span) -> Checked {
        match command {
            Command::Declaration(declaration) => self.declaration(declaration, span),
            Command::Action(action) => {
                self.begin(span)?;
                self.action(action, span)
            }
            Command::Timing(timing) => self.timing(timing, span),
            Command::Looking(looking) => {
                self.begin(span)?;
                self.looking(looking)
            }
            Command::Judging(judging) => {
                self.begin(span)?;
                match judging {
                    Judging::Expect(condition, broken) => {
                        self.condition(condition)?;
                        judged(broken)
                    }
                    Judging::Never(condition) => self.condition(condition),
                    Judging::Violation(id) => known::violation(id),
                }
            }
        }
    }

    fn action(&mut self, action: &Action, span: &Span) -> Checked {
        match action {
            Action::Disk(disk) => self.disk(disk),
            Action::Process(process) => {
                if let ProcessAction::CrashAt(_, point) = process
                    && let Some((_, file)) = &point.what
                {
                    known::pattern(file, span)?;
                }
                self.nodes(process_nodes(process))
            }
            Action::Network(network) => self.network(network),
            Action::Client(client) => self.client(client),
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

    fn declaration(&mut self, declaration: &Declaration, span: &Span) -> Checked {
        match declaration {
            Declaration::Controllers(nodes) => {
                if self.controllers.is_some() {
                    return Err(Problem::new(
                        span.clone(),
                        "the controllers are named twice",
                    ));
                }
                self.controllers = Some(span.clone());
                self.join(nodes)?;
            }
            Declaration::Observers(nodes) => self.join(nodes)?,
            Declaration::With(quirk) | Declaration::Without(quirk) => {
                Quirk::named(&quirk.value)
                    .map_err(|error| Problem::new(quirk.span.clone(), error.to_string()))?;
            }
            Declaration::Set { node, key, .. } => {
                if let Some(node) = node {
                    self.number(node)?;
                }
                known::property(key)?;
            }
            _ => {}
        }
        let once = matches!(
            declaration,
            Declaration::Controllers(_)
                | Declaration::Observers(_)
                | Declaration::Seed(_)
                | Declaration::Quorum(_)
                | Declaration::RandomDelays
                | Declaration::Wire(_)
        );
        let kind = std::mem::discriminant(declaration);
        let is_single = once && !matches!(declaration, Declaration::Observers(_));
        if (is_single || matches!(declaration, Declaration::Title(_))) && self.said.contains(&kind)
        {
            let what = "this was said above: one of the two would be dropped";
            return Err(Problem::new(span.clone(), what).suggesting("keep one of them"));
        }
        self.said.push(kind);
        if once && self.begun {
            return Err(
                Problem::new(span.clone(), "this makes the world, which exists by now")
                    .suggesting("move it above the first command that does something"),
            );
        }
        Ok(())
    }

    fn join(&mut self, nodes: &[Spanned<NodeId>]) -> Checked {
        let count = self.members.len() + nodes.len();
        if count > MOST_NODES
            && let Some(node) = nodes.first()
        {
            let what = format!("these are {count} nodes, and a world has at most {MOST_NODES}");
            return Err(Problem::new(node.span.clone(), what));
        }
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

    fn file(&self, file: &Spanned<FileRef>) -> Checked {
        self.node(&Spanned::new(file.value.node, file.span.clone()))
    }

    fn disk(&mut self, disk: &DiskAction) -> Checked {
        match disk {
            DiskAction::Format(format) => self.nodes(&format.nodes),
            DiskAction::Load { node, .. } => self.number(node),
            DiskAction::Copy { file, name } => {
                self.copies.push(name.value.clone());
                self.file(file)
            }
            DiskAction::Put { name, file } => {
                if !self.copies.contains(&name.value) {
                    let problem =
                        Problem::new(name.span.clone(), format!("nothing was copied as `{name}`"));
                    return Err(match nearest(&name.value, self.copied()) {
                        Some(near) => problem.suggesting(format!("did you mean `{near}`?")),
                        None => problem.suggesting(format!("`copy 1:FILE as {name}` comes first")),
                    });
                }
                self.file(file)
            }
            DiskAction::Remove(file)
            | DiskAction::Truncate { file, .. }
            | DiskAction::Corrupt { file, .. } => self.file(file),
            DiskAction::Wipe(nodes) => self.nodes(nodes),
            DiskAction::Swap(a, b) | DiskAction::Clone { from: a, to: b } => {
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
            Timing::RunUntil(condition, _, broken) | Timing::RunWhile(condition, _, broken) => {
                self.condition(condition)?;
                judged(broken)
            }
            Timing::RunFor(_) | Timing::Repeat(..) | Timing::Write { .. } => Ok(()),
            Timing::Restart(nodes, _) | Timing::Upgrade(nodes, _) => self.nodes(nodes),
            Timing::At(_, command) => self.later(command, span),
            Timing::When(condition, command) => {
                self.condition(condition)?;
                self.later(command, span)
            }
        }
    }

    fn later(&mut self, command: &Command, span: &Span) -> Checked {
        if matches!(command, Command::Declaration(_) | Command::Timing(_)) {
            let problem = format!("`{command}` cannot wait for a moment of the run");
            let problem = Problem::new(span.clone(), problem);
            return Err(match command {
                Command::Timing(Timing::Restart(..) | Timing::Upgrade(..)) => {
                    problem.suggesting("it takes time: write `stop`, and later `start`")
                }
                _ => problem,
            });
        }
        self.command(command, span)
    }

    fn network(&self, network: &NetworkAction) -> Checked {
        match network {
            NetworkAction::Cut(a, b) | NetworkAction::Mend(a, b) => {
                self.node(a)?;
                self.node(b)
            }
            NetworkAction::CutOneWay(link)
            | NetworkAction::MendOneWay(link)
            | NetworkAction::Delay(link, _)
            | NetworkAction::Drop {
                link: Some(link), ..
            } => {
                self.node(&link.from)?;
                self.node(&link.to)
            }
            NetworkAction::Isolate(nodes) => self.nodes(nodes),
            NetworkAction::Split(sides) => sides.iter().try_for_each(|side| self.nodes(side)),
            NetworkAction::Heal | NetworkAction::Drop { link: None, .. } => Ok(()),
        }
    }

    fn client(&self, command: &ClientAction) -> Checked {
        match command {
            ClientAction::AddVoter(node) | ClientAction::RemoveVoter { node, .. } => {
                self.node(node)
            }
            // One may ask for a controller that there is not.
            ClientAction::UnregisterController(_) | ClientAction::DescribeQuorum => Ok(()),
            ClientAction::UpdateFeature { feature, level, .. } => {
                known::feature(&feature.value, &feature.span)?;
                feature_level(&feature.value, level).map(|_| ())
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
        let mut clauses = condition.clauses.iter();
        clauses.try_for_each(|clause| self.fact(&clause.fact))
    }

    fn fact(&self, fact: &Fact) -> Checked {
        match fact {
            Fact::Active(node) | Fact::Claimed(node) | Fact::Leader(node) => {
                node.iter().try_for_each(|node| self.node(node))
            }
            Fact::Running(nodes)
            | Fact::Down(nodes)
            | Fact::MovedOn(nodes, _)
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
            Fact::File(file) => {
                self.file(file)?;
                known::file(&file.value.path, &file.span)
            }
            Fact::Voter(id) | Fact::NonVoter(id) | Fact::Leads(id, _) => self.number(id),
            Fact::Quiet | Fact::Answered | Fact::Epoch(_) | Fact::Working | Fact::InStep => Ok(()),
        }
    }
}

/// Only invariants that waiting judges can be named behind `else`.
fn judged(broken: &Else) -> Checked {
    let Some(id) = broken else { return Ok(()) };
    let known = || JUDGED.iter().map(|judged| judged.id);
    if known().any(|known| known == id.value) {
        return Ok(());
    }
    let ids: Vec<&str> = known().collect();
    let problem = format!("`{id}` is no invariant that waiting can judge");
    let problem = Problem::new(id.span.clone(), problem);
    Err(match nearest(&id.value, known()) {
        Some(near) => problem.suggesting(format!("did you mean `{near}`?")),
        None => problem.suggesting(format!("such invariants are {}", ids.join(", "))),
    })
}

fn process_nodes(process: &ProcessAction) -> &Nodes {
    match process {
        ProcessAction::Start(nodes, _)
        | ProcessAction::Stop(nodes)
        | ProcessAction::Crash(nodes)
        | ProcessAction::CrashAt(nodes, _)
        | ProcessAction::Disarm(nodes)
        | ProcessAction::LoseUnsynced(nodes)
        | ProcessAction::Pause(nodes, _)
        | ProcessAction::Resume(nodes) => nodes,
    }
}
