//! Scenarios: lines of real ones, mixed, with words changed.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::Dice;
use crate::repository::{files, root};

/// Lines of the repository's scenarios without their output, and every word that stands in them.
static REAL: LazyLock<(Vec<String>, Vec<String>)> = LazyLock::new(|| {
    let mut lines = Vec::new();
    for path in files(&root().join("simulations"), &[".scenario"]) {
        let text = std::fs::read_to_string(&path).expect("a scenario can be read");
        let commands = text.lines().map(str::trim);
        let commands = commands.filter(|line| !line.is_empty() && !line.starts_with(['#', '|']));
        // What reads recordings, and what takes long, is for other tests.
        let short = commands.filter(|line| !line.starts_with("write ") && !line.contains("0s"));
        lines.extend(short.map(str::to_owned));
    }
    lines.sort_unstable();
    lines.dedup();
    let mut words: Vec<String> = lines
        .iter()
        .flat_map(|line| line.split_whitespace().map(str::to_owned))
        .collect();
    words.sort_unstable();
    words.dedup();
    (lines, words)
});

const ODD_WORDS: [&str; 22] = [
    "-1",
    "0",
    "99999999999999999999",
    "2147483648",
    "\"",
    "\"\"",
    "|",
    "#",
    "1:../../x",
    "9223372036854775807",
    "18446744073709551615",
    "999999999h",
    "0us",
    "1.5us",
    "*",
    "é\u{202e}",
    "\u{1b}[2J",
    "repeat 3",
    "end",
    "when active",
    "at 1s",
    "4294967295",
];

/// A scenario, which mostly has a world to begin with.
pub fn scenario(dice: &mut Dice<'_>) -> String {
    let (lines, words) = &*REAL;
    let mut text = String::new();
    if !dice.once_in(16) {
        text.push_str("controllers 1 2 3\nset 1 controller.quorum.election.timeout.ms 200\n");
        let begun: &&str = dice.one(&["", "format all\n", "format all\nstart all\nrun 1s\n"]);
        text.push_str(begun);
    }
    for _ in 0..dice.below(16) {
        let mut line: Vec<&str> = dice.one(lines).split(' ').collect();
        for _ in 0..dice.below(3) {
            let at = dice.below(line.len());
            let word = match dice.below(3) {
                0 => *dice.one(&ODD_WORDS),
                _ => dice.one(words).as_str(),
            };
            match dice.below(4) {
                0 => line.insert(at, word),
                1 if line.len() > 1 => drop(line.remove(at)),
                _ => line[at] = word,
            }
        }
        writeln!(text, "{}", line.join(" ")).expect("text takes any writing");
    }
    text
}
