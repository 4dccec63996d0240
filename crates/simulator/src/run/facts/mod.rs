//! Whether a condition holds, and what was found instead.

mod quorum;

use bytes::Bytes;
use node::{Node, RegistrationState};
use raft_log::batch::Batch;
use records::NodeId;
use records::feature::{FeatureTable, Line, MetadataVersion};

use super::Run;
use super::Spanned;
use super::action::{FileRef, NodeSelector, Nodes};
use super::condition::{Clause, Condition, Count, Fact, On, Sense};
use super::select::is_active;
use crate::invariants::SourceKind;
use crate::invariants::records;
use crate::observer::log_reader;
use crate::world::Machine;

/// Takes down what was found, if anybody asked: after most events nobody did, and no text is made.
enum Found<'t> {
    Unasked,
    Asked(&'t mut String),
}

impl Found<'_> {
    fn say(&mut self, found: impl FnOnce() -> String) {
        if let Found::Asked(text) = self {
            **text = found();
        }
    }

    /// It is this node of which that was said.
    fn blame(&mut self, id: NodeId) {
        if let Found::Asked(text) = self {
            **text = format!("node {id}: {text}");
        }
    }
}

impl Run {
    /// Whether a condition holds now.
    pub fn holds(&self, condition: &Condition) -> bool {
        let mut clauses = condition.clauses.iter();
        clauses.all(|clause| self.clause(clause, &mut Found::Unasked))
    }

    /// What there is: of the first clause that does not hold, else of the last.
    pub fn found(&self, condition: &Condition) -> String {
        let mut text = String::new();
        for clause in &condition.clauses {
            if !self.clause(clause, &mut Found::Asked(&mut text)) {
                break;
            }
        }
        text
    }

    fn clause(&self, clause: &Clause, found: &mut Found<'_>) -> bool {
        self.fact(&clause.fact, found) == (clause.sense == Sense::Holds)
    }

    fn fact(&self, fact: &Fact, found: &mut Found<'_>) -> bool {
        match fact {
            Fact::Active(node) => self.part(node.as_ref(), is_active, "active", found),
            Fact::Claimed(node) => {
                let claimed = |node: &Node| node.is_active() && !is_active(node);
                self.part(node.as_ref(), claimed, "claiming", found)
            }
            Fact::Leader(node) => {
                let leads = |node: &Node| node.leader_and_epoch().leader == Some(node.id());
                self.part(node.as_ref(), leads, "leading", found)
            }
            Fact::Leads(id, epoch) => self.leads(id.value, *epoch, found),
            Fact::Working => self.works(found),
            Fact::MovedOn(nodes, offset) => self.moved_on(nodes, *offset, found),
            Fact::InStep => self.in_step(found),
            Fact::Quiet => self.quiet(found),
            Fact::Voter(id) => self.voter(id.value, found) == Some(true),
            Fact::NonVoter(id) => self.voter(id.value, found) == Some(false),
            Fact::Running(nodes) => self.each(nodes, found, runs),
            Fact::Down(nodes) => self.each(nodes, found, |machine, found| {
                found.say(|| "it runs".to_owned());
                machine.down().is_some()
            }),
            Fact::Exited(nodes, words) => self.each(nodes, found, |machine, found| {
                exited(machine, words.as_deref(), found)
            }),
            Fact::Registered(nodes) => self.each(nodes, found, registered),
            Fact::Answered => self.answered(found),
            Fact::Epoch(count) => self.epoch(*count, found),
            Fact::LogEnd(count, on) => {
                let log_end = |node: &Node| Some(node.replica().log_end_offset());
                self.offset("log end", *count, on, found, log_end)
            }
            Fact::Committed(count, on) => {
                let committed = |node: &Node| node.replica().high_watermark();
                self.offset("high watermark", *count, on, found, committed)
            }
            Fact::MetadataVersion(version, on) => {
                self.metadata_version(version.as_deref(), on, found)
            }
            Fact::Feature(name, level, on) => self.on_each(on, found, |node, found| {
                let known = node.image().features().level(name);
                found.say(|| format!("{name} {known}"));
                known == *level
            }),
            Fact::Source(source, on) => self.source(*source, on, found),
            Fact::BootstrapRecords(count, on) => {
                let last = self.last_activation(on).map(|(_, count)| count);
                number("bootstrap records", *count, last, found)
            }
            Fact::Records(name, count, on) => self.records(name, *count, on, found),
            Fact::File(file) => self.file(file, found),
            Fact::SameLog(nodes) => self.same(nodes, "log", found, log_bytes),
            Fact::SameImage(nodes) => self.same(nodes, "image", found, |machine| {
                machine.last_node().map(|node| node.image().hash())
            }),
        }
    }

