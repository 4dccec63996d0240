//! Whether a condition holds, and what was found instead.

use node::{Node, RegistrationState, Thread};
use raft_log::batch::Batch;
use records::NodeId;
use records::feature::{FeatureTable, Line, MetadataVersion};

use super::select::{View, is_active};
use super::setting::DIRECTORY;
use crate::invariants::SourceKind;
use crate::invariants::metadata_version_first::records;
use crate::observer::log_reader::{self, is_no_op};
use crate::scenario::condition::{Condition, Count, Fact, On, Sense};
use crate::scenario::nodes::{NodeSelector, Nodes};
use crate::scenario::span::Spanned;
use crate::world::Machine;

/// An answer, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) holds: bool,
    /// What was found.
    pub(super) found: String,
}

impl Answer {
    fn new(holds: bool, found: impl Into<String>) -> Self {
        Answer {
            holds,
            found: found.into(),
        }
    }
}

impl<'a> View<'a> {
    /// Whether a condition holds now.
    pub(super) fn holds(self, condition: &Condition) -> bool {
        self.answer(condition).holds
    }

    /// The same, with what was found.
    pub(super) fn answer(self, condition: &Condition) -> Answer {
        let fact = self.fact(&condition.fact);
        match condition.sense {
            Sense::Holds => fact,
            Sense::HoldsNot => Answer {
                holds: !fact.holds,
                ..fact
            },
        }
    }

    fn fact(self, fact: &Fact) -> Answer {
        match fact {
            Fact::Active(node) => self.part(node.as_ref(), is_active, "active"),
            Fact::Claimed(node) => {
                let claimed = |node: &Node| node.controller().is_active() && !is_active(node);
                self.part(node.as_ref(), claimed, "claiming")
            }
            Fact::Leader(node) => {
                let leads = |node: &Node| node.leader_and_epoch().leader == Some(node.id());
                self.part(node.as_ref(), leads, "leading")
            }
            Fact::Running(nodes) => self.each(nodes, |machine| match machine.down() {
                None => Ok(()),
                Some(down) => Err(down.to_string()),
            }),
            Fact::Exited(nodes, words) => {
                self.each(nodes, |machine| exited(machine, words.as_deref()))
            }
            Fact::Registered(nodes) => self.each(nodes, registered),
            Fact::Quiet => self.quiet(),
            Fact::Answered => self.answered(),
            Fact::Epoch(count) => {
                let nodes = self.world.machines().filter_map(Machine::node);
                let epoch = nodes.map(Node::epoch).max().unwrap_or(-1);
                number("epoch", *count, Some(i64::from(epoch)))
            }
            Fact::LogEnd(count, on) => {
                let log_end = self.node(on).map(|node| node.replica().log_end_offset());
                number("log end", *count, log_end)
            }
            Fact::Committed(count, on) => {
                let end = self
                    .node(on)
                    .and_then(|node| node.replica().high_watermark());
                number("high watermark", *count, end)
            }
            Fact::MetadataVersion(version, on) => self.metadata_version(version.as_deref(), on),
            Fact::Feature(name, level, on) => self.on_each(on, |node| {
                let found = node.image().features().level(name);
                Answer::new(found == *level, format!("{name} {found}"))
            }),
            Fact::Source(source, on) => self.source(*source, on),
            Fact::BootstrapRecords(count, on) => {
                let last = self.last_activation(on);
                number("bootstrap records", *count, last.map(|(_, count)| count))
            }
            Fact::Records(name, count, on) => self.records(name, *count, on),
            Fact::File(file) => {
                let nodes = self.select(file.value.node);
                let found = nodes
                    .first()
                    .and_then(|id| self.machine(*id))
                    .is_some_and(|machine| {
                        let path = format!("{DIRECTORY}/{}", file.value.path);
                        machine.disk().look(&path).is_some()
                    });
                Answer::new(
                    found,
                    if found {
                        "it is there"
                    } else {
                        "it is not there"
                    },
                )
            }
            Fact::SameLog(nodes) => self.same(nodes, "log", |machine| {
                let batches = log_reader::batches(machine);
                batches
                    .iter()
                    .map(Batch::bytes)
                    .cloned()
                    .collect::<Vec<_>>()
            }),
            Fact::SameImage(nodes) => self.same(nodes, "image", |machine| {
                machine.last_node().map(|node| node.image().hash())
            }),
        }
    }

