//! The values of a configuration, read as the release defines its keys.

use std::collections::BTreeSet;
use std::str::FromStr;

use records::feature::{FeatureTable, Line};
use releases::definitions::{Comparison, Default, Definition, Relation, Valid, ValueKind};
use releases::{ConfigRules, Definitions};

use crate::whole_number;

use super::error::brief;
use super::{ConfigError, Entries, quorum};

/// A value with more items between commas is not read.
pub const MOST_ITEMS: usize = 1000;

/// The given lines, and what holds where there is none.
pub(super) struct Values<'a> {
    pub(super) definitions: &'static Definitions,
    pub(super) rules: &'a ConfigRules,
    pub(super) entries: &'a Entries,
}

/// Text without what Java's `String.trim` takes away: everything up to the blank.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|letter| letter <= ' ')
}

/// What `\s` matches in Java.
fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

/// The items between commas, without the blanks around the commas.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    let last = text.split(',').count() - 1;
    text.split(',').enumerate().map(move |(index, item)| {
        let item = if index > 0 {
            item.trim_start_matches(is_space)
        } else {
            item
        };
        if index < last {
            item.trim_end_matches(is_space)
        } else {
            item
        }
    })
}

impl Values<'_> {
    /// Every given value must be one that its definition takes, and every required key must be there; the first that
    /// Kafka meets is named.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        for (key, value) in self.entries {
            let items = value.split(',').count();
            if items > MOST_ITEMS && self.definitions.get(key).is_some() {
                let what = format!("{key} holds {items} items");
                return Err(ConfigError::TooMuch {
                    what,
                    most: MOST_ITEMS,
                });
            }
        }
        let given = self.entries.iter().filter_map(|(key, value)| {
            let (place, definition) = self.definitions.get(key)?;
            let expected = problem(definition, value, self)?;
            let (key, found) = (key.clone(), shown(definition, value));
            let error = ConfigError::Value {
                key,
                found,
                expected,
            };
            Some((place, error))
        });
        let missing = self
            .definitions
            .required()
            .filter_map(|(place, definition)| {
                let key = definition.key;
                let is_missing = !self.entries.contains_key(key);
                is_missing.then_some((place, ConfigError::Missing { key }))
            });
        match given.chain(missing).min_by_key(|(place, _)| *place) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// Relations that name a given key must hold.
    pub(super) fn check_relations(&self, prefixes: &[&str]) -> Result<(), ConfigError> {
        let given = self.entries.keys().map(String::as_str);
        for relation in self.definitions.relations(given) {
            let mut prefixes = prefixes.iter();
            let concerned = prefixes.any(|prefix| relation.left.starts_with(prefix));
            if concerned && !self.holds(relation) {
                let (left, right, is) = (relation.left, relation.right, relation.is.words());
                let found = self.text(left).unwrap_or("nothing");
                let problem = format!("{left} is {found}");
                return Err(ConfigError::Inconsistent {
                    problem,
                    remedy: format!("it must be {is} {right}"),
                });
            }
        }
        Ok(())
    }

    fn holds(&self, relation: &Relation) -> bool {
        if relation.is == Comparison::Counts {
            let count = self.list(relation.left).map_or(0, |items| items.len());
            return relation.right.parse() == Ok(count);
        }
        if relation.is == Comparison::Names {
            let items = self.list(relation.left).unwrap_or_default();
            let known: Vec<&str> = relation.right.split(',').collect();
            return items
                .iter()
                .all(|item| item.contains('.') || known.contains(&item.as_str()));
        }
        let side = |side: &str| side.parse().ok().or_else(|| self.number(side));
        let (Some(left), Some(right)) = (side(relation.left), side(relation.right)) else {
            return true;
        };
        match relation.is {
            Comparison::AtLeast => left >= right,
            Comparison::AtMost => left <= right,
            Comparison::Below | Comparison::Counts | Comparison::Names => left < right,
        }
    }

    /// Whether there is a line for the key.
    pub(super) fn is_given(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// A value without the blanks around it: the given one, else the default.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        if let Some(value) = self.entries.get(key) {
            return self.definitions.get(key).map(|_| trim(value));
        }
        match self.definitions.get(key)?.1.default {
            Default::Value(value) => Some(value),
            Default::Absent | Default::Required => None,
        }
    }

    /// A whole number; `None` where there is none.
    pub(super) fn number(&self, key: &str) -> Option<i64> {
        whole_number(self.text(key)?)
    }

    /// A whole number that is checked to fit 32 bits, else `unknown` in a release that does not know the key.
    pub(super) fn int(&self, key: &str, unknown: i32) -> i32 {
        let number = self.number(key).map(i32::try_from);
        number.map_or(unknown, |number| {
            number.expect("a checked value fits its type")
        })
    }

    /// A whole number of 64 bits with a default in every release.
    pub(super) fn long(&self, key: &str) -> i64 {
        self.number(key).expect("every release has a default")
    }

    /// A flag; off in a release that does not know it.
    pub(super) fn is_on(&self, key: &str) -> bool {
        self.text(key)
            .is_some_and(|text| text.eq_ignore_ascii_case("true"))
    }

    /// What a flag stands for.
    pub(super) fn either<T>(&self, key: &str, off: T, on: T) -> T {
        if self.is_on(key) { on } else { off }
    }

    /// A list, whether the release defines it as one or as text between commas; `None` where there is none.
    pub(super) fn list(&self, key: &str) -> Option<Vec<String>> {
        let text = self.text(key)?;
        let (_, definition) = self.definitions.get(key)?;
        let mut list: Vec<String> = match definition.kind {
            ValueKind::List if text.is_empty() => Vec::new(),
            ValueKind::List => items(text).map(str::to_owned).collect(),
            // `Csv.parseCsvList` knows no empty items.
            _ => items(text)
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect(),
        };
        if let Valid::Distinct { .. } = definition.valid {
            let mut seen = BTreeSet::new();
            list.retain(|item| seen.insert(item.clone()));
        }
        Some(list)
    }

    /// `NAME:VALUE` items, as `Csv.parseCsvMap` reads them; the last of a name counts.
    pub(super) fn map(&self, key: &'static str) -> Result<Vec<(String, String)>, ConfigError> {
        let text = self.text(key).unwrap_or("");
        let mut pairs: Vec<(String, String)> = Vec::new();
        // Java's `split` leaves empty items out at the end only.
        let mut found: Vec<&str> = items(text).collect();
        while found.last().is_some_and(|item| item.is_empty()) {
            found.pop();
        }
        for item in found {
            let Some((name, value)) = item.rsplit_once(':') else {
                return Err(ConfigError::Value {
                    key: key.to_owned(),
                    found: brief(item),
                    expected: "NAME:VALUE, and more after commas".to_owned(),
                });
            };
            pairs.push((trim(name).to_owned(), trim(value).to_owned()));
        }
        let mut seen = BTreeSet::new();
        pairs.reverse();
        pairs.retain(|(name, _)| seen.insert(name.clone()));
        pairs.reverse();
        Ok(pairs)
    }
}

