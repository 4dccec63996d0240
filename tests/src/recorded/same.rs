//! Whether two values say the same: one walk through both, with what counts as the same given by a [`Measure`].

use std::fmt;

use serde_json::{Map, Value};

/// What counts as the same.
pub trait Measure {
    /// Whether two values are the same where that is known without a look at their parts.
    fn at_once(&self, path: &str, expected: &Value, got: &Value) -> Option<bool>;

    /// Whether a field of an object is compared.
    fn counts(&self, path: &str, expected: &Map<String, Value>, field: &str) -> bool;

    /// How the items of a list are put in order, if it is a set.
    fn order(&self, path: &str, expected: &[Value]) -> Option<fn(&Value) -> String>;

    /// Whether a field may be missing that was expected, with this value.
    fn may_be_missing(&self, expected: &Value) -> bool;

    /// Whether a field may be there that was not expected, with this value.
    fn may_be_added(&self, got: &Value) -> bool;
}

/// The first place where two values differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Unlike {
    /// `.field[3].field`
    pub path: String,
    /// Null where there is nothing.
    pub expected: Value,
    /// Null where there is nothing.
    pub got: Value,
}

impl fmt::Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unlike {
            path,
            expected,
            got,
        } = self;
        write!(f, "{path}: expected {expected}, got {got}")
    }
}

/// The first place where two values differ, below `path`.
pub fn first_unlike(
    measure: &impl Measure,
    path: &str,
    expected: &Value,
    got: &Value,
) -> Option<Unlike> {
    let unlike = || Unlike {
        path: path.to_owned(),
        expected: expected.clone(),
        got: got.clone(),
    };
    if let Some(same) = measure.at_once(path, expected, got) {
        return (!same).then(unlike);
    }
    match (expected, got) {
        (Value::Object(fields), Value::Object(found)) => {
            unlike_fields(measure, path, fields, found)
        }
        (Value::Array(items), Value::Array(found)) if items.len() == found.len() => {
            let order = measure.order(path, items);
            let (items, found) = (ordered(items, order), ordered(found, order));
            let mut pairs = items.into_iter().zip(found).enumerate();
            pairs.find_map(|(at, (expected, got))| {
                first_unlike(measure, &format!("{path}[{at}]"), expected, got)
            })
        }
        _ => (expected != got).then(unlike),
    }
}

fn unlike_fields(
    measure: &impl Measure,
    path: &str,
    expected: &Map<String, Value>,
    got: &Map<String, Value>,
) -> Option<Unlike> {
    let within = |field: &str| format!("{path}.{field}");
    let mut fields = expected
        .iter()
        .filter(|(field, _)| measure.counts(path, expected, field));
    let unlike = fields.find_map(|(field, value)| match got.get(field) {
        Some(found) => first_unlike(measure, &within(field), value, found),
        None if measure.may_be_missing(value) => None,
        None => Some(Unlike {
            path: within(field),
            expected: value.clone(),
            got: Value::Null,
        }),
    });
    unlike.or_else(|| {
        let mut added = got.iter().filter(|(field, _)| {
            !expected.contains_key(*field) && measure.counts(path, expected, field)
        });
        let (field, found) = added.find(|(_, found)| !measure.may_be_added(found))?;
        Some(Unlike {
            path: within(field),
            expected: Value::Null,
            got: found.clone(),
        })
    })
}

fn ordered(items: &[Value], order: Option<fn(&Value) -> String>) -> Vec<&Value> {
    let mut items: Vec<&Value> = items.iter().collect();
    if let Some(key) = order {
        items.sort_by_key(|item| key(item));
    }
    items
}

/// Fields of records that time or chance decides, and no recording can hold fast.
pub const CHANCE: [&str; 1] = ["lastContainedLogTimestamp"];

/// Whether items are the features or voters of a record: sets, whose order says nothing.
pub fn is_set(items: &[Value]) -> bool {
    items.iter().all(|item| {
        ["minSupportedVersion", "maxSupportedVersion", "voterId"]
            .iter()
            .any(|name| item.get(name).is_some())
    })
}

/// Null, or nothing in it.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}
