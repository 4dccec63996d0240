//! Placeholders of the recorded results: `<dir-1>`, `<port-2>` and so on, for what differs from run to run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value};

use super::cell::files_below;
use crate::recorded::Batch;
use crate::recorded::golden::Volatile;

const KINDS: [&str; 9] = [
    "dir",
    "port",
    "broker-port",
    "incarnation",
    "node",
    "work",
    "hash",
    "time",
    "ms",
];

const UUID_TEXT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes of a Uuid's text form, if it is one.
pub fn uuid_bytes(text: &str) -> Option<Vec<u8>> {
    UUID_TEXT
        .decode(text)
        .ok()
        .filter(|bytes| bytes.len() == 16)
}

/// Whether a placeholder stands anywhere in the text.
pub fn stands_in(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = &text[at + 1..];
        rest.find('>')
            .is_some_and(|end| is_placeholder(&rest[..end]))
    })
}

fn is_placeholder(inner: &str) -> bool {
    KINDS
        .iter()
        .any(|kind| inner.strip_prefix(kind).is_some_and(is_numbering))
}

/// Any number of `-N` and `.N`.
fn is_numbering(mut text: &str) -> bool {
    while let Some(rest) = text.strip_prefix(['-', '.']) {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return false;
        }
        text = &rest[digits..];
    }
    text.is_empty()
}

/// Placeholder to value, for what can be known.
#[derive(Clone, Debug, Default)]
pub struct Known {
    values: BTreeMap<String, Value>,
}

impl Known {
    /// The ports of a result, and those of its directory ids that stand in some file below `folder`, as text or as
    /// 16 bytes: the others were drawn later, and are free.
    pub fn of(volatile: &Volatile, folder: &Path) -> Known {
        let mut values = BTreeMap::new();
        for (kind, ports) in [
            ("port", &volatile.ports),
            ("broker-port", &volatile.broker_ports),
        ] {
            for (node, port) in ports {
                values.insert(format!("<{kind}-{node}>"), Value::from(*port));
            }
        }
        let contents: Vec<Vec<u8>> = files_below(folder)
            .iter()
            .map(|(_, path)| fs::read(path).unwrap_or_default())
            .collect();
        for (name, id) in &volatile.directories {
            let raw = uuid_bytes(id);
            let stands = contents.iter().any(|content| {
                holds(content, id.as_bytes()) || raw.as_ref().is_some_and(|raw| holds(content, raw))
            });
            if stands {
                values.insert(name.clone(), Value::from(id.as_str()));
            }
        }
        Known { values }
    }

    /// The value with every text that is a known placeholder replaced by what it stands for.
    pub fn turned_back(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.values.get(text).unwrap_or(value).clone(),
            Value::Array(items) => items.iter().map(|item| self.turned_back(item)).collect(),
            Value::Object(fields) => {
                let turned = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), self.turned_back(value)));
                Value::Object(turned.collect::<Map<_, _>>())
            }
            _ => value.clone(),
        }
    }

    /// A batch whose records are turned back.
    pub fn batch(&self, batch: &Batch) -> Batch {
        let records = batch.records.iter();
        let turned = records.map(|record| record.map(|value| self.turned_back(value)));
        Batch {
            records: turned.collect(),
            ..batch.clone()
        }
    }

    /// The text with every known placeholder in it replaced.
    pub fn filled_in(&self, text: &str) -> String {
        self.values
            .iter()
            .fold(text.to_owned(), |text, (name, value)| match value {
                Value::String(value) => text.replace(name, value),
                value => text.replace(name, &value.to_string()),
            })
    }
}

/// Whether `needle` stands in `haystack`; an empty one stands everywhere.
pub fn holds(haystack: &[u8], needle: &[u8]) -> bool {
    needle.is_empty()
        || haystack
            .windows(needle.len())
            .any(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_told_from_other_text() {
        for text in [
            "<dir-1>",
            "<dir-1.2>",
            "a <broker-port-12> b",
            "<work>/x",
            "<<ms>",
        ] {
            assert!(stands_in(text), "{text}");
        }
        for text in [
            "",
            "dir-1",
            "<dir-1",
            "<dir->",
            "<dirs>",
            "<unresolved>",
            "<dir-1x>",
            "<salt-a.1>",
        ] {
            assert!(!stands_in(text), "{text}");
        }
    }

    #[test]
    fn known_values_are_filled_in() {
        let values = [
            ("<port-1>".to_owned(), Value::from(9093)),
            ("<dir-1>".to_owned(), Value::from("abc")),
        ];
        let known = Known {
            values: values.into_iter().collect(),
        };
        assert_eq!(
            known.filled_in("1@host:<port-1>:<dir-1>"),
            "1@host:9093:abc"
        );
        assert_eq!(
            known
                .turned_back(&serde_json::json!({"p": ["<port-1>", "<dir-2>"]}))
                .to_string(),
            r#"{"p":[9093,"<dir-2>"]}"#
        );
    }
}