    fn epoch(&self, count: Count, found: &mut Found<'_>) -> bool {
        let nodes = self.world().machines().filter_map(Machine::node);
        let epoch = nodes.map(Node::epoch).max().unwrap_or(-1);
        number("epoch", count, Some(i64::from(epoch)), found)
    }

    fn file(&self, file: &Spanned<FileRef>, found: &mut Found<'_>) -> bool {
        let mut nodes = self.select(file.value.node).into_iter();
        let machine = nodes.next().and_then(|id| self.world().machine(id));
        let is_there = machine.is_some_and(|machine| {
            let path = disk::path::join(machine.metadata_dir(), &file.value.path);
            machine.disk().look(&path).is_some()
        });
        let words = ["it is not there", "it is there"];
        found.say(|| words[usize::from(is_there)].to_owned());
        is_there
    }

    fn answered(&self, found: &mut Found<'_>) -> bool {
        let unanswered = self.world().unanswered();
        found.say(|| match unanswered {
            0 => "everything is answered".to_owned(),
            n => format!("answers that have not come: {n}"),
        });
        unanswered == 0
    }

    /// Somebody, or a certain node, plays a part.
    fn part(
        &self,
        on: Option<&Spanned<NodeSelector>>,
        plays: impl Fn(&Node) -> bool,
        what: &str,
        found: &mut Found<'_>,
    ) -> bool {
        let playing = || {
            let nodes = self.world().machines().filter_map(Machine::node);
            nodes.filter(|node| plays(node)).map(Node::id)
        };
        found.say(|| {
            let names: Vec<String> = playing().map(|id| format!("node {id}")).collect();
            match names.as_slice() {
                [] => format!("nobody is {what}"),
                some => format!("{what}: {}", some.join(", ")),
            }
        });
        match on.map(|selector| selector.value) {
            None => playing().next().is_some(),
            Some(NodeSelector::Number(id)) => playing().any(|one| one == id),
            Some(selector) => {
                let wanted = self.select(selector);
                !wanted.is_empty() && wanted.iter().all(|id| playing().any(|one| one == *id))
            }
        }
    }

