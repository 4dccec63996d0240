use proptest::prelude::*;

use super::strategies::scenario;
use crate::scenario::parse;

proptest! {
    #[test]
    fn what_is_printed_reads_back_the_same(scenario in scenario()) {
        let text = scenario.to_string();
        let read = parse(&text).map_err(|p| TestCaseError::fail(p.render("printed", &text)))?;
        prop_assert_eq!(&read, &scenario, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn blessing_with_what_is_expected_changes_nothing(scenario in scenario()) {
        let text = scenario.to_string();
        let read = parse(&text).map_err(|p| TestCaseError::fail(p.render("printed", &text)))?;
        let printed: Vec<_> = read.statements().map(|s| s.expected.value.clone()).collect();
        prop_assert_eq!(read.bless(&text, &printed), text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "([a-z0-9:|\"#.\n -]|cut |drop |format |expect ){0,60}") {
        let _ = parse(&text).map_err(|problem| problem.render("s", &text));
    }
}

const WRITTEN: &str = "\
title \"T\"

controllers 1   # one
repeat 2
  quorum
end
| old
| older

start 1
log 1
| gone
";

#[test]
fn blessing_replaces_output_and_nothing_else() {
    let scenario = parse(WRITTEN).expect("reads");
    let lines = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let printed = [
        lines(&[]),
        lines(&[]),
        lines(&["new"]),
        lines(&["started", ""]),
        lines(&[]),
    ];
    let blessed = scenario.bless(WRITTEN, &printed);
    let expected = WRITTEN
        .replace("| old\n| older\n", "| new\n")
        .replace("start 1\n", "start 1\n| started\n|\n")
        .replace("| gone\n", "");
    assert_eq!(blessed, expected);
    let again = parse(&blessed).expect("reads");
    assert_eq!(again.bless(&blessed, &printed), blessed);
}

#[test]
fn output_goes_under_a_last_line_without_a_line_end() {
    let text = "controllers 1\nquorum";
    let scenario = parse(text).expect("reads");
    let blessed = scenario.bless(text, &[Vec::new(), vec!["x".to_owned()]]);
    assert_eq!(blessed, "controllers 1\nquorum\n| x\n");
}
