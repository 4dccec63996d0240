//! `files`, `log`, `quorum`, `image`, `diff`, `callbacks`, `timeline`, `versions`.

use listener::RaftClient as _;
use node::Node;
use records::NodeId;
use records::feature::UnstableFeatureVersions;

use super::show;
use super::table::Table;
use crate::observer::Happening;
use crate::run::action::Nodes;
use crate::run::{Run, is_active};
use crate::scenario::verbs::looking::Looking;
use crate::world::Machine;

/// What a command prints.
pub(super) fn lines(run: &Run, looking: &Looking) -> Vec<String> {
    match looking {
        Looking::Files(nodes) => each(run, nodes, show::files),
        Looking::Log(nodes, from) => {
            each(run, nodes, |machine| show::log(machine, from.unwrap_or(0)))
        }
        Looking::Quorum => quorum(run),
        Looking::Image(nodes) => each_node(run, nodes, show::image),
        Looking::Diff(a, b) => {
            let first = |selector| run.select(selector).first().copied();
            let machine = |selector| first(selector).and_then(|id| run.world().machine(id));
            match (machine(a.value), machine(b.value)) {
                (Some(a), Some(b)) => show::diff(a, b),
                _ => vec!["there are no two nodes to compare".to_owned()],
            }
        }
        Looking::Callbacks(nodes) => {
            let nodes = run.select_all(nodes);
            let each = nodes.iter().flat_map(|id| callbacks(run, *id, nodes.len()));
            each.collect()
        }
        Looking::Timeline => timeline(run),
        Looking::Versions(nodes) => each_node(run, nodes, versions),
    }
}

/// Lines of each machine, with a headline where there are several.
fn each(run: &Run, nodes: &Nodes, show: impl Fn(&Machine) -> Vec<String>) -> Vec<String> {
    let nodes = run.select_all(nodes);
    let mut lines = Vec::new();
    for machine in nodes.iter().filter_map(|id| run.world().machine(*id)) {
        if nodes.len() > 1 {
            lines.push(format!("node {}", machine.id()));
        }
        lines.extend(show(machine));
    }
    lines
}

fn each_node(run: &Run, nodes: &Nodes, show: impl Fn(&Node) -> Vec<String>) -> Vec<String> {
    each(run, nodes, |machine| match machine.node() {
        Some(node) => show(node),
        None => vec!["it is down".to_owned()],
    })
}

fn quorum(run: &Run) -> Vec<String> {
    let mut table = Table::new(&[
        "node",
        "release",
        "role",
        "epoch>",
        "leader>",
        "log end>",
        "committed>",
        "controller",
    ]);
    for machine in run.world().machines() {
        let id = machine.id().to_string();
        let Some(node) = machine.node() else {
            let why = machine.down().map(ToString::to_string).unwrap_or_default();
            table.row(
                [id, machine.rules().release.to_string(), "down".to_owned()]
                    .into_iter()
                    .chain(["", "", "", ""].map(str::to_owned))
                    .chain([why]),
            );
            continue;
        };
        let replica = node.replica();
        let leader = node
            .leader_and_epoch()
            .leader
            .map_or("-".to_owned(), |id| id.to_string());
        let committed = replica
            .high_watermark()
            .map_or("-".to_owned(), |end| end.to_string());
        let controller = if is_active(node) { "active" } else { "standby" };
        let paused = if machine.is_paused() { ", paused" } else { "" };
        table.row([
            id,
            node.rules().release.to_string(),
            replica.role().name().to_owned(),
            node.epoch().to_string(),
            leader,
            replica.log_end_offset().to_string(),
            committed,
            format!("{controller}{paused}"),
        ]);
    }
    let mut lines = table.lines();
    lines.extend(voters(run));
    lines
}

/// Who votes, and who only listens, as the nodes that run know it; one line if they agree.
fn voters(run: &Run) -> Vec<String> {
    let running: Vec<&Node> = run.world().machines().filter_map(Machine::node).collect();
    let mut known: Vec<(String, Vec<String>)> = Vec::new();
    for node in &running {
        let replica = node.replica();
        let voters: Vec<NodeId> = replica.voters().voter_ids().collect();
        let observers = running.iter().map(|node| node.id());
        let observers: Vec<NodeId> = observers.filter(|id| !voters.contains(id)).collect();
        let says = format!(
            "kraft.version {}, voters {}, observers {}",
            replica.kraft_version(),
            ids(&voters),
            ids(&observers)
        );
        match known.iter_mut().find(|(other, _)| *other == says) {
            Some((_, nodes)) => nodes.push(node.id().to_string()),
            None => known.push((says, vec![node.id().to_string()])),
        }
    }
    match known.as_slice() {
        [(says, _)] => vec![says.clone()],
        several => several
            .iter()
            .map(|(says, nodes)| match nodes.as_slice() {
                [one] => format!("node {one}: {says}"),
                many => format!("nodes {}: {says}", many.join(", ")),
            })
            .collect(),
    }
}

fn callbacks(run: &Run, id: NodeId, of: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if of > 1 {
        lines.push(format!("node {id}"));
    }
    let mut table = Table::bare();
    for entry in run
        .observer()
        .journal()
        .iter()
        .filter(|entry| entry.node == Some(id))
    {
        match &entry.what {
            Happening::Callback(hearer, heard) => {
                table.row([hearer.name().to_owned(), heard.to_string()]);
            }
            Happening::Started(release) => {
                table.row(["process".to_owned(), format!("starts on {release}")]);
            }
            _ => {}
        }
    }
    lines.extend(table.lines());
    lines
}

fn timeline(run: &Run) -> Vec<String> {
    let mut table = Table::right_then_left();
    for entry in run.observer().journal() {
        table.row([entry.at.to_string(), entry.to_string()]);
    }
    table.lines()
}

/// `{1, 2}`
fn ids(nodes: &[NodeId]) -> String {
    let ids: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    format!("{{{}}}", ids.join(", "))
}

/// What an `ApiVersions` request to this node is told of features.
fn versions(node: &Node) -> Vec<String> {
    let features = node.rules().features;
    let mut table = Table::new(&["feature", "supported>", "finalized>"]);
    let finalized = node.image().features();
    for (name, range) in features.supported_features(UnstableFeatureVersions::Disabled) {
        let level = match name {
            "kraft.version" => Some(node.replica().kraft_version()),
            "metadata.version" => finalized.metadata_version().map(|version| version.0),
            // Without a metadata.version nothing is known of the others either.
            other => finalized.metadata_version().map(|_| finalized.level(other)),
        };
        let level = level.map_or_else(|| "unknown".to_owned(), |level| level.to_string());
        table.row([
            name.to_owned(),
            format!("{} to {}", range.min, range.max),
            level,
        ]);
    }
    table.lines()
}
