//! `[ID=]RELEASE`, one or several, and the release that each of a set of nodes runs.

use std::collections::BTreeMap;
use std::str::FromStr;

use records::NodeId;
use releases::Release;

use crate::Diagnosis;

/// One release for all nodes, or for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Whom it binds; `None` for all.
    pub node: Option<NodeId>,
    /// What runs there.
    pub release: Release,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (node, release) = match text.split_once('=') {
            None => (None, text),
            Some((id, release)) => {
                let id = id.parse().map_err(|_| format!("`{id}` is not a node id"))?;
                (Some(NodeId(id)), release)
            }
        };
        let release = release
            .parse::<Release>()
            .map_err(|error| error.to_string())?;
        Ok(Assignment { node, release })
    }
}

/// The releases of one phase, from one option: assignments with commas between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignments(pub Vec<Assignment>);

impl FromStr for Assignments {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Assignments)
    }
}

/// What each node runs: `before` with the assignments applied, those for all first.
pub fn assign(
    nodes: &[NodeId],
    before: &BTreeMap<NodeId, Release>,
    assignments: &[Assignment],
) -> Result<BTreeMap<NodeId, Release>, Diagnosis> {
    one_release_each(assignments)?;
    let mut assigned = before.clone();
    for assignment in assignments
        .iter()
        .filter(|assignment| assignment.node.is_none())
    {
        assigned.extend(nodes.iter().map(|node| (*node, assignment.release)));
    }
    for assignment in assignments {
        let Some(node) = assignment.node else {
            continue;
        };
        if !nodes.contains(&node) {
            return Err(no_such_node(nodes, node));
        }
        assigned.insert(node, assignment.release);
    }
    for_all_is_for_some(assignments, &assigned)?;
    Ok(assigned)
}

/// Refuses a release for all nodes where every node has another of its own: it would be dropped.
fn for_all_is_for_some(
    assignments: &[Assignment],
    assigned: &BTreeMap<NodeId, Release>,
) -> Result<(), Diagnosis> {
    let mut for_all = assignments.iter().filter(|one| one.node.is_none());
    let unused = for_all.find(|one| !assigned.values().any(|release| *release == one.release));
    match unused {
        None => Ok(()),
        Some(one) => Err(Diagnosis::new(format!(
            "{} is for all nodes, and no node runs it",
            one.release
        ))
        .expected("a node without a release of its own")
        .advice("leave one of the two out; what comes after a restart is a --then of its own")),
    }
}

/// Refuses two releases for the same node, or twice for all nodes, in one phase: one of them would be dropped. One for
/// all and another for a single node is no contradiction.
fn one_release_each(assignments: &[Assignment]) -> Result<(), Diagnosis> {
    for (at, one) in assignments.iter().enumerate() {
        let mut earlier = assignments[..at].iter();
        let Some(other) = earlier.find(|other| other.node == one.node) else {
            continue;
        };
        if other.release != one.release {
            let whose = match one.node {
                Some(node) => format!("node {node}"),
                None => "all nodes".to_owned(),
            };
            let what = format!(
                "two releases for {whose} in one phase: {} and {}",
                other.release, one.release
            );
            return Err(Diagnosis::new(what)
                .expected("one release for all nodes, and at most one for each node")
                .advice("what comes after a restart is a --then of its own"));
        }
    }
    Ok(())
}

/// A node was named for which no configuration is given.
pub fn no_such_node(nodes: &[NodeId], named: NodeId) -> Diagnosis {
    let known: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    Diagnosis::new(format!("no configuration is given for node {named}"))
        .expected(format!("one of the nodes {}", known.join(", ")))
        .found(named.to_string())
        .advice("name its server.properties with -c")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<Assignment> {
        text.parse::<Assignments>().unwrap().0
    }

    #[test]
    fn one_for_all_and_one_for_a_node() {
        let nodes = [NodeId(1), NodeId(2)];
        let assigned = assign(&nodes, &BTreeMap::new(), &parsed("2=4.4.0,4.3.1")).unwrap();
        assert_eq!(assigned[&NodeId(1)].to_string(), "4.3.1");
        assert_eq!(assigned[&NodeId(2)].to_string(), "4.4.0");
        let later = assign(&nodes, &assigned, &parsed("1=4.4.0")).unwrap();
        assert_eq!(later[&NodeId(1)].to_string(), "4.4.0");
        assert_eq!(later[&NodeId(2)].to_string(), "4.4.0");
    }

    #[test]
    fn two_releases_for_one_node_are_an_error() {
        let nodes = [NodeId(1), NodeId(2)];
        let refused = |text: &str| assign(&nodes, &BTreeMap::new(), &parsed(text)).is_err();
        assert!(refused("4.0.2,4.4.0") && refused("4.0.2,1=4.4.0,1=4.3.1"));
        assert!(refused("1=4.4.0,2=4.4.0,1=4.3.1"));
        assert!(!refused("4.0.2,1=4.4.0") && !refused("4.4.0,4.4.0"));
    }

    #[test]
    fn a_release_for_all_that_no_node_runs_is_an_error() {
        let nodes = [NodeId(1), NodeId(2)];
        let assigned = |text: &str| assign(&nodes, &BTreeMap::new(), &parsed(text));
        let error = assigned("4.0.2,1=4.4.0,2=4.3.1").unwrap_err().to_string();
        assert!(error.contains("4.0.2 is for all nodes"), "{error}");
        assert!(assigned("4.0.2,1=4.4.0,2=4.0.2").is_ok());
    }

    #[test]
    fn a_node_without_a_configuration_is_an_error() {
        let error = assign(&[NodeId(1)], &BTreeMap::new(), &parsed("7=4.4.0")).unwrap_err();
        assert!(error.to_string().contains("node 7"), "{error}");
    }

    #[test]
    fn unknown_releases_and_ids_are_errors() {
        assert!("x=4.4.0".parse::<Assignments>().is_err());
        assert!("4.9.9".parse::<Assignments>().is_err());
    }
}
