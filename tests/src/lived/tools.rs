//! What administrators' tools asked, and whether they are told the same.

use quorum_controller::ControllerResponse;
use raft::message::{DescribeQuorumResponse, Errors, ReplicaStateInfo, Response};
use records::NodeId;
use serde::Deserialize;
use simulator::AdministratorAnswer;

use super::player::{Player, Said};
use super::recording::Item;
use crate::recorded::lived::{Done, Tool, Volatile};

/// One replica as the quorum is described: id, directory by name, and what else is said of it.
type Row = (i32, String, Vec<String>);

/// A voter or observer as the status of the quorum lists it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Listed {
    id: i32,
    directory_id: Option<String>,
    endpoints: Vec<String>,
}

impl Player<'_, '_, '_> {
    /// Asks what a tool asked.
    pub(super) fn tool(&mut self, entry: &Done, tool: &Tool, left: &mut Vec<Item<'_>>) -> Said<()> {
        let args: Vec<&str> = tool.args.iter().map(String::as_str).collect();
        let has = |word: &str| args.contains(&word);
        match tool.tool.as_str() {
            "metadata-quorum" if has("describe") => {
                self.all_come_about(entry, left)?;
                self.describe(entry, has("--replication"))
            }
            "metadata-quorum" if has("add-controller") => {
                let Some(id) = node_of_config(&args) else {
                    self.differ("it is not known which controller is added");
                    return Ok(());
                };
                self.ask(entry, &format!("add-voter {id}"), left)
            }
            "metadata-quorum" if has("remove-controller") => {
                let Some(command) = self.removal(&args) else {
                    self.differ("it is not known which controller is removed");
                    return Ok(());
                };
                self.ask(entry, &command, left)
            }
            "features" if has("describe") => {
                self.all_come_about(entry, left)?;
                self.features(entry);
                Ok(())
            }
            "features" if has("upgrade") || has("downgrade") || has("disable") => {
                self.update_features(entry, &args, left)
            }
            "cluster" if has("unregister-controller") => {
                let id = after(&args, "--id").unwrap_or_default();
                self.ask(entry, &format!("unregister-controller {id}"), left)
            }
            _ => Ok(()),
        }
    }

    /// Of what the log gained while a tool only asked, lets that come about which the answer tells of.
    fn all_come_about(&mut self, entry: &Done, left: &mut Vec<Item<'_>>) -> Said<()> {
        let end = told_end(entry).unwrap_or(i64::MAX);
        let later = left.iter().position(|item| match item {
            Item::Leads(_, batch) | Item::Own(batch) => batch.end() > end,
            Item::Given(_, _, to) => *to >= end,
        });
        let rest = left.split_off(later.unwrap_or(left.len()));
        let before = std::mem::replace(left, rest);
        self.come_about(&before)?;
        if !left.is_empty() {
            return Ok(());
        }
        // What the describing broker or controller was told comes before the end of the action.
        self.follow(&entry.records);
        Ok(())
    }

    /// `--controller-id`, `--controller-directory-id`, with the recorder's names for who leads and for directories.
    fn removal(&self, args: &[&str]) -> Option<String> {
        let id = after(args, "--controller-id")?;
        let id = match id {
            "@LEADER@" => self.session.leader()?.to_string(),
            id => id.to_owned(),
        };
        let directory = after(args, "--controller-directory-id")?;
        if directory == "@LEADER-DIR@" {
            return Some(format!("remove-voter {id}"));
        }
        let named = directory
            .strip_prefix("@DIR-")
            .and_then(|rest| rest.strip_suffix('@'));
        let directory = match named.and_then(|named| named.split_once('.')) {
            Some((node, "1")) => format!("\"<dir {node}>\""),
            Some((node, count)) => format!("\"<dir {node}, {count}>\""),
            None => directory.to_owned(),
        };
        Some(format!("remove-voter {id} directory {directory}"))
    }

    /// Asks, with the election that it brings about steered, and compares whether it was granted.
    fn ask(&mut self, entry: &Done, command: &str, left: &mut Vec<Item<'_>>) -> Said<()> {
        let place = left.iter().position(|item| matches!(item, Item::Leads(..)));
        let next = place.and_then(|place| match left[place] {
            Item::Leads(wanted, batch) => Some((place, wanted, batch)),
            _ => None,
        });
        if let Some((_, wanted, _)) = next {
            self.steer(wanted)?;
        }
        let asked = self.session.answers().len();
        self.say(command)?;
        self.until("answered", 40, |world| world.unanswered() == 0)?;
        let code = match self.session.answers().get(asked) {
            Some((_, answer)) => code_of(answer),
            None => "no answer".to_owned(),
        };
        self.compare_code(entry, &code);
        if let Some((place, wanted, batch)) = next {
            if self.led_by(wanted)? {
                self.committed(batch.end())?;
            }
            self.heal()?;
            left.remove(place);
        }
        Ok(())
    }

    fn compare_code(&mut self, entry: &Done, code: &str) {
        let expected = recorded_code(entry);
        if expected != code {
            self.differ(format!("the answer was {expected} there, {code} here"));
        }
    }

    fn update_features(
        &mut self,
        entry: &Done,
        args: &[&str],
        left: &mut Vec<Item<'_>>,
    ) -> Said<()> {
        let verb = if args.contains(&"upgrade") {
            "upgrade"
        } else {
            "downgrade"
        };
        let how = if args.contains(&"--unsafe") {
            " unsafe"
        } else {
            ""
        };
        let wanted = match (after(args, "--metadata"), after(args, "--feature")) {
            (Some(version), _) => Some(("metadata.version", version)),
            (None, Some(feature)) => feature.split_once('='),
            _ => None,
        };
        let Some((feature, level)) = wanted else {
            self.differ("this change of features is not translated");
            return Ok(());
        };
        if args.contains(&"--dry-run") {
            return Ok(());
        }
        let command = format!("{verb}-feature {feature} {level}{how}");
        self.ask(entry, &command, left)
    }

    /// The finalized levels and the range that is supported.
    fn features(&mut self, entry: &Done) {
        let Some(node) = self.session.leader().and_then(|id| self.session.node(id)) else {
            if entry.ok {
                self.differ("features were described there, and nobody leads here");
            }
            return;
        };
        let features = node.image().features();
        let mut differences = Vec::new();
        for line in &entry.said {
            let Some(name) = field(line, "Feature:") else {
                continue;
            };
            let finalized = field(line, "FinalizedVersionLevel:").unwrap_or_default();
            let ours = match name {
                "metadata.version" => match features.metadata_version() {
                    Some(version) => version_name(version.0),
                    None => finalized.to_owned(),
                },
                // A level that a record only pretends (3.9, 4.0) is told all the same.
                "kraft.version" => {
                    let level = node.replica().log_kraft_version();
                    level.max(features.level(name)).to_string()
                }
                name => features.level(name).to_string(),
            };
            if ours != finalized {
                differences.push(format!("{name} is {finalized} there, {ours} here"));
            }
        }
        self.differences.extend(differences);
    }

    fn describe(&mut self, entry: &Done, replication: bool) -> Said<()> {
        if self.session.leader().is_none() {
            if entry.ok {
                self.differ("the quorum was described there, and nobody leads here");
            }
            return Ok(());
        }
        let asked = self.session.answers().len();
        self.say("describe-quorum")?;
        if self.session.answers().len() == asked {
            self.until("answered", 40, |world| world.unanswered() == 0)?;
        }
        let answer = self
            .session
            .answers()
            .get(asked)
            .map(|(_, answer)| answer.clone());
        match answer {
            Some(AdministratorAnswer::Raft(Response::DescribeQuorum(quorum))) if entry.ok => {
                if replication {
                    self.compare_replication(entry, &quorum);
                } else {
                    self.compare_status(entry, &quorum);
                }
            }
            _ if entry.ok => self.differ("the quorum is not described"),
            Some(_) => self.differ("the quorum is described, and was not there"),
            // Refused before it was asked: controllers are not known to the metadata.
            None => {}
        }
        Ok(())
    }

    fn compare_status(&mut self, entry: &Done, quorum: &DescribeQuorumResponse) {
        let Some(ours) = &quorum.partition else {
            return;
        };
        let said = |name: &str| {
            let mut lines = entry.said.iter().filter_map(|line| line.strip_prefix(name));
            lines.next().unwrap_or_default().trim().to_owned()
        };
        let leader = ours.current_voters.iter().chain(&ours.observers);
        let mut leader = leader.filter(|state| state.replica.id.0 == ours.leader_id);
        let end = leader.next().map_or(-1, |state| state.log_end_offset);
        let least = ours
            .current_voters
            .iter()
            .map(|state| state.log_end_offset)
            .min();
        let lag = end - least.unwrap_or(end);
        let shift = self.ends.theirs - self.ends.ours;
        // A voter that the leader never heard of counts as being at −1, and then the lag is the leader's end and one more.
        let lag = if least == Some(-1) { lag + shift } else { lag };
        for (name, ours) in [
            ("LeaderId:", ours.leader_id.to_string()),
            ("HighWatermark:", (ours.high_watermark + shift).to_string()),
            ("MaxFollowerLag:", lag.to_string()),
        ] {
            let theirs = said(name);
            if theirs != ours {
                self.differ(format!("{name} {theirs} there, {ours} here"));
            }
        }
        let controllers = self.recording.controllers();
        let listed = |text: &str| -> Vec<Row> {
            let listed: Vec<Listed> = serde_json::from_str(text).unwrap_or_default();
            let known = listed
                .into_iter()
                .filter(|one| controllers.contains(&NodeId(one.id)));
            sorted(known.map(|one| (one.id, one.directory_id.unwrap_or_default(), one.endpoints)))
        };
        let rows = |states: &[ReplicaStateInfo]| {
            let row = |state: &ReplicaStateInfo| {
                let id = state.replica.id;
                let node = quorum.nodes.iter().find(|node| node.node_id == id);
                let at = node.into_iter().flat_map(|node| node.listeners.iter());
                let at = at.map(|(name, at)| format!("{}://{at}", name.as_str()));
                (id.0, self.directory(state), at.collect())
            };
            sorted(states.iter().map(row))
        };
        let shared = super::log::shared(self.recording);
        let theirs = |name: &str| listed(&with_ports(&said(name), &shared));
        let pairs = [
            (
                "voters",
                theirs("CurrentVoters:"),
                rows(&ours.current_voters),
            ),
            (
                "observers",
                theirs("CurrentObservers:"),
                rows(&ours.observers),
            ),
        ];
        for (what, theirs, ours) in pairs {
            if theirs != ours {
                self.differ(format!("{what} {theirs:?} there, {ours:?} here"));
            }
        }
    }

    fn compare_replication(&mut self, entry: &Done, quorum: &DescribeQuorumResponse) {
        let Some(ours) = &quorum.partition else {
            return;
        };
        let controllers = self.recording.controllers();
        let shift = self.ends.theirs - self.ends.ours;
        let leader_end = ours.current_voters.iter().chain(&ours.observers);
        let leader_end = leader_end.filter(|state| state.replica.id.0 == ours.leader_id);
        let leader_end = leader_end
            .map(|state| state.log_end_offset)
            .max()
            .unwrap_or(-1);
        let row = |state: &ReplicaStateInfo, status: &str| {
            let status = if state.replica.id.0 == ours.leader_id {
                "Leader"
            } else {
                status
            };
            let end = state.log_end_offset;
            let lag = leader_end - end;
            let told = [
                (end + shift).to_string(),
                lag.to_string(),
                status.to_owned(),
            ];
            (state.replica.id.0, self.directory(state), told.to_vec())
        };
        let voters = ours
            .current_voters
            .iter()
            .map(|state| row(state, "Follower"));
        let observers = ours.observers.iter().map(|state| row(state, "Observer"));
        let found = sorted(voters.chain(observers));
        let rows = entry.said.iter().skip(1).filter_map(|line| {
            let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
            let id = cells.first()?.parse().ok()?;
            let directory = directory_text(cells.get(1)?);
            let told = [2, 3, 6].map(|at| cells.get(at).copied().unwrap_or_default().to_owned());
            controllers
                .contains(&NodeId(id))
                .then_some((id, directory, told.to_vec()))
        });
        let expected = sorted(rows);
        if expected != found {
            self.differ(format!("replicas {expected:?} there, {found:?} here"));
        }
    }

    fn directory(&self, state: &ReplicaStateInfo) -> String {
        let id = state.replica.directory_id.filter(|id| !id.is_reserved());
        id.map_or_else(String::new, |id| self.names.in_text(&id.to_string()))
    }
}