/// The value as an error shows it: a secret is not.
fn shown(definition: &Definition, value: &str) -> String {
    match definition.kind {
        ValueKind::Password => "(hidden)".to_owned(),
        _ => brief(value),
    }
}

/// What would be right, if the value is not.
fn problem(definition: &Definition, value: &str, values: &Values) -> Option<String> {
    let text = trim(value);
    let typed = match definition.kind {
        ValueKind::Boolean => {
            let is_flag = ["true", "false"]
                .iter()
                .any(|flag| text.eq_ignore_ascii_case(flag));
            (!is_flag).then(|| "true or false".to_owned())
        }
        ValueKind::Short => is_none::<i16>(text).then(|| whole(16)),
        ValueKind::Int => is_none::<i32>(text).then(|| whole(32)),
        ValueKind::Long => is_none::<i64>(text).then(|| whole(64)),
        ValueKind::Double => decimal(text)
            .is_none()
            .then(|| "a decimal number".to_owned()),
        ValueKind::Class => text.is_empty().then(|| "the name of a class".to_owned()),
        ValueKind::String | ValueKind::Password | ValueKind::List => None,
    };
    typed.or_else(|| invalid(definition, text, values))
}

fn is_none<T: FromStr>(text: &str) -> bool {
    whole_number::<T>(text).is_none()
}

fn whole(bits: u8) -> String {
    format!("a whole number of {bits} bits")
}

/// A decimal number as `Double.parseDouble` reads it.
fn decimal(text: &str) -> Option<f64> {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    let lower = bare.to_ascii_lowercase();
    if let Some(hexadecimal) = lower.strip_prefix("0x") {
        return hexadecimal_number(hexadecimal, text.starts_with('-'));
    }
    if ["NaN", "Infinity"].contains(&bare) {
        return text.parse().ok();
    }
    if bare.starts_with(char::is_alphabetic) {
        return None;
    }
    let text = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    text.parse().ok()
}

