//! What counts as a difference between two answers.

use std::fmt;

use serde_json::{Map, Value};

use super::kafka::is_endless;
use crate::recorded::same::{Measure, Unlike, first_unlike};

/// The first place where two answers differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which command, from 0.
    pub index: usize,
    /// Where in its answer, what Kafka answered there, and what kraftsim did.
    pub unlike: Unlike,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unlike {
            path,
            expected,
            got,
        } = &self.unlike;
        let number = self.index + 1;
        write!(
            f,
            "command {number}, at {path}:\n  kafka {expected}\n  ours  {got}"
        )
    }
}

/// Compares answer with answer.
pub fn first_difference(kafka: &[Value], ours: &[Value]) -> Option<Difference> {
    let mut pairs = kafka.iter().zip(ours).enumerate();
    let found = pairs.find_map(|(index, (kafka, ours))| {
        // The watchdog's answer to a command that never ends has no other field.
        if is_endless(kafka) && is_endless(ours) {
            return None;
        }
        let unlike = first_unlike(&ByAnswer, "", kafka, ours)?;
        Some(Difference { index, unlike })
    });
    found.or_else(|| {
        (kafka.len() != ours.len()).then(|| Difference {
            index: kafka.len().min(ours.len()),
            unlike: Unlike {
                path: "the number of answers".to_owned(),
                expected: kafka.len().into(),
                got: ours.len().into(),
            },
        })
    })
}

/// Kafka's words, and what the driver writes into bodies that no node looks at.
const UNCOMPARED: [&str; 3] = ["errorMessage", "kafka", "clientSoftwareVersion"];

/// Answers of the driver of Kafka's own classes and of `kraftsim drive`: of errors and faults the kind counts, not the words.
struct ByAnswer;

impl Measure for ByAnswer {
    fn at_once(&self, path: &str, kafka: &Value, ours: &Value) -> Option<bool> {
        let (kafka, ours) = (kafka.as_str()?, ours.as_str()?);
        let until = |end: char, text: &str| text.split(end).next().unwrap_or_default().to_owned();
        let is_error = path.rsplit('.').next() == Some("error");
        if path == ".error" {
            return Some(until(':', kafka) == until(':', ours));
        }
        if is_error {
            // The words of an error within an answer are compared where both are classes.
            let (kafka, ours) = (until(':', kafka), until(':', ours));
            let are_classes =
                kafka.starts_with("org.apache.kafka.common.errors.") && ours.contains('.');
            return Some(!are_classes || kafka == ours);
        }
        kafka
            .starts_with("ApiError(")
            .then(|| until(',', kafka) == until(',', ours))
    }

    fn counts(&self, path: &str, kafka: &Map<String, Value>, field: &str) -> bool {
        if kafka.get("call").is_some_and(|call| call == "fault") {
            return field == "call" || field == "fatal";
        }
        if path.is_empty() && kafka.get("ok") == Some(&Value::Bool(false)) {
            // What a command that failed left of its answer is the driver's own affair.
            return !matches!(field, "op" | "created");
        }
        !UNCOMPARED.contains(&field)
    }

    fn order(&self, path: &str, _: &[Value]) -> Option<fn(&Value) -> String> {
        let is_set = path.ends_with("grantingVoters") || path.ends_with("observers");
        is_set.then_some(ToString::to_string as fn(&Value) -> String)
    }

    fn may_be_missing(&self, kafka: &Value) -> bool {
        kafka.is_null()
    }

    fn may_be_added(&self, ours: &Value) -> bool {
        ours.is_null()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn differ(kafka: Value, ours: Value) -> Option<String> {
        first_difference(&[kafka], &[ours]).map(|found| found.unlike.path)
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
