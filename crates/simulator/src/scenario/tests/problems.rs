use crate::scenario::{Problem, check, parse};

/// The rendered problem of a text that cannot be read or run.
fn problem(text: &str) -> String {
    let problem: Problem = match parse(text) {
        Ok(scenario) => check(&scenario).expect_err("a problem"),
        Err(problem) => problem,
    };
    problem.render("s", text)
}

/// `(text, what is said)`; the text's world is `controllers 1 2`.
const CASES: &[(&str, &str)] = &[
    (
        "strat 1",
        "s:2:1: `strat` is not a command\n  strat 1\n  ^^^^^ did you mean `start`?",
    ),
    (
        "isolate lider",
        "s:2:9: `lider` is not one of `active`, `all`, `followers`, `leader`, `old-leader`, a node \
         number\n  isolate lider\n          ^^^^^ did you mean `leader`?",
    ),
    (
        "drop fetch-reponse 1 to 2",
        "s:2:6: `fetch-reponse` is not a kind of message\n  drop fetch-reponse 1 to 2\n       \
         ^^^^^^^^^^^^^ did you mean `fetch-response`?",
    ),
    (
        "run 5",
        "s:2:5: `5` is a time without a unit\n  run 5\n      ^ write `5s` or `5ms`",
    ),
    (
        "run 5sec",
        "s:2:5: `sec` is not a unit of time\n  run 5sec\n      ^^^^ units are us, ms, s, min, h",
    ),
    (
        "run until active",
        "s:2:17: something is missing: one of `active`, `all`, `and`, `followers`, `leader`, `old-leader`, \
         `within`, a node number\n  run until active\n                  ^",
    ),
    (
        "start 1 on 4.5.0",
        "s:2:12: there is no release `4.5.0`\n  start 1 on 4.5.0\n             ^^^^^ did you mean 4.0.0? \
         There are 3.9.1, 3.9.2, 4.0.0, 4.0.1, 4.0.2, 4.1.1, 4.1.2, 4.2.0, 4.2.1, 4.3.0, 4.3.1, 4.4.0, \
         kip-1170",
    ),
    (
        "crash 1 at snc 3 of quorum-state",
        "s:2:12: `snc` is not one of `operation`, a disk operation\n  crash 1 at snc 3 of quorum-state\n             ^^^ did you \
         mean `sync`?",
    ),
    (
        "heal now",
        "s:2:6: `now` is not the end of the line\n  heal now\n       ^^^",
    ),
    (
        "start 3",
        "s:2:7: there is no node 3 in this world\n  start 3\n        ^ it has 1 2",
    ),
    ("end", "s:2:1: this `end` has no `repeat`\n  end\n  ^^^"),
    (
        "repeat 3",
        "s:2:1: this `repeat` has no `end`\n  repeat 3\n  ^^^^^^^^",
    ),
    (
        "put old at 1:bootstrap.checkpoint",
        "s:2:5: nothing was copied as `old`\n  put old at 1:bootstrap.checkpoint\n      ^^^ `copy 1:FILE as \
         old` comes first",
    ),
    (
        "start 1\nseed 4",
        "s:3:1: this makes the world, which exists by now\n  seed 4\n  ^^^^^^ move it above the first \
         command that does something",
    ),
    (
        "at 3s repeat 2",
        "s:2:1: `repeat 2` cannot wait for a moment of the run\n  at 3s repeat 2\n  ^^^^^^^^^^^^^^",
    ),
    (
        "seed 4\nseed 5",
        "s:3:1: this was said above: one of the two would be dropped\n  seed 5\n  ^^^^^^ keep one of them",
    ),
    (
        "never records BeginTransacionRecord 1",
        "s:2:15: `BeginTransacionRecord` is not a record type\n  never records BeginTransacionRecord 1\n                ^^^^^^^^^^^^^^^^^^^^^ did you mean `BeginTransactionRecord`?",
    ),
    (
        "set 1 controller.quorum.electoin.timeout.ms 200",
        "s:2:7: no release has a property `controller.quorum.electoin.timeout.ms`\n  set 1 controller.quorum.electoin.timeout.ms 200\n        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ did you mean `controller.quorum.election.timeout.ms`?",
    ),
    (
        "expect feature group.verison=1",
        "s:2:16: there is no feature `group.verison`\n  expect feature group.verison=1\n                 ^^^^^^^^^^^^^ did you mean `group.version`?",
    ),
    (
        "format 1 feature group.verison=1",
        "s:2:18: there is no feature `group.verison`\n  format 1 feature group.verison=1\n                   ^^^^^^^^^^^^^ did you mean `group.version`?",
    ),
    (
        "upgrade-feature group.verison 1",
        "s:2:17: there is no feature `group.verison`\n  upgrade-feature group.verison 1\n                  ^^^^^^^^^^^^^ did you mean `group.version`?",
    ),
    (
        "never metadata-version 4.4-IV22",
        "s:2:24: `4.4-IV22` is not a metadata.version such as 4.4-IV2\n  never metadata-version 4.4-IV22\n                         ^^^^^^^^ did you mean `4.4-IV2`?",
    ),
    (
        "never file 1:bootstrap.checkpont",
        "s:2:12: no file of a controller is called `bootstrap.checkpont`\n  never file 1:bootstrap.checkpont\n             ^^^^^^^^^^^^^^^^^^^^^ did you mean `bootstrap.checkpoint`?",
    ),
    (
        "never file 1:__cluster_metadata-0/0000000000000000000.log",
        "s:2:12: no file of a controller is called `__cluster_metadata-0/0000000000000000000.log`\n  never file 1:__cluster_metadata-0/0000000000000000000.log\n             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ did you mean `__cluster_metadata-0/00000000000000000000.log`?",
    ),
    (
        "crash 1 at sync 1 of *.lgo",
        "s:2:1: `*.lgo` matches no file of a controller\n  crash 1 at sync 1 of *.lgo\n  ^^^^^^^^^^^^^^^^^^^^^^^^^^ did you mean `*.log`?",
    ),
    (
        "expect violation BOOT1",
        "s:2:18: `BOOT1` is no invariant, and no bug that an invariant is about\n  expect violation BOOT1\n                   ^^^^^ did you mean `BOOT-1`?",
    ),
    (
        "remove 1:../x",
        "s:2:8: `1:../x` is not a file such as 1:bootstrap.checkpoint\n  remove 1:../x\n         ^^^^^^",
    ),
];

