//! Inputs as people who run controllers met them: refused as Kafka refuses them, and explained.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;

use kraftsim_tests::agree::Kraftsim;
use tempfile::TempDir;

const CLUSTER: &str = "AAAAAAAAAAAAAAAAAAAAAQ";
const OTHER_CLUSTER: &str = "BBBBBBBBBBBBBBBBBBBBBQ";

/// A folder with configurations.
struct Field {
    folder: TempDir,
}

impl Field {
    fn new() -> Field {
        Field {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a configuration; `@W@` stands for the folder. Returns its path.
    fn config(&self, name: &str, lines: &str) -> String {
        let path = self.path(name);
        let text = lines.replace("@W@", self.folder.path().to_str().unwrap());
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// One of three static voters; the voters are at `voters`, and it listens as `listeners` says.
    fn voter(&self, id: u8, listeners: &str, voters: &str) -> String {
        let lines = format!(
            "process.roles=controller\nnode.id={id}\ncontroller.listener.names=CONTROLLER\n{listeners}\n\
             controller.quorum.voters={voters}\nlog.dirs=@W@/data-{id}\n"
        );
        self.config(&format!("n{id}.properties"), &lines)
    }
}

/// Exit status, and all that was printed.
fn kraftsim(arguments: &[&str]) -> (i32, String) {
    let arguments: Vec<String> = arguments.iter().map(|one| (*one).to_owned()).collect();
    let answer = Kraftsim::in_process().ask(&arguments);
    let said = String::from_utf8(answer.out).unwrap() + &answer.complaint;
    (answer.exit.expect("it does not panic"), said)
}

fn format(config: &str, release: &str, cluster: &str) {
    let (exit, said) = kraftsim(&["format", "-c", config, "-t", cluster, "--kafka", release]);
    assert_eq!(exit, 0, "{said}");
}

fn rehearse(configs: &[String], release: &str) -> String {
    let mut arguments = vec!["rehearse", "--on", release];
    for config in configs {
        arguments.extend(["-c", config]);
    }
    let (exit, said) = kraftsim(&arguments);
    assert_eq!(exit, 0, "{said}");
    said
}

const VOTERS: &str = "1@localhost:29091,2@localhost:29092,3@localhost:29093";

#[test]
fn a_node_of_another_cluster_is_named() {
    let field = Field::new();
    let configs: Vec<String> = (1..=3)
        .map(|id| {
            let listeners = format!("listeners=CONTROLLER://localhost:2909{id}");
            field.voter(id, &listeners, VOTERS)
        })
        .collect();
    for (config, cluster) in configs.iter().zip([CLUSTER, CLUSTER, OTHER_CLUSTER]) {
        format(config, "4.1.2", cluster);
    }
    let said = rehearse(&configs, "4.1.2");
    let reason = "node 3 has no leader, because its cluster id differs from that of nodes 1 and 2";
    assert!(said.contains(reason), "{said}");
    assert!(!said.contains("node 3 runs, and follows"), "{said}");
}

#[test]
fn a_voter_that_nobody_finds_is_named() {
    let field = Field::new();
    let voters = "1@c1.example:9096,2@c2.example:9094,3@c3.example:9097";
    let configs: Vec<String> = (1..=3)
        .map(|id| {
            field.voter(
                id,
                &format!("listeners=CONTROLLER://c{id}.example:9093"),
                voters,
            )
        })
        .collect();
    for config in &configs {
        format(config, "4.0.1", CLUSTER);
    }
    let said = rehearse(&configs, "4.0.1");
    let reason =
        "voter 2 is looked for at c2.example:9094, and no configuration given listens there";
    assert!(said.contains(reason), "{said}");
    let alone = field.voter(
        1,
        "listeners=CONTROLLER://c1.example:9093",
        "1@c1.example:9093,2@c2.example:9093,3@c3.example:9093",
    );
    let said = rehearse(&[alone], "4.0.1");
    let reason = "1 of 3 voters is given and running, and 2 are needed";
    assert!(said.contains(reason), "{said}");
}

/// Docker and `NodePort`: a process listens on one port and is reached at another.
#[test]
fn mapped_ports_lead_to_a_leader() {
    let field = Field::new();
    let voters = "1@h:19091,2@h:19092,3@h:19093";
    let configs: Vec<String> = (1..=3)
        .map(|id| {
            let listeners = format!(
                "listeners=CONTROLLER://:9093\nadvertised.listeners=CONTROLLER://h:1909{id}"
            );
            field.voter(id, &listeners, voters)
        })
        .collect();
    for config in &configs {
        format(config, "4.1.2", CLUSTER);
    }
    let said = rehearse(&configs, "4.1.2");
    assert!(said.contains("is the active controller"), "{said}");
}

#[test]
fn an_id_that_begins_with_a_dash_is_no_value_unless_it_is_joined() {
    let field = Field::new();
    let config = field.voter(1, "listeners=CONTROLLER://localhost:29091", VOTERS);
    let id = "-abcdefghijklmnopqrstQ";
    for release in ["3.9.2", "4.4.0"] {
        let with =
            |id: &[&str]| kraftsim(&[&["format", "-c", &config, "--kafka", release], id].concat());
        let (exit, said) = with(&["-t", id]);
        assert_eq!(exit, 1, "{said}");
        assert!(said.contains("usage: argument --cluster-id: expected one argument"));
        assert!(!field.path("data-1").exists(), "nothing is formatted");
        let (exit, said) = with(&[&format!("-t={id}")]);
        assert_eq!(exit, 0, "{said}");
        let meta = fs::read_to_string(field.path("data-1/meta.properties")).unwrap();
        assert!(meta.contains(&format!("cluster.id={id}")), "{meta}");
        fs::remove_dir_all(field.path("data-1")).unwrap();
    }
}

/// Three configurations by hand, and the releases that refuse them.
#[test]
fn configurations_are_refused_by_the_releases_that_refuse_them() {
    let old = [
        "3.9.1", "3.9.2", "4.0.0", "4.0.1", "4.0.2", "4.1.1", "4.1.2",
    ];
    let new = ["4.2.0", "4.2.1", "4.3.0", "4.3.1", "4.4.0"];
    let all = [&old[..], &new[..]].concat();
    let one_port = "process.roles=broker,controller\nlisteners=PLAINTEXT://h:9093,CONTROLLER://h:9093\n\
                    log.dirs=@W@/data\n";
    let empty_item =
        "process.roles=controller\nlisteners=CONTROLLER://h:9093\nlog.dirs=@W@/data,\n";
    let twice = "process.roles=controller,controller\nlisteners=CONTROLLER://h:9093\n\
                 log.dirs=@W@/data\n";
    for (lines, refusing) in [
        (one_port, &all[..]),
        (empty_item, &new[..]),
        (twice, &old[..]),
    ] {
        for release in &all {
            let field = Field::new();
            let rest = "node.id=1\ncontroller.listener.names=CONTROLLER\n\
                        controller.quorum.voters=1@h:9093\n";
            let config = field.config("server.properties", &format!("{lines}{rest}"));
            let refuses = refusing.contains(release);
            let formatted = kraftsim(&["format", "-c", &config, "-t", CLUSTER, "--kafka", release]);
            assert_eq!(
                formatted.0,
                i32::from(refuses),
                "{release}: {lines}{}",
                formatted.1
            );
            assert_eq!(field.path("data").exists(), !refuses);
            let rehearsed = kraftsim(&["rehearse", "-c", &config, "--on", release]);
            let expected = if refuses { 2 } else { 0 };
            assert_eq!(rehearsed.0, expected, "{release}: {lines}{}", rehearsed.1);
        }
    }
}

#[test]
fn a_slip_in_the_name_of_a_property_is_named_and_ignored_as_kafka_ignores_it() {
    let field = Field::new();
    let listeners = "listeners=CONTROLLER://localhost:29091";
    let config = field.voter(1, listeners, "1@localhost:29091");
    format(&config, "4.4.0", CLUSTER);
    let lines = fs::read_to_string(&config).unwrap();
    let own = "my.reporter.url=x\nlistener.name.controller.sasl.jaas.config=x\nconfig.providers.mine.class=x\n";
    let slip = format!("{lines}{own}metadata.max.idle.intreval.ms=0\n");
    let line = slip.lines().count();
    fs::write(&config, slip).unwrap();
    let said = rehearse(std::slice::from_ref(&config), "4.4.0");
    assert!(said.contains("node 1 is the active controller"), "{said}");
    let warnings: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("warning"))
        .collect();
    let expected = format!(
        "warning: {config}:{line}: Kafka ignores `metadata.max.idle.intreval.ms`, which is no property of any release; did \
         you mean `metadata.max.idle.interval.ms`?"
    );
    assert_eq!(warnings, [expected]);
}
