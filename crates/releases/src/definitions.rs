//! What a release defines about the keys of `server.properties`: types, defaults, valid values, and relations between
//! two of them.
//!
//! `data/definitions.tsv` is printed by the releases themselves (`tests/config-definitions`); `data/relations.tsv` comes
//! from `KafkaConfig`, `GroupCoordinatorConfig` and `ShareGroupConfig` of each branch.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::Release;

/// The keys that a release knows.
#[derive(Debug)]
pub struct Definitions {
    rows: Vec<Definition>,
    /// The places of the rows, ascending by the length of the key and the key: most comparisons end with the length.
    by_key: Vec<(usize, &'static str, usize)>,
    required: Vec<usize>,
    relations: Vec<Relation>,
    /// The places of the relations that name a key on either side.
    relations_of: BTreeMap<&'static str, Vec<usize>>,
}

const DEFINITIONS: &str = include_str!("../data/definitions.tsv");

/// Keys of which only the beginning is defined: the listener, or the provider, has a name of the user's choice.
const FAMILIES: [&str; 2] = ["listener.name.", "config.providers."];

/// One key.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The key.
    pub key: &'static str,
    /// How its value is read.
    pub kind: ValueKind,
    /// What holds where the key is not given.
    pub default: Default,
    /// Which values are accepted.
    pub valid: Valid,
}

/// How a value is read (`4.4:clients/…/common/config/ConfigDef.java`, `parseType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `true` or `false` in any case.
    Boolean,
    /// A whole number of 16 bits.
    Short,
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// A decimal number.
    Double,
    /// Text without the blanks around it.
    String,
    /// The same, and secret.
    Password,
    /// Items between commas.
    List,
    /// The name of a Java class.
    Class,
}

/// What holds where a key is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// The key must be given.
    Required,
    /// Nothing.
    Absent,
    /// This value.
    Value(&'static str),
}

/// Which values are accepted.
#[derive(Clone, Debug, PartialEq)]
pub enum Valid {
    /// All that can be read.
    Any,
    /// Whole numbers in a range, and perhaps one other.
    Whole {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
        /// One more.
        also: Option<i64>,
    },
    /// Decimal numbers in a range.
    Decimal {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// Text that is not empty.
    NonEmpty,
    /// One of these words.
    OneOf(Vec<&'static str>),
    /// One of these words, in any case.
    OneOfAnyCase(Vec<&'static str>),
    /// A list of these words.
    ListOf(Vec<&'static str>),
    /// A list without empty items, of these words if there are any; equal items count once.
    Distinct {
        /// The words; none: any.
        words: Vec<&'static str>,
        /// Whether the list must have an item.
        needs_item: bool,
    },
    /// `ID@HOST:PORT,…`
    Voters,
    /// `HOST:PORT,…`
    Servers,
    /// The name of a metadata.version, of those before KRaft too.
    MetadataVersion,
}

/// What must hold between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The key on the left.
    pub left: &'static str,
    /// How it relates to the right.
    pub is: Comparison,
    /// A key, a number, or names between commas.
    pub right: &'static str,
}

/// How one value relates to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is not less.
    AtLeast,
    /// It is not greater.
    AtMost,
    /// It is less.
    Below,
    /// The list has that many items.
    Counts,
    /// Every item of the list is one of these names, or looks like the name of a class.
    Names,
}

impl Comparison {
    /// In words: `at least`.
    pub fn words(self) -> &'static str {
        match self {
            Comparison::AtLeast => "at least",
            Comparison::AtMost => "at most",
            Comparison::Below => "less than",
            Comparison::Counts => "a list of length",
            Comparison::Names => "classes, or among",
        }
    }
}

impl Definitions {
    /// What `release` defines; the drafts have what 4.4.0 has.
    pub fn of(release: Release) -> &'static Definitions {
        static TABLES: [OnceLock<Definitions>; Release::ALL.len()] =
            [const { OnceLock::new() }; Release::ALL.len()];
        TABLES[release as usize].get_or_init(|| Definitions::parse(release))
    }

