//! The description of a message as data.

use crate::visit::Visitor;

/// How a field stands in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// One byte, 0 or 1.
    Bool,
    Int8,
    Int16,
    /// Two bytes, unsigned.
    Uint16,
    Int32,
    Int64,
    /// Eight bytes, IEEE 754.
    Float64,
    /// Length and UTF-8.
    String,
    /// Length and bytes.
    Bytes,
    Uuid,
    /// Count and elements.
    Array(&'static FieldKind),
    /// The same, or null.
    Nullable(&'static FieldKind),
    /// The fields of another struct.
    Struct(&'static StructSchema),
}

/// How a visitor gets to see a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    Public,
    Secret,
    /// As a secret if the struct's other fields say so.
    SecretSometimes,
    /// Not among the fields: it stands beside them, as a record's version does.
    Beside,
}

/// A field of a message, as Kafka's message definitions describe it.
#[derive(Clone, Copy, Debug)]
pub struct FieldSchema {
    /// Kafka's JSON name, `featureLevel`.
    pub name: &'static str,
    /// How it stands in the bytes.
    pub kind: FieldKind,
    /// First version that has it.
    pub since: i16,
    /// Last version that has it; `i16::MAX` while there is none.
    pub until: i16,
    /// Whether a version without it may be written whatever it holds; else only if it holds its default.
    pub ignorable: bool,
    /// Its tag, if it is a tagged field.
    pub tag: Option<u32>,
    /// How a visitor gets to see it.
    pub exposure: Exposure,
    /// Shows its default value to a visitor.
    pub visit_default: fn(&mut dyn Visitor),
}

/// The fields of a message or of a struct inside it, in the order of Kafka's schema.
#[derive(Clone, Copy, Debug)]
pub struct StructSchema {
    /// Name, `RegisterBrokerRecord`.
    pub name: &'static str,
    /// Fields in order.
    pub fields: &'static [FieldSchema],
}

impl PartialEq for StructSchema {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for StructSchema {}