    fn answered(self) -> Answer {
        match self.world.unanswered() {
            0 => Answer::new(true, "everything is answered"),
            n => Answer::new(false, format!("answers that have not come: {n}")),
        }
    }

    /// Somebody, or a certain node, plays a part.
    fn part(
        self,
        on: Option<&Spanned<NodeSelector>>,
        plays: impl Fn(&Node) -> bool,
        what: &str,
    ) -> Answer {
        let playing: Vec<NodeId> = self
            .world
            .machines()
            .filter_map(Machine::node)
            .filter(|node| plays(node))
            .map(Node::id)
            .collect();
        let holds = match on {
            None => !playing.is_empty(),
            Some(selector) => {
                let wanted = self.select(selector.value);
                !wanted.is_empty() && wanted.iter().all(|id| playing.contains(id))
            }
        };
        let found = match playing.as_slice() {
            [] => format!("nobody is {what}"),
            some => {
                let names: Vec<String> = some.iter().map(|id| format!("node {id}")).collect();
                format!("{what}: {}", names.join(", "))
            }
        };
        Answer::new(holds, found)
    }

    fn each(self, nodes: &Nodes, judge: impl Fn(&Machine) -> Result<(), String>) -> Answer {
        let nodes = self.select_all(nodes);
        let wrong = nodes
            .iter()
            .filter_map(|id| self.machine(*id))
            .find_map(|machine| {
                judge(machine)
                    .err()
                    .map(|found| format!("node {}: {found}", machine.id()))
            });
        match wrong {
            Some(found) => Answer::new(false, found),
            None => Answer::new(!nodes.is_empty(), "it is so"),
        }
    }

