//! What was done, as commands of a scenario.

use super::header::{Quorum, ids, quorum_settings, word_of};
use super::log::PARTITION;
use super::player::{Player, Said, leader};
use super::recording::{Item, items};
use crate::recorded::Batch;
use crate::recorded::lived::{
    Action, ConfigureNodes, Deed, Done, FormatNodes, Nodes, StartNodes, StopNodes, Wait, WipeNodes,
};
use records::NodeId;

impl Player<'_, '_, '_> {
    /// Does what an action did, and lets come of it what came of it.
    pub fn act(&mut self, entry: &Done) -> Said<()> {
        let mut left = items(entry);
        match &entry.action.deed {
            Deed::Format(action) => self.format(action)?,
            Deed::Start(action) => self.start(action, entry.n, &mut left)?,
            Deed::Stop(action) => self.stop(action, &mut left)?,
            Deed::Signal(action) => {
                let verb = if action.name == "STOP" {
                    "pause"
                } else {
                    "resume"
                };
                let nodes = self.nodes(&action.signal);
                if !nodes.is_empty() {
                    self.say(&format!("{verb} {}", ids(&nodes)))?;
                }
            }
            Deed::Wipe(action) => self.wipe(action)?,
            Deed::Configure(action) => self.configure(action)?,
            Deed::Wait(action) => self.wait(&action.wait)?,
            Deed::KillDuring(action) => return self.kill_during(entry, action),
            Deed::InterruptActivation(_) => return self.interrupt_activation(entry),
            Deed::Tool(tool) => {
                self.hold_unregistered(&left)?;
                self.tool(entry, tool, &mut left)?;
            }
            Deed::Save(action) => self.save(&action.save)?,
        }
        self.come_about(&left)?;
        self.quiet(&entry.action)
    }

    /// Registrations that come of this come when they came there.
    pub(super) fn hold_unregistered(&mut self, left: &[Item<'_>]) -> Said<()> {
        for item in left {
            if let Item::Own(batch) = item {
                for id in batch.registered() {
                    if self.session.node(id).is_some() {
                        self.hold(id)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The recorder waited until the log was quiet for some time.
    fn quiet(&mut self, action: &Action) -> Said<()> {
        if !matches!(action.deed, Deed::Tool(_) | Deed::Start(_) | Deed::Stop(_)) {
            return Ok(());
        }
        let millis = (action.quiet.unwrap_or(0.7) * 1000.0) as u64;
        self.say(&format!("run {millis}ms")).map(|_| ())
    }

    /// The controllers that an action names.
    fn nodes(&self, which: &Nodes) -> Vec<NodeId> {
        let all = self.recording.controllers();
        let word = match which {
            Nodes::Ids(ids) => {
                let ids = ids.iter().copied().map(NodeId);
                return ids.filter(|id| all.contains(id)).collect();
            }
            Nodes::Named(word) => word.as_str(),
        };
        match word {
            "controllers" => self.recording.voters(),
            "all" => all,
            "leader" => self.session.leader().into_iter().collect(),
            "last" => self.last_stopped.clone(),
            "stopped" => {
                let running = self.running();
                all.into_iter().filter(|id| !running.contains(id)).collect()
            }
            // Brokers, and words that no recording uses.
            _ => Vec::new(),
        }
    }

    fn wipe(&mut self, action: &WipeNodes) -> Said<()> {
        for id in self.nodes(&action.wipe) {
            self.say(&match action.what.as_deref() {
                Some("metadata") => format!("remove {id}:__cluster_metadata-0"),
                _ => format!("wipe {id}"),
            })?;
        }
        Ok(())
    }

    fn format(&mut self, action: &FormatNodes) -> Said<()> {
        let nodes = &self.nodes(&action.format);
        if nodes.is_empty() {
            return Ok(());
        }
        let quorum = action
            .quorum
            .as_ref()
            .unwrap_or(&self.recording.spec.quorum);
        let mut words = vec![format!("format {}", ids(nodes))];
        if let Some(version) = &action.version {
            words.push(format!("with {version}"));
        }
        if [
            "standalone",
            "initial-controllers",
            "no-initial-controllers",
        ]
        .contains(&quorum.as_str())
        {
            words.push(quorum.clone());
        }
        if let Some(version) = &action.release_version {
            words.push(format!("metadata-version {version}"));
        }
        let features = action.features.iter();
        words.extend(features.map(|feature| format!("feature {feature}")));
        let command = words.join(" ");
        for line in self.say(&command)? {
            if !line.contains("formatted with") {
                self.differ(line);
            }
        }
        for id in nodes {
            self.learn_directory(*id);
        }
        Ok(())
    }

    /// The directory id that a node has now gets its name.
    pub(super) fn learn_directory(&mut self, id: NodeId) {
        let disk = self
            .session
            .world()
            .machine(id)
            .map(simulator::Machine::disk);
        let file = disk.and_then(|disk| disk.look("/data/meta.properties"));
        let text = file.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let text = text.unwrap_or_default();
        let mut lines = text.lines();
        if let Some(directory) = lines.find_map(|line| line.strip_prefix("directory.id=")) {
            self.names.directory(id, directory.trim());
        }
    }

    /// Whether a process that was started in an action registered later, or was gone before it could. One that lived on and
    /// did not register had a reason, which must hold here too.
    pub(super) fn is_held_back(&self, number: u64, id: NodeId) -> bool {
        let later = self.recording.actions().iter();
        let later = later.skip_while(|entry| entry.n <= number);
        for (place, entry) in later.enumerate() {
            if items(entry).iter().any(|item| registers(item, id)) {
                return true;
            }
            let is_gone = match &entry.action.deed {
                Deed::Stop(stop) => stop.stopped.contains(&id.0),
                Deed::KillDuring(kill) => kill.killed == Some(id.0),
                _ => false,
            };
            if is_gone {
                return place < 2;
            }
        }
        false
    }

    fn start(&mut self, action: &StartNodes, number: u64, left: &mut Vec<Item<'_>>) -> Said<()> {
        let down: Vec<NodeId> = self
            .nodes(&action.start)
            .into_iter()
            .filter(|id| self.session.node(*id).is_none())
            .collect();
        if down.is_empty() {
            return Ok(());
        }
        let command = match &action.version {
            Some(version) => format!("start {} on {version}", ids(&down)),
            None => format!("start {}", ids(&down)),
        };
        self.say(&command)?;
        for id in &down {
            self.learn_directory(*id);
            if !left.iter().any(|item| registers(item, *id)) && self.is_held_back(number, *id) {
                self.hold(*id)?;
            }
        }
        let batches = left
            .iter()
            .filter(|item| matches!(item, Item::Own(batch) if !batch.registered().is_empty()));
        let epochs = left.iter().filter(|item| matches!(item, Item::Leads(..)));
        if batches.count() > 1 || epochs.count() > 1 {
            // They came one after the other, in batches of their own, or after another election.
            for id in &down {
                self.hold(*id)?;
            }
        }
        if let Some(place) = left.iter().position(|item| matches!(item, Item::Leads(..)))
            && left[..place].is_empty()
            && let Item::Leads(wanted, batch) = left[place].clone()
        {
            self.steer(wanted)?;
            if self.led_by(wanted)? {
                self.led(batch)?;
            }
            self.heal()?;
            left.remove(place);
        } else if leader(self.session.world()).is_none() {
            self.say("run 10s")?;
        }
        Ok(())
    }

    fn stop(&mut self, action: &StopNodes, left: &mut Vec<Item<'_>>) -> Said<()> {
        let all = self.recording.controllers();
        let stopped = action.stopped.iter().copied().map(NodeId);
        let stopped: Vec<NodeId> = stopped
            .filter(|id| all.contains(id) && self.session.node(*id).is_some())
            .collect();
        if stopped.is_empty() {
            return Ok(());
        }
        let next = match left.first() {
            Some(Item::Leads(wanted, batch)) => Some((*wanted, *batch)),
            _ => None,
        };
        // Who leads next is who led next there; where nobody did, nobody does.
        if let Some((wanted, _)) = next {
            self.steer(wanted)?;
        } else if self
            .session
            .leader()
            .is_some_and(|id| stopped.contains(&id))
        {
            self.steer(NodeId(-1))?;
        }
        let verb = if action.how.as_deref() == Some("term") {
            "stop"
        } else {
            "crash"
        };
        self.say(&format!("{verb} {}", ids(&stopped)))?;
        self.last_stopped.clone_from(&stopped);
        for id in &stopped {
            self.forget_held(*id);
        }
        if let Some((wanted, batch)) = next {
            if self.led_by(wanted)? {
                self.led(batch)?;
            }
            left.remove(0);
        }
        self.heal()
    }

    fn configure(&mut self, action: &ConfigureNodes) -> Said<()> {
        for id in &self.nodes(&action.configure) {
            for (key, value) in &action.config {
                self.say(&format!("set {id} {key} {}", word_of(value)))?;
            }
            let Some(word) = &action.quorum else {
                continue;
            };
            let quorum = Quorum::of(word);
            let other = match quorum {
                Quorum::Static => "bootstrap.servers",
                Quorum::Dynamic => "voters",
            };
            for line in quorum_settings(self.recording, *id, quorum) {
                self.say(&line)?;
            }
            self.say(&format!("set {id} controller.quorum.{other} \"\""))?;
        }
        Ok(())
    }

    fn wait(&mut self, what: &Wait) -> Said<()> {
        match what {
            Wait::Seconds(seconds) => {
                let millis = (seconds * 1000.0) as u64;
                self.say(&format!("run {millis}ms")).map(|_| ())
            }
            Wait::CaughtUp { .. } => self.caught_up(),
            Wait::LogStart { .. } => self.log_starts(&[self.session.leader().unwrap_or(NodeId(1))]),
            Wait::Snapshots { .. } => self.say("run 3s").map(|_| ()),
        }
    }

    /// Nodes clean their logs in their own time: waits until these have deleted the first segment.
    pub(super) fn log_starts(&mut self, nodes: &[NodeId]) -> Said<()> {
        for id in nodes {
            let id = *id;
            let first = format!("{PARTITION}/{:020}.log", 0);
            self.until(
                &format!("no file {id}:__cluster_metadata-0/{:020}.log", 0),
                150,
                move |world| {
                    let disk = world.machine(id).map(simulator::Machine::disk);
                    disk.is_some_and(|disk| disk.look(&first).is_none())
                },
            )?;
        }
        Ok(())
    }

    /// Waits for the logs that were cleaned when the recorder saved the directories.
    fn save(&mut self, label: &str) -> Said<()> {
        let mut cleaned = Vec::new();
        let there = self.recording.outcome.directories.get(label);
        for (node, files) in there.into_iter().flatten() {
            let first = format!("data/__cluster_metadata-0/{:020}.log", 0);
            let there = files.iter().any(|file| file.name == first);
            let id = NodeId(node.parse().unwrap_or(-1));
            let ours = self.session.world().machine(id);
            let ours =
                ours.and_then(|machine| machine.disk().look(&format!("{PARTITION}/{:020}.log", 0)));
            if !there && ours.is_some() && self.session.node(id).is_some() {
                cleaned.push(id);
            }
        }
        self.log_starts(&cleaned)
    }

    /// Every running controller has all that the leader has.
    pub(super) fn caught_up(&mut self) -> Said<()> {
        let Some(leader) = self.session.leader().and_then(|id| self.session.node(id)) else {
            return self.say("run 3s").map(|_| ());
        };
        let end = leader.replica().log_end_offset();
        for id in self.running() {
            let there = self.until(
                &format!("committed at-least {end} on {id}"),
                30,
                move |world| {
                    let node = world.machine(id).and_then(simulator::Machine::node);
                    node.and_then(|node| node.replica().high_watermark()) >= Some(end)
                },
            )?;
            if !there {
                self.differ(format!("node {id} does not catch up"));
            }
        }
        Ok(())
    }

    /// Lets the parts of an action come about, one after the other.
    pub(super) fn come_about(&mut self, left: &[Item<'_>]) -> Said<()> {
        for item in left {
            match item {
                Item::Leads(wanted, batch) => {
                    self.elect(*wanted)?;
                    self.led(batch)?;
                }
                Item::Given(action, from, to) => {
                    self.write(&format!("{action}/{from}-{to}"), "")?;
                }
                Item::Own(batch) => {
                    let nodes = batch.registered();
                    if nodes.is_empty() {
                        self.committed(batch.end())?;
                    } else {
                        self.let_register(&nodes)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives the active controller what was recorded.
    pub(super) fn write(&mut self, path: &str, how: &str) -> Said<()> {
        let id = self.recording.id();
        self.until("active", 30, |world| {
            leader(world)
                .and_then(|id| world.machine(id)?.node())
                .is_some_and(node::Node::is_active)
        })?;
        let command = format!("write ../../tests/lived/{id}/result.json/{path}{how}");
        for line in self.say(&command)? {
            if line.starts_with("not written") || line.starts_with("warning") {
                self.differ(line);
            }
        }
        Ok(())
    }

    /// After a leader is there: its first batch is committed, and it is active.
    pub(super) fn led(&mut self, batch: &Batch) -> Said<()> {
        self.committed(batch.end())?;
        Ok(())
    }
}

pub(super) fn registers(item: &Item<'_>, id: NodeId) -> bool {
    matches!(item, Item::Own(batch) if batch.registered().contains(&id))
}
