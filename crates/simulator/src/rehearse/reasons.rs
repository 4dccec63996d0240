//! Why a node that runs knows no leader, as far as the nodes' configurations and directories tell.

use std::collections::BTreeSet;

use node::{Node, Reach};
use raft::VoterNode;
use records::{NodeId, ReplicaKey, Uuid};

use crate::world::{Machine, World};

/// One sentence a reason, each at most once; none where every node that runs knows a leader.
pub(super) fn reasons(world: &World) -> Vec<String> {
    let live: Vec<&Node> = world.machines().filter_map(Machine::node).collect();
    let lost = live
        .iter()
        .filter(|node| node.leader_and_epoch().leader.is_none());
    let mut seen = BTreeSet::new();
    let mut reasons = Vec::new();
    for node in lost {
        for reason in of_node(world, &live, node) {
            if seen.insert(reason.clone()) {
                reasons.push(reason);
            }
        }
    }
    reasons
}

fn of_node(world: &World, live: &[&Node], node: &Node) -> Vec<String> {
    let mut reasons: Vec<String> = other_cluster(live, node).into_iter().collect();
    let voters = node.replica().voters();
    if voters.is_empty() {
        reasons.push(no_voter(node));
        return reasons;
    }
    let others = voters
        .iter()
        .filter(|voter| voter.voter_key.id != node.id());
    reasons.extend(others.filter_map(|voter| not_where_it_is_sought(world, node, voter)));
    reasons.extend(
        voters
            .iter()
            .filter_map(|voter| other_directory(live, voter)),
    );
    let is_there = |voter: &&VoterNode| live.iter().any(|one| voter.is_voter(key_of(one)));
    let (there, all) = (voters.iter().filter(is_there).count(), voters.len());
    let needed = all / 2 + 1;
    if there < needed {
        let is = if there == 1 { "is" } else { "are" };
        reasons.push(format!(
            "{there} of {all} voters {is} given and running, and {needed} are needed"
        ));
    }
    reasons
}

/// Kafka answers a request with another cluster id by `INCONSISTENT_CLUSTER_ID`.
fn other_cluster(live: &[&Node], node: &Node) -> Option<String> {
    let own = &node.replica().config().cluster_id;
    let others = live
        .iter()
        .filter(|one| one.replica().config().cluster_id != *own);
    let others: Vec<NodeId> = others.map(|one| one.id()).collect();
    (!others.is_empty()).then(|| {
        format!(
            "node {} has no leader, because its cluster id differs from that of {}",
            node.id(),
            listed(&others)
        )
    })
}

fn no_voter(node: &Node) -> String {
    let id = node.id();
    if node.replica().log_end_offset() == 0 {
        return format!(
            "node {id} knows no voter: its log is empty, and no controller that it can reach told it of one"
        );
    }
    format!(
        "node {id} knows no voter: kraft.version is {}, and controller.quorum.voters is not set. Put the list back; from 4.1 \
         on, kraft.version can then be raised to 1, after which controller.quorum.bootstrap.servers is enough",
        node.replica().log_kraft_version()
    )
}

fn not_where_it_is_sought(world: &World, node: &Node, voter: &VoterNode) -> Option<String> {
    let id = voter.voter_key.id;
    world.machine(id)?;
    let address = voter
        .listeners
        .address(&node.config().controller_listener())?;
    let listens = |machine: &Machine| machine.config().reached_at(address) != Reach::No;
    let is_found = world.machines().any(listens);
    (!is_found).then(|| {
        format!("voter {id} is looked for at {address}, and no configuration given listens there")
    })
}

fn other_directory(live: &[&Node], voter: &VoterNode) -> Option<String> {
    let id = voter.voter_key.id;
    let found = live.iter().find(|one| one.id() == id)?;
    let found = key_of(found);
    (!voter.is_voter(found)).then(|| {
        format!(
            "voter {id} is known under another directory id, {}, than node {id} has now, {}",
            shown(voter.voter_key.directory_id),
            shown(found.directory_id)
        )
    })
}

fn key_of(node: &Node) -> ReplicaKey {
    ReplicaKey::new(node.id(), node.replica().config().directory_id)
}

fn shown(id: Option<Uuid>) -> String {
    id.map_or_else(|| "none".to_owned(), |id| id.to_string())
}

/// `node 1`, `nodes 1 and 2`, `nodes 1, 2 and 3`.
fn listed(ids: &[NodeId]) -> String {
    let names: Vec<String> = ids.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, [])) => format!("node {last}"),
        Some((last, others)) => format!("nodes {} and {last}", others.join(", ")),
        None => String::new(),
    }
}
