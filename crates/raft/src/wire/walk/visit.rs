use records::Uuid;
use records::visit::{Secrecy, Visitor};

use super::super::schema::{Field, FieldType, Shape};
use super::{Path, Scalar, Sink};

/// Shows what is walked to a visitor.
pub(crate) struct Visiting<'a>(pub(crate) &'a mut dyn Visitor);

impl Sink for Visiting<'_> {
    fn begin_struct(&mut self, _: &'static Shape) {
        self.0.begin_struct();
    }

    fn field(&mut self, field: &'static Field) {
        self.0.field(field.name, Secrecy::Public);
    }

    fn scalar(&mut self, _: FieldType, value: &Scalar<'_>) {
        match value {
            Scalar::Null => self.0.null(),
            Scalar::Boolean(value) => self.0.boolean(*value),
            Scalar::Integer(value) => self.0.integer(*value),
            Scalar::Uuid(bytes) => self.0.uuid(Uuid::from_bytes(*bytes)),
            Scalar::Text(text) => self.0.string(text),
            Scalar::Bytes(bytes) => self.0.bytes(bytes),
        }
    }

    fn begin_array(&mut self, len: usize) {
        self.0.begin_array(len);
    }

    fn end_array(&mut self) {
        self.0.end_array();
    }

    fn end_struct(&mut self, _: &Path<'_>) {
        self.0.end_struct();
    }
}
