//! The verdicts as a page: what `docs/agreement.md` holds.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Verdict;

/// Cells that cannot agree, with the reason of each.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    reasons: BTreeMap<String, String>,
}

impl Differences {
    /// From tab separated lines `cell, reason` below one header line.
    pub fn parse(text: &str) -> Differences {
        let lines = text
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once('\t'));
        Differences {
            reasons: lines
                .map(|(id, reason)| (id.to_owned(), reason.to_owned()))
                .collect(),
        }
    }

    /// The differences that the repository admits to.
    pub fn known() -> Differences {
        Differences::parse(include_str!("../../differences.tsv"))
    }

    /// Why a cell cannot agree.
    pub fn reason(&self, id: &str) -> Option<&str> {
        self.reasons.get(id).map(String::as_str)
    }

    /// Whether a verdict is the one that the repository stands by: agreement, a difference with a reason, or a cell
    /// that its judge does not judge.
    pub fn stand_by(&self, id: &str, verdict: &Verdict) -> Result<(), String> {
        match (verdict, self.reason(id)) {
            (Verdict::Agree | Verdict::Skip(_), None) | (Verdict::Differ(_), Some(_)) => Ok(()),
            (Verdict::Differ(what), None) => Err(what.clone()),
            (_, Some(_)) => Err("stands in tests/differences.tsv and does not differ".to_owned()),
        }
    }
}

/// What the first word of a cell's name means.
const GROUPS: [(&str, &str); 13] = [
    (
        "a",
        "formatter release × server release, static and standalone quorum",
    ),
    ("b0", "KIP-1170, state 0: neither file"),
    ("b1", "KIP-1170, state 1: the legacy file only"),
    (
        "b2",
        "KIP-1170, state 2: the legacy file, and a zero checkpoint with control records only",
    ),
    ("b3", "KIP-1170, state 3: the zero checkpoint only"),
    (
        "b4",
        "KIP-1170, state 4: both, with different metadata.version",
    ),
    (
        "c",
        "restarts, upgrades, downgrades, files that appear, go stale or vanish",
    ),
    ("d", "format options; metadata.version below the minimum"),
    (
        "e",
        "bad files, leftovers, meta.properties, re-format, roles, several directories",
    ),
    (
        "f",
        "three controllers: same or different content, mixed releases, rolling upgrade, auto-join",
    ),
    ("g", "bootstrap transactions cut short, SCRAM, mixed states"),
    ("h", "patch releases"),
    (
        "x",
        "odd directories: ends of ranges, swap files, gaps, checkpoints under another name",
    ),
];

#[derive(Clone, Copy, Default)]
struct Count {
    cells: usize,
    agree: usize,
    differ: usize,
    skip: usize,
}

impl Count {
    fn add(&mut self, verdict: &Verdict) {
        self.cells += 1;
        match verdict {
            Verdict::Agree => self.agree += 1,
            Verdict::Differ(_) => self.differ += 1,
            Verdict::Skip(_) => self.skip += 1,
        }
    }
}

/// The page over the verdicts of all cells.
pub fn page(verdicts: &[(String, Verdict)], differences: &Differences) -> String {
    let mut groups: BTreeMap<&str, Count> = BTreeMap::new();
    let mut all = Count::default();
    for (id, verdict) in verdicts {
        let group = id.split('-').next().unwrap_or_default();
        groups.entry(group).or_default().add(verdict);
        all.add(verdict);
    }
    let mut page = String::from(OPENING);
    page.push_str(
        "\n| group | what | cells | agree | differ | not judged |\n|---|---|--:|--:|--:|--:|\n",
    );
    for (group, count) in &groups {
        let what = GROUPS
            .iter()
            .find(|(name, _)| name == group)
            .map_or("", |(_, what)| what);
        line(&mut page, group, what, *count);
    }
    line(&mut page, "all", "", all);
    let reason = |id: &str| {
        differences
            .reason(id)
            .unwrap_or("no reason known")
            .to_owned()
    };
    section(
        &mut page,
        "Differences",
        verdicts,
        |id, verdict| match verdict {
            Verdict::Differ(what) => Some(format!("{}. First difference: `{what}`", reason(id))),
            _ => None,
        },
    );
    section(
        &mut page,
        "Not judged",
        verdicts,
        |_, verdict| match verdict {
            Verdict::Skip(why) => Some(why.clone()),
            _ => None,
        },
    );
    page
}

const OPENING: &str = "\
# Agreement with real Kafka

Each cell of `tests/golden` is a directory state and what the published servers and tools of Kafka 3.9.1 … 4.4.0 made of
it; `tests/golden/README.md` says what must be the same and what is free. This page is the output of

    cargo run --release -p kraftsim-tests --bin agree -- --table tests/golden

and a test fails when it is not. The same command without `--table`, on any folder of such cells, names the first
difference of each. Whole lives of clusters: [agreement-lived.md](agreement-lived.md). The other way round, real Kafka on what simulated controllers left: [opened-by-kafka.md](opened-by-kafka.md).
";

fn line(page: &mut String, group: &str, what: &str, count: Count) {
    let Count {
        cells,
        agree,
        differ,
        skip,
    } = count;
    writeln!(
        page,
        "| {group} | {what} | {cells} | {agree} | {differ} | {skip} |"
    )
    .expect("text takes any writing");
}

fn section(
    page: &mut String,
    title: &str,
    verdicts: &[(String, Verdict)],
    says: impl Fn(&str, &Verdict) -> Option<String>,
) {
    let lines: Vec<String> = verdicts
        .iter()
        .filter_map(|(id, verdict)| says(id, verdict).map(|text| format!("* `{id}`: {text}\n")))
        .collect();
    if !lines.is_empty() {
        write!(page, "\n## {title}\n\n{}", lines.concat()).expect("text takes any writing");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_needs_a_reason_and_a_reason_a_difference() {
        let differences = Differences::parse("cell\treason\na-1\tchance\n");
        let differ = Verdict::Differ("x".to_owned());
        assert!(differences.stand_by("a-1", &differ).is_ok());
        assert!(differences.stand_by("a-1", &Verdict::Agree).is_err());
        assert!(differences.stand_by("a-2", &differ).is_err());
        assert!(differences.stand_by("a-2", &Verdict::Agree).is_ok());
    }

    #[test]
    fn the_page_counts_by_group_and_names_each_difference() {
        let verdicts = [
            ("a-1".to_owned(), Verdict::Differ("log[1]".to_owned())),
            ("a-2".to_owned(), Verdict::Agree),
            ("d-1".to_owned(), Verdict::Skip("edits".to_owned())),
        ];
        let page = page(
            &verdicts,
            &Differences::parse("cell\treason\na-1\tchance\n"),
        );
        assert!(
            page.contains("static and standalone quorum | 2 | 1 | 1 | 0 |"),
            "{page}"
        );
        assert!(page.contains("| all |  | 3 | 1 | 1 | 1 |"), "{page}");
        assert!(
            page.contains("* `a-1`: chance. First difference: `log[1]`"),
            "{page}"
        );
        assert!(page.contains("* `d-1`: edits"), "{page}");
    }
}