    /// The node that is named, else the leader, else nobody.
    fn node(self, on: &On) -> Option<&'a Node> {
        let id = match on {
            Some(selector) => self.select(selector.value).first().copied(),
            None => self.leader(),
        };
        id.and_then(|id| self.machine(id))
            .and_then(Machine::last_node)
    }

    /// On the nodes that are named, else on all that run: all must agree.
    fn on_each(self, on: &On, judge: impl Fn(&Node) -> Answer) -> Answer {
        let selector = on.as_ref().map_or(NodeSelector::All, |on| on.value);
        let nodes = self
            .select(selector)
            .into_iter()
            .filter_map(|id| self.machine(id)?.node());
        let answers: Vec<(NodeId, Answer)> = nodes.map(|node| (node.id(), judge(node))).collect();
        match answers.iter().find(|(_, answer)| !answer.holds) {
            Some((id, answer)) => Answer::new(false, format!("node {id}: {}", answer.found)),
            None => match answers.first() {
                Some((_, answer)) => answer.clone(),
                None => Answer::new(false, "no such node runs"),
            },
        }
    }

    fn quiet(self) -> Answer {
        let mut waiting = self.world.machines().filter_map(|machine| {
            let node = machine.node()?;
            let pending = node.registration_state() == RegistrationState::Pending;
            (pending || node.waits_to_join()).then(|| node.id())
        });
        let Some(active) = self.active() else {
            return Answer::new(false, "nobody is active");
        };
        if let Some(id) = waiting.next() {
            return Answer::new(false, format!("node {id} is not registered yet"));
        }
        // No-op records come and go all the time.
        let logs = self.observer.invariants().logs();
        let end = logs.of(active).map_or(0, |log| log.end_before(is_no_op));
        let now = self.world.now();
        let mut behind = self
            .world
            .machines()
            .filter_map(Machine::node)
            .filter(|node| {
                let replica = node.replica();
                let committed = replica
                    .high_watermark()
                    .is_some_and(|committed| committed >= end);
                !committed || replica.log_end_offset() < end || node.next_at(Thread::Loader) <= now
            });
        match behind.next() {
            Some(node) => Answer::new(false, format!("node {} is behind", node.id())),
            None => Answer::new(true, "it is quiet"),
        }
    }

    fn metadata_version(self, wanted: Option<&str>, on: &On) -> Answer {
        self.on_each(on, |node| {
            let found = node.image().features().metadata_version();
            let name = found.map(version_name);
            let holds = match wanted {
                None => name.is_some(),
                Some(wanted) => name.as_deref() == Some(wanted),
            };
            Answer::new(
                holds,
                name.unwrap_or_else(|| "no metadata.version".to_owned()),
            )
        })
    }

    /// Source and number of bootstrap records of the last activation, on a node or anywhere.
    fn last_activation(self, on: &On) -> Option<(SourceKind, i64)> {
        let wanted = on.as_ref().map(|on| self.select(on.value));
        let all = self.observer.activations().iter().rev();
        let mut of_node =
            all.filter(|row| wanted.as_ref().is_none_or(|ids| ids.contains(&row.node)));
        of_node
            .next()
            .map(|row| (row.source, row.bootstrap_records as i64))
    }

    fn source(self, wanted: SourceKind, on: &On) -> Answer {
        match self.last_activation(on) {
            Some((found, _)) => Answer::new(found == wanted, format!("the source is {found}")),
            None => Answer::new(false, "there was no activation"),
        }
    }

    fn records(self, name: &str, count: Count, on: &On) -> Answer {
        let end = self
            .node(on)
            .and_then(|node| node.replica().high_watermark());
        let Some(end) = end else {
            return Answer::new(false, "nothing is committed");
        };
        let id = self.node(on).map(Node::id);
        let machine = id.and_then(|id| self.machine(id));
        let batches = machine.map(log_reader::batches).unwrap_or_default();
        let committed = batches
            .iter()
            .filter(|batch| batch.last_offset() < end && !batch.is_control());
        let found = committed
            .flat_map(records)
            .filter(|record| {
                let kind = record.record.kind();
                kind.name() == name || kind.type_name() == name
            })
            .count();
        number(name, count, Some(found as i64))
    }

    fn same<T: PartialEq>(self, nodes: &Nodes, what: &str, look: impl Fn(&Machine) -> T) -> Answer {
        let nodes = self.select_all(nodes);
        let looks: Vec<(NodeId, T)> = nodes
            .iter()
            .filter_map(|id| self.machine(*id))
            .map(|machine| (machine.id(), look(machine)))
            .collect();
        let Some(((first, one), rest)) = looks.split_first() else {
            return Answer::new(false, "no such node");
        };
        match rest.iter().find(|(_, other)| other != one) {
            Some((id, _)) => Answer::new(
                false,
                format!("nodes {first} and {id} differ in their {what}"),
            ),
            None => Answer::new(true, format!("the same {what}")),
        }
    }
}

fn number(what: &str, wanted: Count, found: Option<i64>) -> Answer {
    match found {
        Some(found) => Answer::new(wanted.admits(found), format!("{what}: {found}")),
        None => Answer::new(false, format!("{what}: unknown")),
    }
}

fn exited(machine: &Machine, words: Option<&str>) -> Result<(), String> {
    match machine.down() {
        None => Err("it runs".to_owned()),
        Some(down) if !down.by_itself() => Err(format!("it did not end by itself: {down}")),
        Some(down) => {
            let reason = down.to_string();
            match words {
                Some(words) if !reason.contains(words) => Err(reason),
                _ => Ok(()),
            }
        }
    }
}

fn registered(machine: &Machine) -> Result<(), String> {
    let Some(node) = machine.node() else {
        return Err("it is down".to_owned());
    };
    let in_image = node.image().cluster().controller(node.id()).is_some();
    match node.registration_state() {
        RegistrationState::Settled if in_image => Ok(()),
        RegistrationState::Settled => Err("metadata.version has no registrations".to_owned()),
        RegistrationState::Pending => Err("its registration is not in the log".to_owned()),
    }
}

/// `4.4-IV2`, by the newest line that knows the level.
pub(super) fn version_name(version: MetadataVersion) -> String {
    let known = |line: &Line| FeatureTable::of(*line).metadata_version(version);
    let info = Line::ALL.iter().rev().find_map(known);
    info.map_or_else(
        || format!("level {}", version.0),
        |info| info.name.to_owned(),
    )
}