/// Where the log ended when the quorum was described.
fn told_end(entry: &Done) -> Option<i64> {
    let ends = entry.said.iter().filter_map(|line| {
        let status = line.strip_prefix("HighWatermark:").map(str::trim);
        let row = || line.split('\t').nth(2).map(str::trim);
        status.or_else(row)?.parse().ok()
    });
    ends.max()
}

fn directory_text(text: &str) -> String {
    if text == "AAAAAAAAAAAAAAAAAAAAAA" {
        String::new()
    } else {
        text.to_owned()
    }
}

fn sorted(rows: impl Iterator<Item = Row>) -> Vec<Row> {
    let mut rows: Vec<Row> = rows.collect();
    rows.sort();
    rows
}

fn with_ports(text: &str, shared: &Volatile) -> String {
    let ports = shared.ports.iter();
    ports.fold(text.to_owned(), |text, (name, port)| {
        text.replace(name, &port.to_string())
    })
}

fn after<'a>(args: &[&'a str], flag: &str) -> Option<&'a str> {
    let place = args.iter().position(|arg| *arg == flag)?;
    args.get(place + 1).copied()
}

/// The node whose `server.properties` a tool was given.
fn node_of_config(args: &[&str]) -> Option<i32> {
    let path = after(args, "--command-config")?;
    let (_, rest) = path.split_once("/node-")?;
    rest.split('/').next()?.parse().ok()
}

