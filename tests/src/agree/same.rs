//! Whether two JSON values say the same: the recorded one with its placeholders, and ours.

use serde_json::Value;

use super::placeholder;

/// Left out of the recorded results.
const UNSHOWN: [&str; 1] = ["lastContainedLogTimestamp"];

/// The first difference, as `path: what`, or `None`.
pub fn difference(expected: &Value, got: &Value, path: &str) -> Option<String> {
    match expected {
        Value::String(text) if placeholder::stands_in(text) => {
            // Any value will do, but there must be one.
            (got.is_null() || got == "").then(|| unlike(expected, got, path))
        }
        Value::Object(_) => object_difference(expected, got, path),
        Value::Array(items) => list_difference(items, got, path),
        Value::Number(number) => {
            let text = got.as_str().map_or_else(|| got.to_string(), str::to_owned);
            (got.is_boolean() || text != number.to_string()).then(|| unlike(expected, got, path))
        }
        _ => (expected != got).then(|| unlike(expected, got, path)),
    }
}

fn unlike(expected: &Value, got: &Value, path: &str) -> String {
    format!("{path}: expected {expected}, got {got}")
}

fn object_difference(expected: &Value, got: &Value, path: &str) -> Option<String> {
    let (Some(fields), Some(found)) = (expected.as_object(), got.as_object()) else {
        return Some(unlike(expected, got, path));
    };
    for (name, value) in fields {
        let path = format!("{path}.{name}");
        let difference = match found.get(name) {
            None if is_nothing(value) => None,
            None => Some(format!("{path}: missing")),
            Some(got) => difference(value, got, &path),
        };
        if difference.is_some() {
            return difference;
        }
    }
    // A default may be spelt out, nothing else.
    let extra = found.iter().find(|(name, value)| {
        !fields.contains_key(*name) && !UNSHOWN.contains(&name.as_str()) && !is_default(value)
    });
    extra.map(|(name, value)| format!("{path}.{name}: not expected, got {value}"))
}

fn list_difference(expected: &[Value], got: &Value, path: &str) -> Option<String> {
    let Some(got) = got.as_array().filter(|got| got.len() == expected.len()) else {
        let found = got
            .as_array()
            .map_or_else(|| got.to_string(), |got| got.len().to_string());
        return Some(format!(
            "{path}: {} items expected, got {found}",
            expected.len()
        ));
    };
    let is_set = expected.iter().all(|item| {
        item.get("minSupportedVersion")
            .or(item.get("voterId"))
            .is_some()
    }) && got.iter().all(Value::is_object);
    let (expected, got) = if is_set {
        (ordered(expected), ordered(got))
    } else {
        (as_is(expected), as_is(got))
    };
    let pairs = expected.iter().zip(&got).enumerate();
    pairs
        .into_iter()
        .find_map(|(at, (expected, got))| difference(expected, got, &format!("{path}[{at}]")))
}

fn as_is(items: &[Value]) -> Vec<&Value> {
    items.iter().collect()
}

/// Feature lists and voters are sets: in the order of their keys.
fn ordered(items: &[Value]) -> Vec<&Value> {
    let mut items = as_is(items);
    let text = |item: &Value, key| item.get(key).map(plain_text).unwrap_or_default();
    items.sort_by_key(|item| (text(item, "voterId"), text(item, "name")));
    items
}

fn plain_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

fn is_default(value: &Value) -> bool {
    is_nothing(value) || *value == 0 || *value == -1 || *value == false
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn same(expected: &Value, got: &Value) -> bool {
        difference(expected, got, "").is_none()
    }

    #[test]
    fn placeholders_need_some_value() {
        assert!(same(&json!("<dir-1>"), &json!("x")));
        assert!(!same(&json!("<dir-1>"), &json!("")));
        assert!(!same(&json!("<dir-1>"), &Value::Null));
    }

    #[test]
    fn numbers_may_be_text_but_not_flags() {
        assert!(same(&json!(12), &json!("12")));
        assert!(!same(&json!(1), &json!(true)));
        assert!(!same(&json!(12), &json!(13)));
        assert!(!same(&json!(true), &json!(1)));
        assert!(!same(&json!("12"), &json!(12)));
    }

    #[test]
    fn only_defaults_may_be_added_and_only_nothing_may_be_left_out() {
        assert!(same(
            &json!({"a": 1}),
            &json!({"a": 1, "b": -1, "c": [], "d": null, "e": false})
        ));
        assert!(!same(&json!({"a": 1}), &json!({"a": 1, "b": 2})));
        assert!(same(&json!({"a": 1, "b": []}), &json!({"a": 1})));
        assert!(!same(&json!({"a": 1, "b": 0}), &json!({"a": 1})));
    }

    #[test]
    fn voters_and_features_are_sets_other_lists_are_not() {
        let (one, two) = (
            json!([{"voterId": 1}, {"voterId": 2}]),
            json!([{"voterId": 2}, {"voterId": 1}]),
        );
        assert!(same(&one, &two));
        assert!(!same(
            &json!([{"x": 1}, {"x": 2}]),
            &json!([{"x": 2}, {"x": 1}])
        ));
        assert!(!same(&one, &json!([{"voterId": 1}])));
    }
}