#[test]
fn each_problem_says_where_what_and_what_instead() {
    for (text, said) in CASES {
        assert_eq!(
            &problem(&format!("controllers 1 2\n{text}\n")),
            said,
            "{text}"
        );
    }
}

#[test]
fn output_without_a_command_and_a_world_without_controllers() {
    assert_eq!(
        problem("| x\n"),
        "s:1:1: this output stands under no command\n  | x\n  ^^^"
    );
    assert!(problem("start 1\n").contains("no controllers are named before this line"));
    assert!(problem("title \"t\"\n").contains("this scenario has no controllers"));
    let inside = "controllers 1\nrepeat 2\nquorum\n| x\nend\n";
    assert!(problem(inside).starts_with("s:4:1: the output of a `repeat` stands under its `end`"));
}

#[test]
fn an_unknown_quirk() {
    let said = problem("controllers 1\nwithout KAFKA-20838\n");
    assert!(said.starts_with("s:2:9: unknown quirk `KAFKA-20838`: did you mean KAFKA-20839?"));
}

#[test]
fn no_text_makes_the_parser_panic() {
    for text in [
        "\"",
        "a\u{a0}b",
        "title \"\\",
        "|",
        "# ",
        "\r\n\r\n",
        "run 1.s",
        "1:",
        "drop",
        "é",
    ] {
        let _ = parse(text).map_err(|problem| problem.render("s", text));
    }
}
