use std::collections::BTreeMap;

use records::NodeId;
use serde_json::{Map, Value};

/// Ids of the simulated cluster by the names that the recording has for such ids: `<dir-3.2>` is the second directory id
/// of node 3.
#[derive(Clone, Debug, Default)]
pub struct Names {
    known: BTreeMap<String, String>,
    counts: BTreeMap<String, usize>,
}

impl Names {
    /// A directory id of a node; a further one gets a further name.
    pub fn directory(&mut self, node: NodeId, id: &str) {
        self.add(&format!("dir-{node}"), id);
    }

    fn add(&mut self, part: &str, id: &str) {
        if id.is_empty() || self.known.contains_key(id) {
            return;
        }
        let count = self.counts.entry(part.to_owned()).or_default();
        *count += 1;
        let name = match *count {
            1 => format!("<{part}>"),
            n => format!("<{part}.{n}>"),
        };
        self.known.insert(id.to_owned(), name);
    }

    /// Every known id in a text by its name.
    pub fn in_text(&self, text: &str) -> String {
        let named = |text: String, (id, name): (&String, &String)| text.replace(id, name);
        self.known.iter().fold(text.to_owned(), named)
    }

    /// Every known id in a value by its name.
    pub fn in_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match self.known.get(text) {
                Some(name) => Value::String(name.clone()),
                None => value.clone(),
            },
            Value::Array(items) => items.iter().map(|item| self.in_value(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone(), self.in_value(value)))
                .collect::<Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn further_ids_get_further_names() {
        let mut names = Names::default();
        for id in ["a1", "a1", "b2", ""] {
            names.directory(NodeId(3), id);
        }
        names.directory(NodeId(4), "c3");
        assert_eq!(names.in_text("x b2 c3"), "x <dir-3.2> <dir-4>");
        let value = json!({"k": ["a1", "z"], "n": 1});
        assert_eq!(
            names.in_value(&value),
            json!({"k": ["<dir-3>", "z"], "n": 1})
        );
    }
}