    /// What is judged of each of the nodes that are named; there is one at least.
    fn each(
        &self,
        nodes: &Nodes,
        found: &mut Found<'_>,
        judge: impl Fn(&Machine, &mut Found<'_>) -> bool,
    ) -> bool {
        let mut any = false;
        for machine in self.world().machines() {
            let is_meant = |one: &Spanned<NodeSelector>| self.means(one.value, machine.id());
            if !nodes.0.iter().any(is_meant) {
                continue;
            }
            any = true;
            if !judge(machine, found) {
                found.blame(machine.id());
                return false;
            }
        }
        found.say(|| "it is so".to_owned());
        any
    }

    /// An offset of the nodes that are named, else of the leader.
    fn offset(
        &self,
        what: &str,
        count: Count,
        on: &On,
        found: &mut Found<'_>,
        look: impl Fn(&Node) -> Option<i64>,
    ) -> bool {
        let selector = on.as_ref().map_or(NodeSelector::Leader, |on| on.value);
        let nodes = self.select(selector);
        let last = |id: &NodeId| self.world().machine(*id).and_then(Machine::last_node);
        let mut offsets = nodes.iter().map(|id| last(id).and_then(&look));
        match nodes.as_slice() {
            [] => number(what, count, None, found),
            _ => offsets.all(|offset| number(what, count, offset, found)),
        }
    }

    /// The node that is named, else the leader, else nobody.
    fn node(&self, on: &On) -> Option<&Machine> {
        let id = match on {
            Some(selector) => self.select(selector.value).first().copied(),
            None => self.leader(),
        };
        id.and_then(|id| self.world().machine(id))
    }

    /// On the nodes that are named, else on all that run: all must agree.
    fn on_each(
        &self,
        on: &On,
        found: &mut Found<'_>,
        judge: impl Fn(&Node, &mut Found<'_>) -> bool,
    ) -> bool {
        let selector = on.as_ref().map_or(NodeSelector::All, |on| on.value);
        let nodes = self.select(selector).into_iter();
        let mut any = false;
        for node in nodes.filter_map(|id| self.world().machine(id)?.node()) {
            any = true;
            if !judge(node, found) {
                found.blame(node.id());
                return false;
            }
        }
        if !any {
            found.say(|| "no such node runs".to_owned());
        }
        any
    }

    fn metadata_version(&self, wanted: Option<&str>, on: &On, found: &mut Found<'_>) -> bool {
        self.on_each(on, found, |node, found| {
            let known = node.image().features().metadata_version();
            let name = known.map(version_name);
            let holds = match wanted {
                None => name.is_some(),
                Some(wanted) => name.as_deref() == Some(wanted),
            };
            found.say(|| name.unwrap_or_else(|| "no metadata.version".to_owned()));
            holds
        })
    }

    /// Source and number of bootstrap records of the last activation, on a node or anywhere.
    fn last_activation(&self, on: &On) -> Option<(SourceKind, i64)> {
        let wanted = on.as_ref().map(|on| self.select(on.value));
        let all = self.observer().activations().iter().rev();
        let mut of_node =
            all.filter(|row| wanted.as_ref().is_none_or(|ids| ids.contains(&row.node)));
        of_node
            .next()
            .map(|row| (row.source, row.bootstrap_records as i64))
    }

    fn source(&self, wanted: SourceKind, on: &On, found: &mut Found<'_>) -> bool {
        let last = self.last_activation(on);
        found.say(|| match last {
            Some((source, _)) => format!("the source is {source}"),
            None => "there was no activation".to_owned(),
        });
        last.is_some_and(|(source, _)| source == wanted)
    }

    fn records(&self, name: &str, count: Count, on: &On, found: &mut Found<'_>) -> bool {
        let machine = self.node(on);
        let end = machine.and_then(|machine| machine.last_node()?.replica().high_watermark());
        let (Some(machine), Some(end)) = (machine, end) else {
            found.say(|| "nothing is committed".to_owned());
            return false;
        };
        let batches = log_reader::batches(machine);
        let committed = batches
            .iter()
            .filter(|batch| batch.last_offset() < end && !batch.is_control());
        let of_name = committed.flat_map(records).filter(|record| {
            let kind = record.record.kind();
            kind.name() == name || kind.type_name() == name
        });
        number(name, count, Some(of_name.count() as i64), found)
    }

    fn same<T: PartialEq>(
        &self,
        nodes: &Nodes,
        what: &str,
        found: &mut Found<'_>,
        look: impl Fn(&Machine) -> T,
    ) -> bool {
        let nodes = self.select_all(nodes);
        let machines = nodes.iter().filter_map(|id| self.world().machine(*id));
        let looks: Vec<(NodeId, T)> = machines
            .map(|machine| (machine.id(), look(machine)))
            .collect();
        let Some(((first, one), rest)) = looks.split_first() else {
            found.say(|| "no such node".to_owned());
            return false;
        };
        let other = rest.iter().find(|(_, other)| other != one);
        found.say(|| match other {
            Some((id, _)) => format!("nodes {first} and {id} differ in their {what}"),
            None => format!("the same {what}"),
        });
        other.is_none()
    }
}

fn number(what: &str, wanted: Count, value: Option<i64>, found: &mut Found<'_>) -> bool {
    found.say(|| match value {
        Some(value) => format!("{what}: {value}"),
        None => format!("{what}: unknown"),
    });
    value.is_some_and(|value| wanted.admits(value))
}

fn log_bytes(machine: &Machine) -> Vec<Bytes> {
    let batches = log_reader::batches(machine);
    batches.iter().map(Batch::bytes).cloned().collect()
}

fn runs(machine: &Machine, found: &mut Found<'_>) -> bool {
    let down = machine.down();
    found.say(|| down.map_or_else(String::new, ToString::to_string));
    down.is_none()
}

fn exited(machine: &Machine, words: Option<&str>, found: &mut Found<'_>) -> bool {
    let Some(down) = machine.down() else {
        found.say(|| "it runs".to_owned());
        return false;
    };
    if !down.by_itself() {
        found.say(|| format!("it did not end by itself: {down}"));
        return false;
    }
    found.say(|| down.to_string());
    words.is_none_or(|words| down.to_string().contains(words))
}

fn registered(machine: &Machine, found: &mut Found<'_>) -> bool {
    let Some(node) = machine.node() else {
        found.say(|| "it is down".to_owned());
        return false;
    };
    if node.registration_state() == RegistrationState::Pending {
        found.say(|| "its registration is not in the log".to_owned());
        return false;
    }
    found.say(|| "metadata.version has no registrations".to_owned());
    node.image().cluster().controller(node.id()).is_some()
}

/// `4.4-IV2`, by the newest line that knows the level.
pub(crate) fn version_name(version: MetadataVersion) -> String {
    let known = |line: &Line| FeatureTable::of(*line).metadata_version(version);
    let info = Line::ALL.iter().rev().find_map(known);
    info.map_or_else(
        || format!("level {}", version.0),
        |info| info.name.to_owned(),
    )
}