/// `DIGITS.DIGITSpEXPONENT` of base 16 and 2; digits beyond the 52 bits of a fraction do not matter to a range.
fn hexadecimal_number(text: &str, is_negative: bool) -> Option<f64> {
    let text = text.strip_suffix(['f', 'd']).unwrap_or(text);
    let (digits, exponent) = text.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let bare = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if bare.is_empty() || !bare.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let far = if exponent.starts_with('-') {
        i32::MIN
    } else {
        i32::MAX
    };
    let exponent: i32 = exponent.parse().unwrap_or(far);
    let shift = exponent.saturating_sub(4 * i32::try_from(fraction.len()).ok()?);
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    let scaled = if value == 0.0 {
        0.0
    } else {
        value * 2_f64.powi(shift)
    };
    has_digits.then(|| if is_negative { -scaled } else { scaled })
}

fn invalid(definition: &Definition, text: &str, values: &Values) -> Option<String> {
    let one_of = |words: &[&str]| format!("one of {}", words.join(", "));
    match &definition.valid {
        Valid::Any => None,
        Valid::Whole { min, max, also } => {
            let number: i64 = whole_number(text)?;
            let fits = (*min..=*max).contains(&number) || *also == Some(number);
            let also = also.map_or_else(String::new, |also| format!(", or {also}"));
            let to = if *max == i64::MAX {
                String::new()
            } else {
                format!(", at most {max}")
            };
            (!fits).then(|| format!("at least {min}{to}{also}"))
        }
        Valid::Decimal { min, max } => {
            let number = decimal(text)?;
            // Kafka asks whether it is outside; NaN is not.
            let is_outside = number < *min || number > *max;
            is_outside.then(|| format!("a number from {min} to {max}"))
        }
        Valid::NonEmpty => text
            .is_empty()
            .then(|| "a text that is not empty".to_owned()),
        Valid::OneOf(words) => (!words.contains(&text)).then(|| one_of(words)),
        Valid::OneOfAnyCase(words) => {
            let is_word = words.iter().any(|word| word.eq_ignore_ascii_case(text));
            (!is_word).then(|| one_of(words))
        }
        Valid::ListOf(words) => {
            let is_known = |item: &str| words.contains(&item);
            let fits = text.is_empty() || items(text).all(is_known);
            (!fits).then(|| format!("a list of {}", words.join(", ")))
        }
        Valid::Distinct { words, needs_item } => {
            let is_known =
                |item: &str| !item.is_empty() && (words.is_empty() || words.contains(&item));
            let fits = if text.is_empty() {
                !needs_item
            } else {
                items(text).all(is_known)
            };
            let of = if words.is_empty() {
                String::new()
            } else {
                format!(" of {}", words.join(", "))
            };
            (!fits).then(|| format!("a list{of} without empty items"))
        }
        Valid::Voters => quorum::voters(values).err(),
        Valid::Servers => quorum::bootstrap_servers(values).err(),
        Valid::MetadataVersion => {
            (!is_metadata_version(text)).then(|| "a release such as 3.9".to_owned())
        }
    }
}

/// Versions before KRaft that 3.9 still knows: a release, and how many versions it had, `-IV0` and so on.
const BEFORE_KRAFT: [(&str, u8); 20] = [
    ("0.8.0", 0),
    ("0.8.1", 0),
    ("0.8.2", 0),
    ("0.9.0", 0),
    ("0.10.0", 2),
    ("0.10.1", 3),
    ("0.10.2", 1),
    ("0.11.0", 3),
    ("1.0", 1),
    ("1.1", 1),
    ("2.0", 2),
    ("2.1", 3),
    ("2.2", 2),
    ("2.3", 2),
    ("2.4", 2),
    ("2.5", 1),
    ("2.6", 1),
    ("2.7", 3),
    ("2.8", 2),
    ("3.0", 1),
];

/// Whether 3.9 knows a metadata.version of that name (3.9:server-common/…/MetadataVersion.java, `fromVersionString`).
fn is_metadata_version(name: &str) -> bool {
    let segments = if name.starts_with("0.") { 3 } else { 2 };
    let key: Vec<&str> = name.split('.').take(segments).collect();
    let key = key.join(".");
    let is_old = BEFORE_KRAFT.iter().any(|(release, versions)| {
        let versions = (0..*versions).map(|number| format!("{release}-IV{number}"));
        key == *release || versions.into_iter().any(|version| key == version)
    });
    is_old
        || FeatureTable::of(Line::V3_9)
            .metadata_version_named(name)
            .is_some()
}
