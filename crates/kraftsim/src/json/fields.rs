//! Any record as a JSON object.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use records::Uuid;
use records::visit::{Secrecy, Visitor};
use serde_json::{Map, Value};

/// Whether credentials, and configuration values that may be some, are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// As they are.
    Shown,
    /// `(redacted)` stands for them.
    Redacted,
}

impl Secrets {
    /// Shown on demand.
    pub fn shown_if(demanded: bool) -> Self {
        if demanded {
            Secrets::Shown
        } else {
            Secrets::Redacted
        }
    }
}

/// How a string of bytes is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteStrings {
    /// In base 64.
    Encoded,
    /// As their number, `recordsSizeInBytes` for `records`.
    Counted,
}

/// Collects what a record shows.
pub struct Fields {
    secrets: Secrets,
    bytes: ByteStrings,
    /// What is open, outermost first.
    open: Vec<Open>,
    /// The finished value.
    root: Value,
}

enum Open {
    Struct {
        fields: Map<String, Value>,
        name: &'static str,
        secrecy: Secrecy,
    },
    Array {
        items: Vec<Value>,
        secrecy: Secrecy,
    },
}

impl Fields {
    /// An empty collection.
    pub fn new(secrets: Secrets) -> Self {
        Fields {
            secrets,
            bytes: ByteStrings::Encoded,
            open: Vec::new(),
            root: Value::Null,
        }
    }

    /// The same, with bytes printed so.
    #[must_use]
    pub fn with_bytes(self, bytes: ByteStrings) -> Self {
        Fields { bytes, ..self }
    }

    /// What was collected.
    pub fn finish(self) -> Value {
        self.root
    }

    fn secrecy(&self) -> Secrecy {
        match self.open.last() {
            Some(Open::Struct { secrecy, .. } | Open::Array { secrecy, .. }) => *secrecy,
            None => Secrecy::Public,
        }
    }

    /// A single value, at the place that is open.
    fn scalar(&mut self, value: Value) {
        let hidden = self.secrets == Secrets::Redacted && self.secrecy() == Secrecy::Secret;
        self.put(if hidden {
            Value::from("(redacted)")
        } else {
            value
        });
    }

    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::Struct { fields, name, .. }) => {
                fields.insert((*name).to_owned(), value);
            }
            Some(Open::Array { items, .. }) => items.push(value),
            None => self.root = value,
        }
    }
}

impl Visitor for Fields {
    fn begin_struct(&mut self) {
        let secrecy = self.secrecy();
        self.open.push(Open::Struct {
            fields: Map::new(),
            name: "",
            secrecy,
        });
    }

    fn end_struct(&mut self) {
        if let Some(Open::Struct { fields, .. }) = self.open.pop() {
            self.put(Value::Object(fields));
        }
    }

    fn field(&mut self, name: &'static str, secrecy: Secrecy) {
        if let Some(Open::Struct {
            name: current,
            secrecy: how,
            ..
        }) = self.open.last_mut()
        {
            *current = name;
            *how = secrecy;
        }
    }

    fn begin_array(&mut self, _len: usize) {
        let secrecy = self.secrecy();
        self.open.push(Open::Array {
            items: Vec::new(),
            secrecy,
        });
    }

    fn end_array(&mut self) {
        if let Some(Open::Array { items, .. }) = self.open.pop() {
            self.put(Value::Array(items));
        }
    }

    fn null(&mut self) {
        self.put(Value::Null);
    }

    fn boolean(&mut self, value: bool) {
        self.scalar(Value::from(value));
    }

    fn integer(&mut self, value: i64) {
        self.scalar(Value::from(value));
    }

    fn float(&mut self, value: f64) {
        // JSON has no NaN and no infinity; their names are what a reader can still use.
        let number = serde_json::Number::from_f64(value);
        self.scalar(number.map_or_else(|| Value::from(value.to_string()), Value::Number));
    }

    fn string(&mut self, value: &str) {
        self.scalar(Value::from(value));
    }

    fn bytes(&mut self, value: &[u8]) {
        match (self.bytes, self.open.last_mut()) {
            (ByteStrings::Counted, Some(Open::Struct { fields, name, .. })) => {
                fields.insert(format!("{name}SizeInBytes"), value.len().into());
            }
            _ => self.scalar(Value::from(STANDARD.encode(value))),
        }
    }

    fn uuid(&mut self, value: Uuid) {
        self.scalar(Value::from(value.to_string()));
    }
}
