//! What counts as the same: a recorded value with its placeholders, and ours.

use serde_json::{Map, Value};

use super::placeholder;
use crate::recorded::same::{CHANCE, Measure, is_empty, is_set};

/// Placeholders stand for anything, numbers may be text, defaults may be spelt out.
#[derive(Clone, Copy, Debug)]
pub struct ByCell;

impl Measure for ByCell {
    fn at_once(&self, _: &str, expected: &Value, got: &Value) -> Option<bool> {
        match expected {
            // Any value will do, but there must be one.
            Value::String(text) if placeholder::stands_in(text) => {
                Some(!(got.is_null() || got == ""))
            }
            Value::Number(number) => {
                let text = got.as_str().map_or_else(|| got.to_string(), str::to_owned);
                Some(!got.is_boolean() && text == number.to_string())
            }
            _ => None,
        }
    }

    fn counts(&self, _: &str, expected: &Map<String, Value>, field: &str) -> bool {
        !CHANCE.contains(&field) || expected.contains_key(field)
    }

    fn order(&self, _: &str, expected: &[Value]) -> Option<fn(&Value) -> String> {
        is_set(expected).then_some(|item| {
            let text = |name| match item.get(name) {
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
                None => String::new(),
            };
            format!("{} {}", text("voterId"), text("name"))
        })
    }

    fn may_be_missing(&self, expected: &Value) -> bool {
        is_empty(expected)
    }

    fn may_be_added(&self, got: &Value) -> bool {
        is_empty(got) || *got == 0 || *got == -1 || *got == false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::same::first_unlike;
    use serde_json::json;

    fn same(expected: &Value, got: &Value) -> bool {
        first_unlike(&ByCell, "", expected, got).is_none()
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
