//! The pages of `docs/` that show scenarios and command lines: every example is run, and prints what stands there.
//!
//! A ```` ```scenario ```` block is a scenario, its output under its commands; a ```` ```console ```` block holds
//! command lines after `$ kraftsim`, run in the root of the repository, each with what it prints on standard output. Where
//! a block leaves something out it has a line `…`, which stands for any lines.
//!
//! `UPDATE_EXPECT=1 cargo test -p kraftsim-tests --test scenario_pages` writes the output of scenarios anew.

use std::fs;
use std::path::{Path, PathBuf};

use kraftsim::{Console, Exit, Style};
use kraftsim_tests::repository;

const PAGES: [&str; 2] = ["docs/scenario-language.md", "docs/studying-activation.md"];

/// Every command of the language that a build carries out, by its first word or words.
const COMMANDS: [&str; 72] = [
    "title ",
    "shows ",
    "seed ",
    "controllers ",
    "observers ",
    "release ",
    "quorum dynamic",
    "random delays",
    "wire ",
    "set ",
    "with ",
    "without ",
    "format ",
    "load ",
    "copy ",
    "put ",
    "remove ",
    "truncate ",
    "corrupt ",
    "wipe ",
    "swap ",
    "clone ",
    "start ",
    "stop ",
    "crash ",
    "disarm ",
    "lose-unsynced ",
    "restart ",
    "pause ",
    "resume ",
    "upgrade ",
    "run ",
    "run until ",
    "run while ",
    "at ",
    "when ",
    "repeat ",
    "end",
    "cut ",
    "isolate ",
    "split ",
    "mend ",
    "heal",
    "delay ",
    "drop ",
    "add-voter ",
    "remove-voter ",
    "upgrade-feature ",
    "downgrade-feature ",
    "files ",
    "log ",
    "quorum",
    "image ",
    "diff ",
    "callbacks ",
    "timeline",
    "versions ",
    "expect ",
    "never ",
    "expect source ",
    "expect answered",
    "expect records ",
    "expect file ",
    "expect same-log ",
    "expect same-image ",
    "expect bootstrap-records ",
    "expect running ",
    "expect no down ",
    "expect working ",
    "expect voter ",
    "expect no non-voter ",
    "expect moved-on ",
];

struct Block {
    kind: &'static str,
    /// Bytes of the page.
    span: std::ops::Range<usize>,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    for kind in ["scenario", "console"] {
        let fence = format!("\n```{kind}\n");
        let mut from = 0;
        while let Some(at) = page[from..].find(&fence) {
            let start = from + at + fence.len();
            let end = start + page[start..].find("\n```\n").expect("a block has an end") + 1;
            found.push(Block {
                kind,
                span: start..end,
                text: page[start..end].to_owned(),
            });
            from = end;
        }
    }
    found.sort_by_key(|block| block.span.start);
    found
}

fn kraftsim(args: &[&str]) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line = std::iter::once("kraftsim").chain(args.iter().copied());
    let exit = kraftsim::run(line, &mut Console::new(&mut out, &mut err, Style::Plain));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    (exit, text(out), text(err))
}

/// Runs a scenario that stands beside the pages, so that its paths are theirs; what is wrong, and the text it should
/// be.
fn scenario(block: &Block, number: usize) -> (Result<(), String>, String) {
    let path = repository::root().join(format!(
        "docs/.example-{}-{number}.scenario",
        std::process::id()
    ));
    let file = Scratch::new(&path, &block.text);
    let (exit, out, err) = kraftsim(&["run", &file.name()]);
    let held = if exit == Exit::Held {
        Ok(())
    } else {
        Err(format!("{out}{err}"))
    };
    let _ = kraftsim(&["run", "--bless", &file.name()]);
    (held, fs::read_to_string(&path).expect("just written"))
}

/// A file that vanishes with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(path: &Path, text: &str) -> Self {
        fs::write(path, text).expect("docs can be written");
        Scratch(path.to_owned())
    }

    fn name(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Runs the command lines of a block; what is wrong.
fn console(block: &Block) -> Result<(), String> {
    for part in block.text.split("$ kraftsim ").skip(1) {
        let (line, shown) = part.split_once('\n').unwrap_or((part, ""));
        let args: Vec<String> = line.split_whitespace().map(in_repository).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (_, out, _) = kraftsim(&args);
        let root = format!("{}/", repository::root().display());
        let out = out.replace(&root, "");
        if !matches(shown.trim_end(), out.trim_end()) {
            return Err(format!("`kraftsim {line}` prints\n{out}"));
        }
    }
    Ok(())
}

/// The same file from wherever a test runs.
fn in_repository(arg: &str) -> String {
    let path = repository::root().join(arg);
    if path.exists() {
        path.display().to_string()
    } else {
        arg.to_owned()
    }
}

/// Whether `shown`, with `…` lines for anything, is `printed`; columns may have another width.
fn matches(shown: &str, printed: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        let tidy = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().map(tidy).collect()
    };
    let (shown, printed) = (lines(shown), lines(printed));
    stands_for(&shown, &printed)
}

fn stands_for(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "…" => {
            (0..=printed.len()).any(|skip| stands_for(rest, &printed[skip..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, tail)| first == line && stands_for(rest, tail)),
    }
}

#[test]
fn every_example_prints_what_stands_there() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for name in PAGES {
        let path = repository::root().join(name);
        let page = fs::read_to_string(&path).unwrap();
        let mut updated = page.clone();
        for (number, block) in blocks(&page).into_iter().enumerate().rev() {
            let line = page[..block.span.start].lines().count();
            if block.kind == "console" {
                if let Err(said) = console(&block) {
                    wrong.push(format!("{name}:{line}: {said}"));
                }
                continue;
            }
            let (held, blessed) = scenario(&block, number);
            if update {
                updated.replace_range(block.span, &blessed);
            } else if let Err(said) = held {
                wrong.push(format!("{name}:{line}: {said}"));
            }
        }
        if updated != page {
            fs::write(&path, updated).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_has_an_example() {
    let page = fs::read_to_string(repository::root().join(PAGES[0])).unwrap();
    let examples: Vec<String> = blocks(&page).into_iter().map(|block| block.text).collect();
    let lines: Vec<&str> = examples
        .iter()
        .flat_map(|text| text.lines())
        .map(str::trim_start)
        .collect();
    for command in COMMANDS {
        let shown = lines
            .iter()
            .any(|line| format!("{line} ").starts_with(command));
        assert!(shown, "`{command}` has no example on {}", PAGES[0]);
    }
}
