//! What people see: whole outputs of the command line, compared with the files in `tests/cli`.
//!
//! `SNAPSHOTS=overwrite cargo test -p kraftsim-tests --test command_line` writes them anew; the diff is the review.

use kraftsim_tests::cli::{Session, golden_work};
use snapbox::{Data, assert_data_eq};

fn compare(name: &str, printed: String) {
    let path = kraftsim_tests::repository::root()
        .join("tests/cli")
        .join(format!("{name}.txt"));
    assert_data_eq!(printed, Data::read_from(&path, None));
}

#[test]
fn help() {
    let mut session = Session::default();
    session.run(&["--help"]);
    for command in ["rehearse", "matrix", "completions", "man"] {
        session.run(&[command, "--help"]);
    }
    compare("help", session.finish());
}

#[test]
fn mistakes_in_the_arguments() {
    let mut session = Session::default();
    session.run(&["rehears"]);
    session.run(&["rehearse"]);
    session.run(&["rehearse", "-c", "x", "--on", "4.9"]);
    session.run(&["man", "rehears"]);
    session.run(&["matrix", "--json", "--csv"]);
    compare("mistakes", session.finish());
}

#[test]
fn rehearse_refuses_bad_input() {
    let work = golden_work("a-static-f4.3.1-s4.4.0");
    let config = work.config("phase-1/node-1");
    let broken = work.write(
        "broken.properties",
        "process.roles=controller\nnode.id=one\n",
    );
    let mut session = Session::in_folder(&work);
    session.run(&["rehearse", "-c", "no-such.properties", "--on", "4.4.0"]);
    session.run(&["rehearse", "-c", &broken, "--on", "4.4.0"]);
    session.run(&["rehearse", "-c", &config, "--on", "2=4.4.0"]);
    session.run(&["rehearse", "-c", &config, "--on", "4.4.0", "--leader", "2"]);
    session.run(&["rehearse", "-c", &config, "-c", &config, "--on", "4.4.0"]);
    compare("rehearse-refuses", session.finish());
}

#[test]
fn rehearse_shows_what_happens() {
    for (name, cell, args) in [
        (
            "upgrade",
            "a-static-f3.9.2-s3.9.2",
            &["--on", "3.9.2", "--then", "4.3.1", "--then", "4.4.0"][..],
        ),
        ("both-files", "b4-static-s4.4.0", &["--on", "kip-1170"]),
        ("refusal", "a-static-f4.4.0-s3.9.2", &["--on", "3.9.2"]),
        ("no-leader", "b1-standalone-s4.3.1", &["--on", "4.3.1"]),
    ] {
        let work = golden_work(cell);
        let config = work.config("phase-1/node-1");
        let mut session = Session::in_folder(&work);
        let args: Vec<&str> = ["rehearse", "-c", &config]
            .into_iter()
            .chain(args.iter().copied())
            .collect();
        session.run(&args);
        compare(&format!("rehearse-{name}"), session.finish());
    }
}

#[test]
fn a_trace_shows_messages_and_disk_operations_when_asked() {
    let work = golden_work("a-static-f4.3.1-s4.4.0");
    let scenario = work.write(
        "trace.scenario",
        "title \"Two controllers fetch\"\ncontrollers 1 2\nrelease 4.4.0\nquorum static\nformat all\n| node 1: formatted with metadata.version 4.4-IV2\n| node 2: formatted with metadata.version 4.4-IV2\nstart all\nrun 12ms\n",
    );
    let mut session = Session::in_folder(&work);
    for trace in [
        "--trace",
        "--trace=messages",
        "--trace=messages,disk",
        "--trace=mesages",
    ] {
        session.run(&["run", &scenario, trace]);
    }
    compare("run-trace", session.finish());
}

#[test]
fn matrix() {
    let mut session = Session::default();
    session.run(&["matrix"]);
    compare("matrix", session.finish());
}
