//! What goes beyond a limit is a problem that names it, found soon.

use super::super::limits::{MOST_COMMANDS, MOST_DEPTH, MOST_LINE_BYTES, MOST_NODES, MOST_TIME};
use super::super::run::{Options, run};
use super::super::{Problem, parse};
use crate::run::duration;

fn problem_of(text: &str) -> Problem {
    let refused = parse(text).and_then(|scenario| {
        run(&scenario, &Options::default(), &mut |_| {
            Err("nothing is loaded".to_owned())
        })
    });
    refused.map(|_| ()).expect_err("beyond a limit")
}

fn names(text: &str, limit: &impl ToString) {
    let problem = problem_of(text);
    assert!(problem.message.contains(&limit.to_string()), "{problem:?}");
}

#[test]
fn commands_inside_each_other() {
    let whens = "when active ".repeat(5000);
    names(&format!("controllers 1\n{whens}stop 1\n"), &MOST_DEPTH);
    let ats = "at 1s ".repeat(5000);
    names(&format!("controllers 1\n{ats}stop 1\n"), &MOST_DEPTH);
    let repeats = "repeat 1\n".repeat(50_000);
    names(&format!("controllers 1\n{repeats}"), &MOST_DEPTH);
}

#[test]
fn nodes() {
    let many: Vec<String> = (1..=2000).map(|id| id.to_string()).collect();
    names(&format!("controllers {}\n", many.join(" ")), &MOST_NODES);
    names(
        &format!("controllers 1\nobservers {}\n", many[1..].join(" ")),
        &MOST_NODES,
    );
}

#[test]
fn commands() {
    let text = "controllers 1\nrepeat 60000\nrepeat 60000\nquorum\nend\nend\n";
    names(text, &MOST_COMMANDS);
    names(
        "controllers 1\nrepeat 4294967295\nend\nrepeat 4294967295\nend\n",
        &MOST_COMMANDS,
    );
}

#[test]
fn lines_and_time() {
    let long = "x".repeat(MOST_LINE_BYTES);
    names(&format!("controllers 1\ntitle {long}\n"), &MOST_LINE_BYTES);
    let most = duration::print(MOST_TIME);
    for text in [
        "run 9999h",
        "run until active within 5000000000h",
        "run while quiet for 200h",
        "at 200h quorum",
        "run 100h\nrun 100h",
    ] {
        names(&format!("controllers 1\n{text}\n"), &most);
    }
}