    /// A key's definition, with its place in the order in which Kafka looks at them.
    pub fn get(&self, key: &str) -> Option<(usize, &Definition)> {
        let place = place_of(&self.by_key, key)?;
        Some((place, &self.rows[place]))
    }

    /// All keys, in Kafka's order.
    pub fn iter(&self) -> impl Iterator<Item = &Definition> {
        self.rows.iter()
    }

    /// The keys that must be given, with their places.
    pub fn required(&self) -> impl Iterator<Item = (usize, &Definition)> {
        let required = self.required.iter();
        required.map(|place| (*place, &self.rows[*place]))
    }

    /// What must hold where one of `keys` is given, in the order in which Kafka checks it.
    pub fn relations<'k>(&self, keys: impl Iterator<Item = &'k str>) -> Vec<&Relation> {
        let places = keys.filter_map(|key| self.relations_of.get(key));
        let places: BTreeSet<usize> = places.flatten().copied().collect();
        let relations = places.into_iter();
        relations.map(|place| &self.relations[place]).collect()
    }

    fn parse(release: Release) -> Definitions {
        let rows: Vec<Definition> = rows(DEFINITIONS, release)
            .map(|columns| definition(&columns))
            .collect();
        let by_key = rows.iter().enumerate();
        let by_key = by_key.map(|(place, row)| (row.key.len(), row.key, place));
        let mut by_key: Vec<_> = by_key.collect();
        by_key.sort_unstable();
        let is_known =
            |side: &str| side.parse::<i64>().is_ok() || place_of(&by_key, side).is_some();
        let relations: Vec<Relation> = rows_of_relations(release)
            .filter(|relation| {
                let names = relation.is == Comparison::Names;
                is_known(relation.left) && (names || is_known(relation.right))
            })
            .collect();
        let mut relations_of: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (place, relation) in relations.iter().enumerate() {
            for key in [relation.left, relation.right] {
                relations_of.entry(key).or_default().push(place);
            }
        }
        let is_required = |row: &Definition| row.default == Default::Required;
        let required = rows.iter().enumerate().filter(|(_, row)| is_required(row));
        Definitions {
            required: required.map(|(place, _)| place).collect(),
            rows,
            by_key,
            relations,
            relations_of,
        }
    }
}

fn place_of(by_key: &[(usize, &str, usize)], key: &str) -> Option<usize> {
    let found = by_key.binary_search_by_key(&(key.len(), key), |(length, key, _)| (*length, key));
    found.ok().map(|at| by_key[at].2)
}

/// The keys that any release defines, each once, in ascending order.
pub fn known_keys() -> &'static BTreeSet<&'static str> {
    static KEYS: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    KEYS.get_or_init(|| {
        let lines = DEFINITIONS.lines().skip(1);
        lines.filter_map(|line| line.split('\t').next()).collect()
    })
}

/// Whether any release defines `key`, or a family of keys that it belongs to.
pub fn is_known_key(key: &str) -> bool {
    let begins = |start: &&str| {
        key.strip_prefix(*start)
            .is_some_and(|name| !name.is_empty())
    };
    FAMILIES.iter().any(begins) || known_keys().contains(key)
}