/// What stands behind a label, up to the next blank.
fn field<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(label)?;
    rest.split_whitespace().next()
}

fn version_name(level: i16) -> String {
    use records::feature::{FeatureTable, Line, MetadataVersion};
    let known = |line: &Line| FeatureTable::of(*line).metadata_version(MetadataVersion(level));
    let info = Line::ALL.iter().rev().find_map(known);
    info.map_or_else(|| level.to_string(), |info| info.name.to_owned())
}

fn code_of(answer: &AdministratorAnswer) -> String {
    let code = match answer {
        AdministratorAnswer::Raft(response) => match response {
            Response::AddRaftVoter(changed) | Response::RemoveRaftVoter(changed) => {
                changed.error_code
            }
            other => other.top_level_error(),
        },
        AdministratorAnswer::Features(Ok(ControllerResponse::Features(each))) => {
            let mut refused = each.values().filter_map(|one| one.as_ref().err());
            refused.next().map_or(Errors::NONE, node::error_code)
        }
        AdministratorAnswer::Features(Ok(_)) | AdministratorAnswer::Controller(Ok(_)) => {
            Errors::NONE
        }
        AdministratorAnswer::Features(Err(error)) | AdministratorAnswer::Controller(Err(error)) => {
            node::error_code(error)
        }
        AdministratorAnswer::Disconnected => return "no answer".to_owned(),
    };
    code.to_string()
}

/// The code by the exception that a tool named.
fn recorded_code(entry: &Done) -> String {
    if entry.ok {
        return "NONE".to_owned();
    }
    for line in &entry.said {
        let named = line.split("org.apache.kafka.common.errors.").nth(1);
        let named = named.and_then(|rest| rest.split("Exception").next());
        if let Some(name) = named {
            return constant(name);
        }
    }
    let refusals = [
        "Invalid update version",
        "Invalid metadata.version",
        "Unsupported metadata.version",
    ];
    let refused = |line: &String| refusals.iter().any(|words| line.contains(words));
    if entry.said.iter().any(refused) {
        return "INVALID_UPDATE_VERSION".to_owned();
    }
    format!("an error: {}", entry.said.join(" "))
}

/// `DuplicateVoter` as `DUPLICATE_VOTER`.
fn constant(name: &str) -> String {
    let mut constant = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_ascii_uppercase() {
            constant.push('_');
        }
        constant.push(letter.to_ascii_uppercase());
    }
    constant
}
