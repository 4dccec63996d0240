//! Words that are known by heart: records, features, metadata versions, properties, files of a controller, invariants. A
//! word that is none of them is a slip of the pen, and would make a condition that never holds.

use raft_log::log::METADATA_LOG_DIR_NAME;
use records::feature::{FeatureTable, KRAFT_VERSION, Line, METADATA_VERSION};
use records::metadata::RecordKind;
use releases::{QUIRKS, is_known_key, known_keys};

use crate::NamePattern;
use crate::invariants::Invariants;
use crate::run::nearest::nearest;
use crate::run::{Problem, Span, Spanned};

/// Names of the records of the metadata log, in both of Kafka's forms.
pub(super) fn records() -> impl Iterator<Item = &'static str> {
    let kinds = RecordKind::ALL.iter();
    kinds.flat_map(|kind| [kind.name(), kind.type_name()])
}

/// Names of the levels of `metadata.version` on any release.
pub(super) fn metadata_versions() -> impl Iterator<Item = &'static str> {
    let tables = Line::ALL.into_iter().map(FeatureTable::of);
    tables.flat_map(|table| table.metadata_versions.iter().map(|info| info.name))
}

/// Names of the features of any release.
pub(super) fn features() -> impl Iterator<Item = &'static str> {
    let tables = Line::ALL.into_iter().map(FeatureTable::of);
    let others = tables.flat_map(|table| table.features.iter().map(|feature| feature.name));
    [METADATA_VERSION, KRAFT_VERSION].into_iter().chain(others)
}

/// Checks the name of a feature.
pub(super) fn feature(name: &str, span: &Span) -> Result<(), Problem> {
    if features().any(|known| known == name) {
        return Ok(());
    }
    let problem = Problem::new(span.clone(), format!("there is no feature `{name}`"));
    Err(suggesting(problem, name, features()))
}

/// Checks the name of a property of `server.properties`; it may be one of a release that no node runs.
pub(super) fn property(key: &Spanned<String>) -> Result<(), Problem> {
    let name = key.value.as_str();
    if is_known_key(name) {
        return Ok(());
    }
    let what = format!("no release has a property `{name}`");
    let problem = Problem::new(key.span.clone(), what);
    Err(suggesting(problem, name, known_keys().iter().copied()))
}

/// Checks the id of an invariant, or of a bug whose invariants are meant.
pub(super) fn violation(id: &Spanned<String>) -> Result<(), Problem> {
    let catalogue = Invariants::catalogue();
    let bugs = QUIRKS.iter().map(|quirk| quirk.id);
    let is_named = |(known, _, source): &(&str, &str, &str)| {
        *known == id.value || (id.value.starts_with("KAFKA-") && source.contains(&id.value))
    };
    if catalogue.iter().any(is_named) {
        return Ok(());
    }
    let ids = catalogue.iter().map(|(known, ..)| *known).chain(bugs);
    let what = format!("`{id}` is no invariant, and no bug that an invariant is about");
    Err(suggesting(
        Problem::new(id.span.clone(), what),
        &id.value,
        ids,
    ))
}

fn suggesting<'a>(
    problem: Problem,
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Problem {
    match nearest(word, known) {
        Some(near) => problem.suggesting(format!("did you mean `{near}`?")),
        None => problem,
    }
}

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Files of a controller, with 0 for every digit.
const FILES: [&str; 18] = [
    "00000000000000000000.log",
    "00000000000000000000.index",
    "00000000000000000000.timeindex",
    "00000000000000000000.txnindex",
    "00000000000000000000.snapshot",
    "00000000000000000000-0000000000.checkpoint",
    "bootstrap.checkpoint",
    "quorum-state",
    "leader-epoch-checkpoint",
    "partition.metadata",
    "meta.properties",
    ".lock",
    ".kafka_cleanshutdown",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "replication-offset-checkpoint",
    "cleaner-offset-checkpoint",
    METADATA_LOG_DIR_NAME,
];

/// What a file is called on its way in or out.
const ENDINGS: [&str; 5] = ["", ".tmp", ".part", ".deleted", ".swap"];

/// Checks the path of a file within a node's directory. One that is not known, and is not nearly one that is, may have come
/// with `load` or `put`.
pub(super) fn file(path: &str, span: &Span) -> Result<(), Problem> {
    let name = path.strip_prefix(METADATA_LOG_DIR_NAME);
    let name = zeroed(name.map_or(path, |rest| rest.trim_start_matches('/')));
    let is_known = |file: &str| {
        let rest = name.strip_prefix(file);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if name.is_empty() || FILES.into_iter().any(is_known) {
        return Ok(());
    }
    let inside = FILES.map(|file| format!("{METADATA_LOG_DIR_NAME}/{file}"));
    let known = FILES.into_iter().chain(inside.iter().map(String::as_str));
    match nearest(path, known) {
        None => Ok(()),
        Some(near) => Err(Problem::new(
            span.clone(),
            format!("no file of a controller is called `{path}`"),
        )
        .suggesting(format!("did you mean `{near}`?"))),
    }
}

/// Checks that a pattern can match the name of a file that a controller writes.
pub(super) fn pattern(text: &str, span: &Span) -> Result<(), Problem> {
    let pattern = NamePattern::new(&zeroed(text));
    let mut names = FILES
        .into_iter()
        .chain(["data"])
        .flat_map(|file| ENDINGS.iter().map(move |ending| format!("{file}{ending}")));
    if names.any(|name| pattern.matches(&zeroed(&name))) {
        return Ok(());
    }
    let what = format!("`{text}` matches no file of a controller");
    let shown = ["*.log", "*.checkpoint", "*.index", "*.timeindex"];
    let known = shown.into_iter().chain(FILES);
    Err(suggesting(Problem::new(span.clone(), what), text, known))
}

fn zeroed(name: &str) -> String {
    let zero = |c: char| if c.is_ascii_digit() { '0' } else { c };
    name.chars().map(zero).collect()
}