/// The lines of a table that hold for `release`, without the last column, which names the releases: `SINCE..UNTIL`.
fn rows(table: &'static str, release: Release) -> impl Iterator<Item = Vec<&'static str>> {
    let release = release.published();
    let holds = move |range: &str| {
        let (since, until) = range.split_once("..").unwrap_or(("", ""));
        let named = |name: &str| name.parse::<Release>().expect("a table names releases");
        (since.is_empty() || named(since) <= release)
            && (until.is_empty() || release <= named(until))
    };
    table.lines().skip(1).filter_map(move |line| {
        let (columns, range) = line.rsplit_once('\t').expect("a table has columns");
        holds(range).then(|| columns.split('\t').collect())
    })
}

fn rows_of_relations(release: Release) -> impl Iterator<Item = Relation> {
    rows(include_str!("../data/relations.tsv"), release).map(|columns| Relation {
        left: columns[0],
        is: match columns[1] {
            ">=" => Comparison::AtLeast,
            "<=" => Comparison::AtMost,
            "<" => Comparison::Below,
            "counts" => Comparison::Counts,
            "names" => Comparison::Names,
            other => panic!("relations.tsv has the comparison {other}"),
        },
        right: columns[2],
    })
}

fn definition(columns: &[&'static str]) -> Definition {
    let kind = match columns[1] {
        "BOOLEAN" => ValueKind::Boolean,
        "SHORT" => ValueKind::Short,
        "INT" => ValueKind::Int,
        "LONG" => ValueKind::Long,
        "DOUBLE" => ValueKind::Double,
        "STRING" => ValueKind::String,
        "PASSWORD" => ValueKind::Password,
        "LIST" => ValueKind::List,
        "CLASS" => ValueKind::Class,
        other => panic!("definitions.tsv has the type {other}"),
    };
    Definition {
        key: columns[0],
        kind,
        default: match columns[2] {
            "(required)" => Default::Required,
            "(none)" => Default::Absent,
            value => Default::Value(value),
        },
        valid: valid(kind, columns[3]),
    }
}

fn valid(kind: ValueKind, text: &'static str) -> Valid {
    let words = |list: &'static str| list.split(',').filter(|word| !word.is_empty()).collect();
    match text {
        "-" | "nonnull" => return Valid::Any,
        "nonempty" => return Valid::NonEmpty,
        "voters" => return Valid::Voters,
        "servers" => return Valid::Servers,
        "metadata-version" => return Valid::MetadataVersion,
        _ => {}
    }
    match text.split_once(':') {
        Some(("in", list)) => Valid::OneOf(words(list)),
        Some(("any-case", list)) => Valid::OneOfAnyCase(words(list)),
        Some(("list", list)) => Valid::ListOf(words(list)),
        Some((distinct, list)) => Valid::Distinct {
            words: words(list),
            needs_item: distinct.contains("nonempty"),
        },
        None => range(kind, text),
    }
}

/// `MIN..MAX` or `MIN..MAX,ALSO`, where a bound that is left out is no bound.
fn range(kind: ValueKind, text: &str) -> Valid {
    let (range, also) = text.split_once(',').unwrap_or((text, ""));
    let (min, max) = range.split_once("..").expect("a range has two bounds");
    if kind == ValueKind::Double {
        return Valid::Decimal {
            min: min.parse().unwrap_or(f64::NEG_INFINITY),
            max: max.parse().unwrap_or(f64::INFINITY),
        };
    }
    Valid::Whole {
        min: min.parse().unwrap_or(i64::MIN),
        max: max.parse().unwrap_or(i64::MAX),
        also: also.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_release_has_its_keys() {
        let counts = Release::ALL.map(|release| Definitions::of(release).iter().count());
        assert_eq!(
            counts,
            [
                328, 329, 306, 306, 306, 336, 336, 341, 341, 360, 360, 379, 379
            ]
        );
        let relations = Release::ALL.map(|release| {
            let definitions = Definitions::of(release);
            let keys = definitions.iter().map(|row| row.key);
            definitions.relations(keys).len()
        });
        assert_eq!((relations[0], relations[11]), (21, 50));
    }

    #[test]
    fn a_key_that_changed() {
        let roles = |release| {
            Definitions::of(release)
                .get("process.roles")
                .unwrap()
                .1
                .clone()
        };
        assert_eq!(roles(Release::V3_9_2).default, Default::Value(""));
        assert_eq!(roles(Release::V4_1_2).default, Default::Required);
        assert_eq!(
            roles(Release::V4_4_0).valid,
            Valid::Distinct {
                words: vec!["broker", "controller"],
                needs_item: true
            }
        );
        assert_eq!(Definitions::of(Release::Kip1170).get("elr.enabled"), None);
    }
}
