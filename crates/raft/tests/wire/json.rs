//! A message as Kafka's JSON, from its bytes.

use bytes::Bytes;
use raft::wire::{self, Kind};
use records::Uuid;
use records::visit::{Secrecy, Visitor};
use serde_json::{Map, Value};

enum Open {
    Struct(Map<String, Value>, Option<&'static str>),
    Array(Vec<Value>),
}

#[derive(Default)]
struct Json {
    open: Vec<Open>,
    done: Option<Value>,
}

impl Json {
    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.done = Some(value),
            Some(Open::Array(values)) => values.push(value),
            Some(Open::Struct(fields, name)) => {
                let name = name.take().expect("a value follows its name");
                fields.insert(name.to_owned(), value);
            }
        }
    }
}

impl Visitor for Json {
    fn begin_struct(&mut self) {
        self.open.push(Open::Struct(Map::new(), None));
    }

    fn end_struct(&mut self) {
        let Some(Open::Struct(fields, None)) = self.open.pop() else {
            panic!("a struct ends that did not begin");
        };
        self.put(Value::Object(fields));
    }

    fn field(&mut self, field: &'static str, _: Secrecy) {
        let Some(Open::Struct(_, name)) = self.open.last_mut() else {
            panic!("a field outside a struct");
        };
        assert_eq!(name.replace(field), None);
    }

    fn begin_array(&mut self, len: usize) {
        self.open.push(Open::Array(Vec::with_capacity(len)));
    }

    fn end_array(&mut self) {
        let Some(Open::Array(values)) = self.open.pop() else {
            panic!("an array ends that did not begin");
        };
        self.put(Value::Array(values));
    }

    fn null(&mut self) {
        self.put(Value::Null);
    }

    fn boolean(&mut self, value: bool) {
        self.put(value.into());
    }

    fn integer(&mut self, value: i64) {
        self.put(value.into());
    }

    fn float(&mut self, value: f64) {
        self.put(value.into());
    }

    fn string(&mut self, value: &str) {
        self.put(value.into());
    }

    /// Kafka's converters leave the bytes of batches out, whatever they are asked for.
    fn bytes(&mut self, _: &[u8]) {
        self.put("".into());
    }

    fn uuid(&mut self, value: Uuid) {
        self.put(value.to_string().into());
    }
}

/// The fields of a message by Kafka's names.
pub fn of(kind: Kind, version: i16, bytes: &Bytes) -> Value {
    let mut json = Json::default();
    wire::visit(kind, version, bytes, &mut json)
        .unwrap_or_else(|error| panic!("{kind} {version}: {error}"));
    assert!(json.open.is_empty());
    json.done.expect("a message is a struct")
}
