//! The releases that can be simulated, and the rule set each one starts from.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use records::feature::Line;

/// A set of rules that several patch releases share; quirks tell those apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleSet {
    /// Kafka 3.9.x, the last line with ZooKeeper in it.
    V3_9,
    /// Kafka 4.0.x.
    V4_0,
    /// Kafka 4.1.x.
    V4_1,
    /// Kafka 4.2.x.
    V4_2,
    /// Kafka 4.3.x.
    V4_3,
    /// Kafka 4.4.x.
    V4_4,
    /// KIP-1170 as its first drafts describe it, over 4.4 in everything they leave open.
    Kip1170,
}

impl RuleSet {
    /// All rule sets, oldest first, the drafts last.
    pub const ALL: [RuleSet; 7] = [
        RuleSet::V3_9,
        RuleSet::V4_0,
        RuleSet::V4_1,
        RuleSet::V4_2,
        RuleSet::V4_3,
        RuleSet::V4_4,
        RuleSet::Kip1170,
    ];

    /// The line whose schemas and feature levels it has; the drafts have those of 4.4.
    pub fn line(self) -> Line {
        match self {
            RuleSet::V3_9 => Line::V3_9,
            RuleSet::V4_0 => Line::V4_0,
            RuleSet::V4_1 => Line::V4_1,
            RuleSet::V4_2 => Line::V4_2,
            RuleSet::V4_3 => Line::V4_3,
            RuleSet::V4_4 | RuleSet::Kip1170 => Line::V4_4,
        }
    }

    /// `3.9`, …, `kip-1170`.
    pub fn name(self) -> &'static str {
        match self {
            RuleSet::V3_9 => "3.9",
            RuleSet::V4_0 => "4.0",
            RuleSet::V4_1 => "4.1",
            RuleSet::V4_2 => "4.2",
            RuleSet::V4_3 => "4.3",
            RuleSet::V4_4 => "4.4",
            RuleSet::Kip1170 => "kip-1170",
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A Kafka release, or the drafts of KIP-1170, whose behaviour can be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Release {
    /// Kafka 3.9.1.
    V3_9_1,
    /// Kafka 3.9.2.
    V3_9_2,
    /// Kafka 4.0.0.
    V4_0_0,
    /// Kafka 4.0.1.
    V4_0_1,
    /// Kafka 4.0.2.
    V4_0_2,
    /// Kafka 4.1.1.
    V4_1_1,
    /// Kafka 4.1.2.
    V4_1_2,
    /// Kafka 4.2.0.
    V4_2_0,
    /// Kafka 4.2.1.
    V4_2_1,
    /// Kafka 4.3.0.
    V4_3_0,
    /// Kafka 4.3.1.
    V4_3_1,
    /// Kafka 4.4.0.
    V4_4_0,
    /// KIP-1170 as first drafted; never released.
    Kip1170,
}

impl Release {
    /// All releases, oldest first, the drafts last.
    pub const ALL: [Release; 13] = [
        Release::V3_9_1,
        Release::V3_9_2,
        Release::V4_0_0,
        Release::V4_0_1,
        Release::V4_0_2,
        Release::V4_1_1,
        Release::V4_1_2,
        Release::V4_2_0,
        Release::V4_2_1,
        Release::V4_3_0,
        Release::V4_3_1,
        Release::V4_4_0,
        Release::Kip1170,
    ];

    /// `3.9.1`, …, `kip-1170`.
    pub fn name(self) -> &'static str {
        match self {
            Release::V3_9_1 => "3.9.1",
            Release::V3_9_2 => "3.9.2",
            Release::V4_0_0 => "4.0.0",
            Release::V4_0_1 => "4.0.1",
            Release::V4_0_2 => "4.0.2",
            Release::V4_1_1 => "4.1.1",
            Release::V4_1_2 => "4.1.2",
            Release::V4_2_0 => "4.2.0",
            Release::V4_2_1 => "4.2.1",
            Release::V4_3_0 => "4.3.0",
            Release::V4_3_1 => "4.3.1",
            Release::V4_4_0 => "4.4.0",
            Release::Kip1170 => "kip-1170",
        }
    }

    /// The name in a sentence: `Kafka 4.4.0`.
    pub fn title(self) -> String {
        match self {
            Release::Kip1170 => {
                "kip-1170: KIP-1170 as first drafted, over 4.4 in what the drafts leave open"
                    .to_owned()
            }
            _ => format!("Kafka {self}"),
        }
    }

    /// The published release that it is, or that the drafts build on.
    #[must_use]
    pub fn published(self) -> Release {
        match self {
            Release::Kip1170 => Release::V4_4_0,
            published => published,
        }
    }

    /// The rules this release starts from, before its quirks.
    pub fn rule_set(self) -> RuleSet {
        match self {
            Release::V3_9_1 | Release::V3_9_2 => RuleSet::V3_9,
            Release::V4_0_0 | Release::V4_0_1 | Release::V4_0_2 => RuleSet::V4_0,
            Release::V4_1_1 | Release::V4_1_2 => RuleSet::V4_1,
            Release::V4_2_0 | Release::V4_2_1 => RuleSet::V4_2,
            Release::V4_3_0 | Release::V4_3_1 => RuleSet::V4_3,
            Release::V4_4_0 => RuleSet::V4_4,
            Release::Kip1170 => RuleSet::Kip1170,
        }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No such release.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown release `{given}`: did you mean {nearest}? Known are {}",
    known()
)]
pub struct UnknownRelease {
    /// What was asked for.
    pub given: String,
    /// The release whose name is nearest to it.
    pub nearest: Release,
}

fn known() -> String {
    Release::ALL.map(Release::name).join(", ")
}

impl FromStr for Release {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(release) = Release::ALL
            .into_iter()
            .find(|release| release.name() == text)
        {
            return Ok(release);
        }
        let nearest = nearest(text, Release::ALL.map(Release::name));
        let nearest = Release::ALL
            .into_iter()
            .find(|r| r.name() == nearest)
            .expect("nearest picks one of the names");
        Err(UnknownRelease {
            given: text.to_owned(),
            nearest,
        })
    }
}

/// The name with the smallest edit distance to `given`; among equals the one that agrees with it longest from the
/// left, then the later one, which is the newer release.
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> &'a str {
    let agreement = |name: &str| {
        given
            .chars()
            .zip(name.chars())
            .take_while(|(a, b)| a == b)
            .count()
    };
    let closeness = |name: &&str| (Reverse(edit_distance(given, name)), agreement(name));
    names.into_iter().max_by_key(closeness).unwrap_or("")
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for release in Release::ALL {
            assert_eq!(release.name().parse(), Ok(release));
        }
    }

    #[test]
    fn a_wrong_name_gets_the_nearest_one() {
        let nearest = |text: &str| text.parse::<Release>().unwrap_err().nearest;
        assert_eq!(nearest("4.1.0"), Release::V4_1_2);
        assert_eq!(nearest("4.4"), Release::V4_4_0);
        assert_eq!(nearest("kip1170"), Release::Kip1170);
        assert_eq!(nearest("3.9.3"), Release::V3_9_2);
    }

    #[test]
    fn edit_distance_counts_changes() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("same", "same"), 0);
    }
}
