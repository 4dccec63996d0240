//! `docs/releases.md`: every rule, which releases follow which behaviour, and the known bugs.

use std::fmt::{self, Write as _};

use releases::{QUIRKS, Release, RuleRow, RuleSet, Rules};

use super::full_name;

const HEAD: &str = "\
# Releases

What each release does, as far as kraftsim tells releases apart. This page is printed by `kraftsim explain --page` from the data in
`crates/releases`; a test compares the two. `kraftsim explain RULE` has one rule alone, `kraftsim explain RELEASE` one release.

Patch releases of a line share its rules; where they do not, a *quirk* makes the difference: a known bug, named by its Kafka number, that some
releases have. `--with QUIRK` plants it into any other release, `--without QUIRK` mends it. `kip-1170` is the system of the first drafts of KIP-1170; it
never was a release, and follows 4.4 where the drafts say nothing.

Sources are paths in Kafka's source tree, to be read on the branch of the release.
";

/// The whole page.
pub(super) fn page() -> String {
    let mut page = HEAD.to_owned();
    write_page(&mut page).expect("writing into a string does not fail");
    page
}

fn write_page(page: &mut String) -> fmt::Result {
    writeln!(
        page,
        "\n## Lines\n\n| rules | releases | oldest metadata.version | newest for production | newest |"
    )?;
    writeln!(page, "|---|---|---|---|---|")?;
    for rule_set in RuleSet::ALL {
        let rules = plain(rule_set);
        let table = rules.features;
        let name = |version| {
            table
                .metadata_version(version)
                .map_or("?", |info| info.name)
        };
        writeln!(
            page,
            "| {rule_set} | {} | {} | {} | {} |",
            members(rule_set).join(", "),
            name(table.minimum_supported),
            name(table.latest_production),
            name(table.latest_testing)
        )?;
    }
    let columns: Vec<Vec<RuleRow>> = RuleSet::ALL
        .iter()
        .map(|rule_set| plain(*rule_set).rows())
        .collect();
    write_overview(page, &columns)?;
    write_quirks(page)?;
    let mut room = "";
    for (at, row) in columns[0].iter().enumerate() {
        if row.room != room {
            room = row.room;
            writeln!(page, "\n## Rules of {}", title(room))?;
        }
        let in_force: Vec<&'static str> =
            columns.iter().map(|rows| rows[at].behaviour.name).collect();
        write_rule(page, row, &in_force)?;
    }
    Ok(())
}

/// One line a rule, one column a line of releases; what is as in the column before is left blank.
fn write_overview(page: &mut String, columns: &[Vec<RuleRow>]) -> fmt::Result {
    let names: Vec<&str> = RuleSet::ALL
        .iter()
        .map(|rule_set| rule_set.name())
        .collect();
    writeln!(
        page,
        "\n## At a glance\n\nA blank means: as in the column before.\n"
    )?;
    writeln!(
        page,
        "| rule | {} |\n|---|{}",
        names.join(" | "),
        "---|".repeat(names.len())
    )?;
    for at in 0..columns[0].len() {
        write!(page, "| {} |", full_name(&columns[0][at]))?;
        let mut before = "";
        for rows in columns {
            let name = rows[at].behaviour.name;
            write!(page, " {} |", if name == before { "" } else { name })?;
            before = name;
        }
        writeln!(page)?;
    }
    Ok(())
}

fn write_quirks(page: &mut String) -> fmt::Result {
    writeln!(
        page,
        "\n## Known bugs\n\n| quirk | releases | decides | what goes wrong |\n|---|---|---|---|"
    )?;
    for quirk in QUIRKS {
        let releases: Vec<&str> = quirk.affects.iter().map(|release| release.name()).collect();
        let releases = if releases.is_empty() {
            "none; to be planted".to_owned()
        } else {
            releases.join(", ")
        };
        writeln!(
            page,
            "| {} | {releases} | `{}` | {} |",
            quirk.id, quirk.field, quirk.summary
        )?;
    }
    Ok(())
}

fn write_rule(page: &mut String, row: &RuleRow, in_force: &[&str]) -> fmt::Result {
    writeln!(
        page,
        "\n### {}\n\n{} Source: `{}`.\n",
        full_name(row),
        row.question,
        row.source
    )?;
    writeln!(page, "| behaviour | rules | |\n|---|---|---|")?;
    for behaviour in row.behaviours {
        let followers: Vec<&str> = RuleSet::ALL
            .iter()
            .zip(in_force)
            .filter(|(_, name)| **name == behaviour.name)
            .map(|(rule_set, _)| rule_set.name())
            .collect();
        let quirks = QUIRKS.iter().filter(|quirk| quirk.field == full_name(row));
        let planted: Vec<&str> = quirks
            .filter(|quirk| sets(quirk.id, row) == behaviour.name)
            .map(|quirk| quirk.id)
            .collect();
        let followers = [followers, planted].concat().join(", ");
        writeln!(
            page,
            "| {} | {followers} | {} |",
            behaviour.name, behaviour.sentence
        )?;
    }
    Ok(())
}

/// The behaviour that a quirk sets.
fn sets(quirk: &str, row: &RuleRow) -> &'static str {
    let rules = plain(RuleSet::V4_4)
        .with(quirk)
        .expect("the quirk is one of the list");
    let rows = rules.rows();
    rows.iter()
        .find(|other| full_name(other) == full_name(row))
        .expect("every rule is in every release")
        .behaviour
        .name
}

/// The rules of a line without any quirk.
fn plain(rule_set: RuleSet) -> Rules {
    let newest = Release::ALL
        .into_iter()
        .rfind(|release| release.rule_set() == rule_set);
    let mut rules = newest.expect("every line has a release").rules();
    let quirks: Vec<&str> = rules.quirks().map(|quirk| quirk.id).collect();
    for quirk in quirks {
        rules = rules.without(quirk).expect("a quirk that is on is known");
    }
    rules
}

fn members(rule_set: RuleSet) -> Vec<&'static str> {
    Release::ALL
        .into_iter()
        .filter(|release| release.rule_set() == rule_set)
        .map(Release::name)
        .collect()
}

fn title(room: &str) -> &str {
    match room {
        "config" => "the configuration",
        "storage" => "the storage tool",
        "bootstrap" => "the bootstrap records",
        "listener" => "the listener callbacks",
        "controller" => "the quorum controller",
        "loader" => "the metadata loader and the snapshot generator",
        other => other,
    }
}
