use listener::RaftClient as _;
use node::Node;

use crate::run::version_name;
use crate::scenario::run::table::Table;

/// The committed metadata as a node's loader knows it.
pub fn image(node: &Node) -> Vec<String> {
    let image = node.image();
    let features = image.features();
    let mut table = Table::bare();
    let version = features.metadata_version();
    let version = version.map_or("unknown".to_owned(), |v| {
        format!("{} ({})", v.0, version_name(v))
    });
    table.row(["metadata.version".to_owned(), version]);
    table.row([
        "kraft.version".to_owned(),
        node.replica().kraft_version().to_string(),
    ]);
    for (name, level) in features
        .levels()
        .filter(|(name, _)| *name != "metadata.version")
    {
        table.row([name.to_owned(), level.to_string()]);
    }
    let mut voters: Vec<i32> = node.replica().voter_ids().iter().map(|id| id.0).collect();
    voters.sort_unstable();
    table.row(["voters".to_owned(), list(&voters)]);
    let cluster = image.cluster();
    let controllers: Vec<i32> = cluster.controllers().map(|one| one.controller_id).collect();
    table.row(["controllers".to_owned(), list(&controllers)]);
    let brokers: Vec<i32> = cluster.brokers().map(|one| one.broker_id).collect();
    table.row(["brokers".to_owned(), list(&brokers)]);
    for (kind, resource, key, value) in image.configs().iter() {
        let whose = match (kind, resource) {
            (4, "") => "all brokers".to_owned(),
            (4, id) => format!("broker {id}"),
            (2, name) => format!("topic {name}"),
            (kind, name) => format!("resource type {kind} '{name}'"),
        };
        table.row([format!("config of {whose}"), format!("{key} = {value}")]);
    }
    for user in image.scram().iter() {
        table.row(["SCRAM user".to_owned(), user.name.clone()]);
    }
    table.lines()
}

fn list(ids: &[i32]) -> String {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    if ids.is_empty() {
        "none".to_owned()
    } else {
        ids.join(", ")
    }
}
