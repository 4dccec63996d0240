//! What counts as a difference between two answers.

use std::fmt;

use serde_json::{Map, Value};

/// The first place where two answers differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which command, from 0.
    pub index: usize,
    /// Where in its answer.
    pub path: String,
    /// What Kafka answered there.
    pub kafka: Value,
    /// What kraftsim did.
    pub ours: Value,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            index,
            path,
            kafka,
            ours,
        } = self;
        write!(
            f,
            "command {}, at {path}:\n  kafka {kafka}\n  ours  {ours}",
            index + 1
        )
    }
}

/// Kafka's words, and what the driver writes into bodies that no node looks at.
const UNCOMPARED: [&str; 3] = ["errorMessage", "kafka", "clientSoftwareVersion"];

/// Compares answer with answer.
pub fn first_difference(kafka: &[Value], ours: &[Value]) -> Option<Difference> {
    let pairs = kafka.iter().zip(ours).enumerate();
    let mut found = pairs.filter_map(|(index, (kafka, ours))| {
        let (path, kafka, ours) = difference("", kafka, ours)?;
        Some(Difference {
            index,
            path,
            kafka,
            ours,
        })
    });
    found.next().or_else(|| {
        (kafka.len() != ours.len()).then(|| Difference {
            index: kafka.len().min(ours.len()),
            path: "the number of answers".to_owned(),
            kafka: kafka.len().into(),
            ours: ours.len().into(),
        })
    })
}

type Place = (String, Value, Value);

fn difference(path: &str, kafka: &Value, ours: &Value) -> Option<Place> {
    match (kafka, ours) {
        (Value::Object(kafka), Value::Object(ours)) => {
            if kafka.get("call").is_some_and(|call| call == "fault") {
                return of_fields(path, kafka, ours, |key| key == "call" || key == "fatal");
            }
            if path.is_empty() && kafka.get("ok") == Some(&Value::Bool(false)) {
                // What a command that failed left of its answer is the driver's own affair.
                return of_fields(path, kafka, ours, |key| key != "op");
            }
            of_fields(path, kafka, ours, |key| !UNCOMPARED.contains(&key))
        }
        (Value::String(kafka), Value::String(ours)) if path == ".error" => {
            let class = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
            (class(kafka) != class(ours)).then(|| place(path, kafka.as_str(), ours.as_str()))
        }
        (Value::String(kafka), Value::String(ours)) if field_of(path) == "error" => {
            let class = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
            let is_class = class(kafka).starts_with("org.apache.kafka.common.errors.");
            (is_class && class(ours).contains('.') && class(kafka) != class(ours))
                .then(|| place(path, kafka.as_str(), ours.as_str()))
        }
        (Value::String(kafka), Value::String(ours)) if kafka.starts_with("ApiError(") => {
            let code = |text: &str| text.split(',').next().unwrap_or_default().to_owned();
            (code(kafka) != code(ours)).then(|| place(path, kafka.as_str(), ours.as_str()))
        }
        (Value::Array(kafka), Value::Array(ours)) if kafka.len() == ours.len() => {
            let is_set = path.ends_with("grantingVoters") || path.ends_with("observers");
            let sorted = |values: &[Value]| {
                let mut values = values.to_vec();
                if is_set {
                    values.sort_by_key(ToString::to_string);
                }
                values
            };
            let mut pairs = sorted(kafka).into_iter().zip(sorted(ours)).enumerate();
            pairs.find_map(|(i, (kafka, ours))| difference(&format!("{path}[{i}]"), &kafka, &ours))
        }
        _ if kafka == ours => None,
        _ => Some(place(path, kafka.clone(), ours.clone())),
    }
}

/// The last name in a path.
fn field_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

fn place(path: &str, kafka: impl Into<Value>, ours: impl Into<Value>) -> Place {
    (path.to_owned(), kafka.into(), ours.into())
}

fn of_fields(
    path: &str,
    kafka: &Map<String, Value>,
    ours: &Map<String, Value>,
    counts: impl Fn(&str) -> bool,
) -> Option<Place> {
    let only_ours = ours.keys().filter(|key| !kafka.contains_key(*key));
    let mut keys = kafka.keys().chain(only_ours).filter(|key| counts(key));
    keys.find_map(|key| {
        let of = |values: &Map<String, Value>| values.get(key).cloned().unwrap_or(Value::Null);
        difference(&format!("{path}.{key}"), &of(kafka), &of(ours))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn differ(kafka: Value, ours: Value) -> Option<String> {
        first_difference(&[kafka], &[ours]).map(|found| found.path)
    }

    #[test]
    fn what_is_compared_and_what_is_not() {
        let epochs = |epoch: i32| json!({ "ok": true, "nodes": [{ "epoch": epoch }] });
        assert_eq!(differ(epochs(1), epochs(1)), None);
        assert_eq!(differ(epochs(1), epochs(2)).unwrap(), ".nodes[0].epoch");
        let voters = |voters: &[i32]| json!({ "ok": true, "grantingVoters": voters });
        assert_eq!(differ(voters(&[1, 2]), voters(&[2, 1])), None);
        assert!(differ(voters(&[1, 2]), voters(&[1, 3])).is_some());
        let failed = |error: &str| json!({ "ok": false, "error": error });
        assert_eq!(
            differ(failed("a.B: in Kafka's words"), failed("a.B: in ours")),
            None
        );
        assert!(differ(failed("a.B: no"), failed("a.C: no")).is_some());
        assert!(differ(failed("no"), json!({ "ok": true })).is_some());
        let op = |class: &str| json!({ "ok": true, "ops": [{ "error": format!("org.apache.kafka.common.errors.{class}: x") }] });
        assert!(differ(op("TimeoutException"), op("NotControllerException")).is_some());
        assert!(first_difference(&[json!({})], &[]).is_some());
    }
}
