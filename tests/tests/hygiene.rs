//! Habits of the source that no lint checks: sizes of files and functions, and what must not stand in the repository.

use std::fs;
use std::path::Path;

use kraftsim_tests::repository::{files, root};

const LONGEST_FILE: usize = 500;
const LONGEST_FUNCTION: usize = 80;
/// A table of cases is read line by line, however long it is.
const LONGEST_TEST: usize = 120;

fn sources() -> Vec<(String, String)> {
    let root = root();
    files(&root, &[".rs"])
        .iter()
        .map(|path| (name_in(&root, path), read(path)))
        .collect()
}

fn name_in(root: &Path, path: &Path) -> String {
    path.strip_prefix(root)
        .expect("a file below the root")
        .display()
        .to_string()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_test(name: &str) -> bool {
    name.contains("tests/") || name.ends_with("/tests.rs")
}

/// Functions longer than `longest` lines, by the formatter's indentation: from `fn` to the brace that closes it.
fn long_functions(text: &str, longest: usize) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut long = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let is_function = [
            "fn ",
            "pub fn ",
            "pub(crate) fn ",
            "pub(super) fn ",
            "const fn ",
            "pub const fn ",
        ]
        .iter()
        .any(|start| code.starts_with(start));
        if !is_function || code.ends_with(';') || code.ends_with('}') {
            continue;
        }
        let end = format!("{indent}}}");
        let length = lines[at..]
            .iter()
            .position(|line| **line == end)
            .map_or(0, |last| last + 1);
        if length > longest {
            long.push((at + 1, length));
        }
    }
    long
}

#[test]
fn files_are_short_enough_to_read() {
    let mut long = Vec::new();
    for (name, text) in sources() {
        let lines = text.lines().count();
        if lines > LONGEST_FILE {
            long.push(format!("{name}: {lines} lines"));
        }
    }
    assert!(long.is_empty(), "too long:\n{}", long.join("\n"));
}

#[test]
fn functions_are_short_enough_to_read() {
    let mut long = Vec::new();
    for (name, text) in sources() {
        let longest = if is_test(&name) {
            LONGEST_TEST
        } else {
            LONGEST_FUNCTION
        };
        for (line, length) in long_functions(&text, longest) {
            long.push(format!("{name}:{line}: {length} lines"));
        }
    }
    assert!(
        long.is_empty(),
        "over {LONGEST_FUNCTION} lines:\n{}",
        long.join("\n")
    );
}

#[test]
fn a_long_function_is_noticed() {
    let text = "impl X {\n    fn a() {\n        1;\n        2;\n    }\n}\nfn b() {\n}\n";
    assert_eq!(long_functions(text, 3), [(2, 4)]);
    assert_eq!(long_functions(text, 4), []);
}

