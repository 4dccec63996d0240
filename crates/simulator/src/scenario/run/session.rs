use node::Node;
use records::NodeId;

use super::executor::{Executor, LoadFiles, Options};
use crate::invariants::Violation;
use crate::observer::JournalEntry;
use crate::run::{Problem, Run};
use crate::scenario::document::{ScenarioLine, Statement};
use crate::scenario::parse::parse;
use crate::world::{AdministratorAnswer, Machine, World};

/// A scenario that is made while it runs: a caller says a command, looks at the world, and says the next one.
///
/// [`Self::text`] is the scenario so far, with its output; run as a file, it goes the same way.
pub struct Session<'l, 's> {
    executor: Executor<'l, 's>,
    text: String,
}

impl<'l, 's> Session<'l, 's> {
    /// Begins with the commands that make the world, and the comments above them.
    pub fn begin(header: &str, load: &'l mut LoadFiles<'s>) -> Result<Self, Problem> {
        let scenario = parse(header)?;
        let mut executor = Executor::new(&scenario, &Options::default(), load)?;
        for statement in scenario.statements() {
            executor.statement(statement)?;
        }
        let text = header.to_owned();
        Ok(Session { executor, text })
    }

    /// Carries out one command, and says what it printed.
    pub fn say(&mut self, command: &str) -> Result<Vec<String>, Problem> {
        let scenario = parse(&format!("{command}\n"))?;
        let mut printed = Vec::new();
        for line in &scenario.lines {
            if let ScenarioLine::Statement(statement) = line {
                self.executor.statement(statement)?;
                printed.extend(self.executor.stage.take_printed());
                self.keep(statement, &printed);
            }
        }
        Ok(printed)
    }

    fn keep(&mut self, statement: &Statement, printed: &[String]) {
        self.text.push_str(&statement.command.value.to_string());
        self.text.push('\n');
        for line in printed {
            let line = format!("| {line}");
            self.text.push_str(line.trim_end());
            self.text.push('\n');
        }
    }

    /// Writes a comment into the text, after a blank line.
    pub fn remark(&mut self, words: &str) {
        self.text.push('\n');
        for line in words.lines() {
            self.text.push_str(format!("# {line}").trim_end());
            self.text.push('\n');
        }
    }

    /// The scenario so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The run as it stands.
    pub fn run(&self) -> &Run {
        &self.executor.run
    }

    /// The world as it stands.
    pub fn world(&self) -> &World {
        self.executor.run.world()
    }

    /// The process of a node, if it runs.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.world().machine(id).and_then(Machine::node)
    }

    /// Who leads the highest epoch that anybody leads.
    pub fn leader(&self) -> Option<NodeId> {
        self.executor.run.leader()
    }

    /// Whose controller is active in the highest epoch.
    pub fn active(&self) -> Option<NodeId> {
        self.executor.run.active()
    }

    /// Everything that happened, in order.
    pub fn journal(&self) -> &[JournalEntry] {
        self.executor.run.observer().journal()
    }

    /// The answers to what was asked, each with its command, in the order in which they came.
    pub fn answers(&self) -> &[(String, AdministratorAnswer)] {
        self.executor.run.answers()
    }

    /// What did not hold.
    pub fn failures(&self) -> &[Problem] {
        &self.executor.stage.failures
    }

    /// Invariants that were violated.
    pub fn violations(&self) -> &[Violation] {
        self.executor.run.observer().invariants().violations()
    }
}
