//! Commands of the language that this build does not carry out. They are known, so that the message can say so.

use winnow::error::{EmptyError, ErrMode};
use winnow::stream::Stream;

use crate::run::Problem;
use crate::scenario::grammar::{Input, Parsed, refuse};
use crate::scenario::token::{Token, TokenKind};

/// Each command that is not available yet, with what comes nearest today.
const LATER: [(&str, &str); 19] = [
    (
        "brokers",
        "worlds are made of `controllers` and `observers`",
    ),
    ("profile", "write the load and the faults as commands"),
    ("duplicate", "messages can be lost: `drop`, `cut`"),
    (
        "loss",
        "messages can be lost one by one: `drop KIND next N`",
    ),
    (
        "sync-fails",
        "a process can die there: `crash N at sync K of FILE`",
    ),
    (
        "sync-lies",
        "a process can die there: `crash N at sync K of FILE`",
    ),
    (
        "disk-full",
        "a process can die there: `crash N at append K of FILE`",
    ),
    ("slow-disk", "a process can stand still: `pause N for TIME`"),
    ("clock", "a process can stand still: `pause N for TIME`"),
    ("create-topic", NO_CLIENTS),
    ("delete-topic", NO_CLIENTS),
    ("alter-config", NO_CLIENTS),
    (
        "add-scram",
        "SCRAM users are set when formatting: `format … scram USER`",
    ),
    ("register-broker", NO_CLIENTS),
    ("unregister-broker", NO_CLIENTS),
    ("create-topics", NO_CLIENTS),
    ("delete-topics", NO_CLIENTS),
    (
        "corrupt-read",
        "a file can be damaged while its node is down: `corrupt FILE at byte N`",
    ),
    (
        "torn-write",
        "a file can be cut short: `truncate FILE to N bytes`",
    ),
];

const NO_CLIENTS: &str =
    "what can be asked so far: `add-voter`, `remove-voter`, `upgrade-feature`, `downgrade-feature`";

/// Refuses a command that is not available yet, by name.
pub(crate) fn later<T>(input: &mut Input<'_>) -> Parsed<T> {
    let Some(Token {
        kind: TokenKind::Word(word),
        span,
    }) = input.peek_token()
    else {
        return Err(ErrMode::Backtrack(EmptyError));
    };
    let Some((_, instead)) = LATER.iter().find(|(name, _)| name == word) else {
        return Err(ErrMode::Backtrack(EmptyError));
    };
    let problem = Problem::new(span.clone(), format!("`{word}` is not available yet"));
    refuse(input, problem.suggesting(*instead))
}
