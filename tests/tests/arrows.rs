//! Which crate of the house may know which, and that nothing outside it comes into a core crate unnoticed.

use std::collections::BTreeSet;
use std::process::Command;

use kraftsim_tests::module_arrows::ModuleArrows;
use kraftsim_tests::repository;
use serde_json::Value;

/// `crate: crates it may use`. `determinism` (time, chance, digests) is open to all and left out here.
const ALLOWED: &[(&str, &[&str])] = &[
    ("determinism", &[]),
    ("records", &[]),
    ("disk", &[]),
    ("raft-log", &["disk", "records"]),
    ("config", &["raft-log", "disk", "records", "releases"]),
    ("releases", &["records"]),
    ("listener", &["raft-log", "disk", "records", "releases"]),
    // The metadata loader, which lives in `image`, is a client of the listener.
    (
        "image",
        &["listener", "raft-log", "disk", "records", "releases"],
    ),
    (
        "raft",
        &["listener", "raft-log", "disk", "records", "releases"],
    ),
    (
        "quorum-controller",
        &[
            "image", "listener", "raft-log", "disk", "records", "releases",
        ],
    ),
    (
        "storage-tool",
        &["config", "raft-log", "disk", "records", "releases"],
    ),
    (
        "node",
        &[
            "quorum-controller",
            "raft",
            "image",
            "listener",
            "config",
            "raft-log",
            "disk",
            "records",
            "releases",
        ],
    ),
    (
        "simulator",
        &[
            "node",
            "storage-tool",
            "quorum-controller",
            "raft",
            "image",
            "listener",
            "config",
            "raft-log",
            "disk",
            "records",
            "releases",
        ],
    ),
    (
        "kraftsim",
        &[
            "simulator",
            "node",
            "storage-tool",
            "quorum-controller",
            "raft",
            "image",
            "listener",
            "config",
            "raft-log",
            "disk",
            "records",
            "releases",
        ],
    ),
];

/// Libraries that only the edge may know, with the crates that are the edge.
const EDGE: &[(&str, &[&str])] = &[
    ("kafka-protocol", &[]),
    ("clap", &["kraftsim"]),
    ("comfy-table", &["kraftsim"]),
    ("serde", &["raft-log", "kraftsim"]),
    ("serde_json", &["raft-log", "kraftsim"]),
    ("rayon", &["kraftsim"]),
    ("tokio", &["kraftsim"]),
];

struct Package {
    name: String,
    uses: BTreeSet<String>,
}

/// Every package below `crates/` with what it uses outside its own tests.
fn packages() -> Vec<Package> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(repository::root())
        .output()
        .expect("cargo metadata runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    metadata["packages"]
        .as_array()
        .expect("a list of packages")
        .iter()
        .filter(|package| package["name"] != "kraftsim-tests")
        .map(|package| Package {
            name: text(&package["name"]),
            uses: package["dependencies"]
                .as_array()
                .expect("a list of dependencies")
                .iter()
                .filter(|dependency| dependency["kind"] != "dev")
                .map(|dependency| text(&dependency["name"]))
                .collect(),
        })
        .collect()
}

/// Arrows of `packages` that `allowed` does not have.
fn new_arrows(packages: &[Package], allowed: &[(&str, &[&str])]) -> Vec<String> {
    let house: BTreeSet<&str> = packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let mut wrong = Vec::new();
    for package in packages {
        let Some((_, may)) = allowed.iter().find(|(name, _)| *name == package.name) else {
            wrong.push(format!("{} is a new room of the house", package.name));
            continue;
        };
        for used in package
            .uses
            .iter()
            .filter(|used| house.contains(used.as_str()))
        {
            if used != "determinism" && !may.contains(&used.as_str()) {
                wrong.push(format!("{} -> {used}", package.name));
            }
        }
    }
    wrong
}

#[test]
fn arrows_go_one_way() {
    let wrong = new_arrows(&packages(), ALLOWED);
    assert!(wrong.is_empty(), "new arrows between crates: {wrong:?}");
}

#[test]
fn a_new_arrow_is_noticed() {
    let without_disk: Vec<(&str, &[&str])> = ALLOWED
        .iter()
        .map(|&(name, may)| {
            (
                name,
                if name == "raft-log" {
                    &["records"][..]
                } else {
                    may
                },
            )
        })
        .collect();
    assert_eq!(new_arrows(&packages(), &without_disk), ["raft-log -> disk"]);
}

#[test]
fn the_edge_stays_at_the_edge() {
    for package in packages() {
        for (library, edge) in EDGE {
            let uses = package.uses.contains(*library);
            assert!(
                !uses || edge.contains(&package.name.as_str()),
                "{} uses {library}, which only {edge:?} may know",
                package.name
            );
        }
    }
}

/// Crates whose modules run in no circles but those that stand here.
const CIRCLES: &[(&str, &[&[&str]])] = &[
    ("determinism", &[]),
    ("records", &[]),
    ("disk", &[]),
    ("raft-log", &[]),
    (
        "config",
        // One type, whose parts are read in files of their own.
        &[&[
            "server",
            "server::error",
            "server::limits",
            "server::listeners",
            "server::quorum",
            "server::validate",
            "server::values",
        ]],
    ),
    // A quirk changes rules, and rules know which quirks they carry.
    ("releases", &[&["quirk", "rules"]]),
    ("raft", &[]),
    ("listener", &[]),
    ("image", &[]),
    ("quorum-controller", &[]),
    ("storage-tool", &[]),
    ("node", &[]),
    (
        "simulator",
        &[
            // One type, whose methods stand in files by what they look at.
            &["observer::deep_look", "observer::observer"],
            // A command may hold a command: `at TIME COMMAND`, `every SEED COMMAND`.
            &[
                "scenario::command",
                "scenario::document",
                "scenario::verbs::judging",
                "scenario::verbs::time",
            ],
            // One type, whose methods stand in files by who calls them.
            &["world::administrator", "world::world"],
        ],
    ),
    ("kraftsim", &[]),
];

#[test]
fn modules_do_not_run_in_circles() {
    let mut found = Vec::new();
    for (name, _) in CIRCLES {
        let src = repository::root().join("crates").join(name).join("src");
        let modules = ModuleArrows::of_crate(&src);
        assert!(modules.len() > 1, "{name} has modules");
        let circles = modules.circles();
        found.push((*name, circles));
    }
    let owned = |circle: &&[&str]| circle.iter().map(|name| (*name).to_owned()).collect();
    let standing: Vec<(&str, Vec<Vec<String>>)> = CIRCLES
        .iter()
        .map(|(name, circles)| (*name, circles.iter().map(owned).collect()))
        .collect();
    assert_eq!(found, standing);
}

/// What stands for a control manager knows the controller neither by name nor by path.
#[test]
fn a_circle_in_the_controller_is_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    };
    file("lib.rs", "mod controller; mod manager;");
    file(
        "controller.rs",
        "use crate::manager; pub struct C; fn f() { manager::g() }",
    );
    file("manager.rs", "pub fn g() {}");
    assert!(ModuleArrows::of_crate(folder.path()).circles().is_empty());
    file(
        "manager.rs",
        "use crate::controller::C; pub fn g() { let _ = C; }",
    );
    assert_eq!(
        ModuleArrows::of_crate(folder.path()).circles(),
        [["controller", "manager"]]
    );
}