/// The repository speaks of itself only: no path of the machine it was written on, no host that packages come from.
#[test]
fn no_machine_and_no_registry_is_named() {
    let root = root();
    // Put together here so that this file does not hold what it looks for.
    let forbidden: Vec<String> = [
        ["/work", "/"],
        ["/ro", "ot/"],
        ["/home", "/"],
        ["crates", ".io/"],
        ["repo1", ".maven"],
        ["repo.mav", "en.apache"],
        ["index.crates", ".io"],
        ["localhost", ":80"],
    ]
    .iter()
    .map(|parts| parts.concat())
    .collect();
    let endings = [
        ".rs",
        ".md",
        ".toml",
        ".sim",
        ".py",
        ".java",
        ".sh",
        ".yml",
        ".tsv",
        ".txt",
        "run",
        "kafka-oracle",
    ];
    let mut found = Vec::new();
    for path in files(&root, &endings)
        .iter()
        .chain(&files(&root.join(".ci"), &["run"]))
    {
        for (at, line) in read(path).lines().enumerate() {
            if let Some(word) = forbidden.iter().find(|word| line.contains(word.as_str())) {
                found.push(format!("{}:{}: {word}", name_in(&root, path), at + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Releases are told apart in `releases` alone (and in `records`, where a line of releases is defined): elsewhere no
/// `match` has an arm for one.
#[test]
fn no_match_over_releases_elsewhere() {
    let is_arm = |line: &str| {
        let (pattern, _) = line.split_once("=>").unwrap_or(("", ""));
        ["Release::V", "Release::Kip", "RuleSet::", "Line::V"]
            .iter()
            .any(|name| {
                pattern
                    .trim_start()
                    .trim_start_matches("| ")
                    .starts_with(name)
            })
    };
    let elsewhere = sources()
        .into_iter()
        .filter(|(name, _)| !name.starts_with("crates/releases/") && !is_test(name));
    let found: Vec<String> = elsewhere
        .flat_map(|(name, text)| {
            let arms: Vec<String> = text
                .lines()
                .enumerate()
                .filter(|(_, line)| is_arm(line))
                .map(|(at, _)| format!("{name}:{}", at + 1))
                .collect();
            arms
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The crates that may read clocks and the environment, and have threads.
const EDGE: [&str; 1] = ["kraftsim"];

/// Every crate begins with what it is; those of the core share the file that forbids what would make a run differ from
/// the next.
#[test]
fn every_crate_has_its_first_page_and_its_lints() {
    let crates = root().join("crates");
    let lints = read(&crates.join("clippy.toml"));
    for forbidden in ["HashMap", "SystemTime::now", "thread::spawn", "env::var"] {
        assert!(
            lints.contains(forbidden),
            "crates/clippy.toml forbids {forbidden}"
        );
    }
    let folders = fs::read_dir(crates).expect("the crates").flatten();
    for folder in folders
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
    {
        let text = read(&folder.join("src/lib.rs"));
        assert!(
            text.starts_with("//! "),
            "{}: lib.rs opens with what the crate is",
            folder.display()
        );
        let is_edge = EDGE.iter().any(|edge| folder.ends_with(edge));
        assert_eq!(
            folder.join("clippy.toml").is_file(),
            is_edge,
            "{}: a crate of the core has no lints of its own",
            folder.display()
        );
    }
}

/// The line of code that a doc comment at `at` is about: attributes are passed over.
fn documented<'a>(lines: &[&'a str], at: usize) -> Option<&'a str> {
    let code = lines[at + 1..].iter().map(|line| line.trim());
    code.into_iter().find(|line| !line.starts_with("#["))
}

/// The words of a name: `LeaderEpoch` and `leader_epoch` are `leader` and `epoch`.
fn words_of(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() || !letter.is_alphanumeric() {
            spaced.push(' ');
        }
        spaced.extend(
            letter
                .to_lowercase()
                .filter(|letter| letter.is_alphanumeric()),
        );
    }
    let words = spaced.split_whitespace();
    words
        .map(|word| word.trim_end_matches('s').to_owned())
        .collect()
}

/// What is declared by a line of code: `leader_epoch` of `pub leader_epoch: i32,`.
fn declared(code: &str) -> &str {
    const BEFORE: [&str; 12] = [
        "pub", "const", "async", "fn", "struct", "enum", "trait", "type", "static", "crate",
        "super", "mut",
    ];
    code.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .find(|word| !word.is_empty() && !BEFORE.contains(word))
        .unwrap_or_default()
}

/// Whether a doc comment of one line says nothing that the name does not say.
fn repeats(doc: &str, name: &str) -> bool {
    const FILLERS: [&str; 12] = [
        "a", "an", "the", "it", "one", "of", "that", "thi", "all", "which", "their", "and",
    ];
    let doc = doc.replace("Its ", "").replace('.', " ");
    let name = words_of(name);
    let mut said = words_of(&doc).into_iter();
    !doc.contains("[`") && said.all(|word| FILLERS.contains(&word.as_str()) || name.contains(&word))
}

/// Whether a doc comment of one line is too short to say units, bounds, an owner or a failure. One that quotes a name of
/// Kafka's, or a number, cites its fact.
fn is_a_stub(doc: &str) -> bool {
    let cites = |letter: char| letter.is_ascii_digit() || matches!(letter, '`' | '[' | '/');
    doc.split_whitespace().count() < 3 && !doc.contains(cites)
}

#[test]
fn a_doc_comment_says_more_than_the_name() {
    let mut empty = Vec::new();
    // Of rules and of options of the command line, the doc comment is the text that users read.
    let is_text =
        |name: &str| name.contains("crates/releases/") || name.ends_with("command/format.rs");
    let crates = sources().into_iter();
    for (name, text) in crates.filter(|(name, _)| !is_test(name) && !is_text(name)) {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(doc) = line.trim().strip_prefix("/// ") else {
                continue;
            };
            let goes_on = at > 0 && lines[at - 1].trim().starts_with("///");
            let code = documented(&lines, at).unwrap_or_default();
            let says_nothing = is_a_stub(doc) || repeats(doc, declared(code));
            if !goes_on && !code.starts_with("///") && says_nothing {
                empty.push(format!("{name}:{}: {doc}", at + 1));
            }
        }
    }
    assert!(empty.is_empty(), "{empty:#?}");
    assert!(repeats(
        "Its leader epoch.",
        declared("pub leader_epoch: i32,")
    ));
    assert!(repeats("One topic.", declared("pub struct TopicImage {")));
    assert!(!repeats("Who leads.", declared("pub leader_epoch: i32,")));
    assert!(is_a_stub("The file.") && !is_a_stub("`node.id`") && !is_a_stub("In the unit of it."));
}

#[test]
fn public_types_and_functions_with_arguments_are_documented() {
    let mut bare = Vec::new();
    for (name, text) in sources().iter().filter(|(name, _)| !is_test(name)) {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let code = line.trim();
            let is_type = ["pub struct ", "pub enum ", "pub trait "]
                .iter()
                .any(|start| code.starts_with(start));
            let takes_more =
                code.starts_with("pub fn ") && !code.contains("(&self)") && !code.contains("()");
            let before = lines[..at].iter().rev().map(|line| line.trim());
            let above = before.into_iter().find(|line| !line.starts_with("#["));
            let is_documented =
                above.is_some_and(|line| line.starts_with("///") || line.ends_with(")]"));
            let is_macro = code.contains('$');
            if (is_type || takes_more) && !is_documented && !is_macro {
                bare.push(format!("{name}:{}: {code}", at + 1));
            }
        }
    }
    assert!(bare.is_empty(), "{bare:#?}");
}
