//! Through the bytes of a message by its schema: every length checked, every field named, nothing allocated.
//!
//! What Kafka accepts is accepted: any non-zero byte is true, varints may be longer than needed, tagged fields come in
//! any order. Refused, with the position: lengths beyond the end, texts longer than 32767 bytes, null where there is
//! no null, tags of another version, and two things that Kafka lets pass, text that is not UTF-8 and a tagged field
//! that is shorter or longer than its content.

mod input;
mod path;
mod rewrite;
mod visit;

use bytes::Bytes;

use super::schema::{Encoding, Field, FieldType, Nullability, Shape, of};
use super::{DecodeError, Kind};

pub(crate) use input::Input;
pub(crate) use path::Path;
pub(crate) use rewrite::{Rewriter, Spare, put_tagged_fields};
pub(crate) use visit::Visiting;

/// Longest text, in bytes.
pub(super) const MAX_TEXT: usize = 0x7fff;

/// A value that holds no others.
pub(crate) enum Scalar<'a> {
    Null,
    Boolean(bool),
    Integer(i64),
    Uuid([u8; 16]),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// Is told what the walk comes by. A struct is `begin_struct`, then for each field `field` and a value, in the order of
/// the bytes, `unknown` for what the schema does not have, and `end_struct`.
pub(crate) trait Sink {
    fn begin_struct(&mut self, _shape: &'static Shape) {}
    fn field(&mut self, _field: &'static Field) {}
    fn scalar(&mut self, _field_type: FieldType, _value: &Scalar<'_>) {}
    fn begin_array(&mut self, _len: usize) {}
    fn end_array(&mut self) {}
    fn unknown(&mut self, _path: &Path<'_>, _tag: u32, _data: Bytes) {}
    fn end_struct(&mut self, _path: &Path<'_>) {}
}

/// Walks a message that stands in `bytes` from `position` to the end.
pub(crate) fn walk(
    kind: Kind,
    version: i16,
    bytes: &Bytes,
    position: usize,
    sink: &mut impl Sink,
) -> Result<(), DecodeError> {
    let mut walker = Walker {
        version,
        encoding: kind.api.encoding(version),
        input: Input::new(bytes, position),
        sink,
    };
    let path = Path::Message(kind);
    walker.structure(of(kind), &path)?;
    walker.input.finish(&path)
}

struct Walker<'a, S> {
    version: i16,
    encoding: Encoding,
    input: Input<'a>,
    sink: &'a mut S,
}

impl<'a, S: Sink> Walker<'a, S> {
    fn structure(&mut self, shape: &'static Shape, path: &Path<'_>) -> Result<(), DecodeError> {
        self.sink.begin_struct(shape);
        for field in shape.fields {
            if field.tag.is_none() && field.is_in(self.version) {
                self.sink.field(field);
                let path = Path::Field(path, field.name);
                self.value(field.holds, field.nullability, &path)?;
            }
        }
        if self.encoding == Encoding::Flexible {
            self.tagged(shape, path)?;
        }
        self.sink.end_struct(path);
        Ok(())
    }

    fn tagged(&mut self, shape: &'static Shape, path: &Path<'_>) -> Result<(), DecodeError> {
        let section = Path::Field(path, "tagged fields");
        let count = self.input.uvarint(&section)?;
        for _ in 0..count {
            let position = self.input.position();
            let tag = self.input.uvarint(&section)?;
            let size = self.input.uvarint(&section)? as usize;
            match shape.tagged(tag) {
                None => {
                    let data = self.input.share(&section, size)?;
                    self.sink.unknown(path, tag, data);
                }
                Some(field) if field.is_in(self.version) => {
                    self.sink.field(field);
                    self.tagged_value(field, size, &Path::Field(path, field.name))?;
                }
                // As the generated readers of Kafka do.
                Some(field) => {
                    return Err(DecodeError::InvalidValue {
                        position,
                        field: Path::Field(path, field.name).to_string(),
                        expected: "a tag that this version has",
                        found: format!("tag {tag}"),
                    });
                }
            }
        }
        Ok(())
    }

    fn tagged_value(
        &mut self,
        field: &'static Field,
        size: usize,
        path: &Path<'_>,
    ) -> Result<(), DecodeError> {
        let mut inner = Walker {
            version: self.version,
            encoding: self.encoding,
            input: self.input.of_next(path, size)?,
            sink: &mut *self.sink,
        };
        inner.value(field.holds, field.nullability, path)?;
        inner.input.finish(path)?;
        self.input.take(path, size)?;
        Ok(())
    }

    fn value(
        &mut self,
        field_type: FieldType,
        nullability: Nullability,
        path: &Path<'_>,
    ) -> Result<(), DecodeError> {
        let position = self.input.position();
        let scalar = match field_type {
            FieldType::Boolean => Scalar::Boolean(self.input.array::<1>(path)? != [0]),
            FieldType::Int8 => Scalar::Integer(i8::from_be_bytes(self.input.array(path)?).into()),
            FieldType::Int16 => Scalar::Integer(i16::from_be_bytes(self.input.array(path)?).into()),
            FieldType::Uint16 => {
                Scalar::Integer(u16::from_be_bytes(self.input.array(path)?).into())
            }
            FieldType::Int32 => Scalar::Integer(i32::from_be_bytes(self.input.array(path)?).into()),
            FieldType::Int64 => Scalar::Integer(i64::from_be_bytes(self.input.array(path)?)),
            FieldType::Uuid => Scalar::Uuid(self.input.array(path)?),
            FieldType::Text => match self.len(field_type, path)? {
                Some(len) => Scalar::Text(self.text(position, len, path)?),
                None => Scalar::Null,
            },
            FieldType::Records => match self.len(field_type, path)? {
                Some(len) => Scalar::Bytes(self.input.take(path, len)?),
                None => Scalar::Null,
            },
            FieldType::Array(element) => match self.len(field_type, path)? {
                Some(len) => return self.elements(*element, len, path),
                None => Scalar::Null,
            },
            FieldType::Struct(shape) => return self.structure(shape, path),
        };
        if matches!(scalar, Scalar::Null) && nullability == Nullability::Never {
            return Err(DecodeError::InvalidValue {
                position,
                field: path.to_string(),
                expected: "a value",
                found: "null".to_owned(),
            });
        }
        self.sink.scalar(field_type, &scalar);
        Ok(())
    }

    fn text(
        &mut self,
        position: usize,
        len: usize,
        path: &Path<'_>,
    ) -> Result<&'a str, DecodeError> {
        let invalid = |expected, found| DecodeError::InvalidValue {
            position,
            field: path.to_string(),
            expected,
            found,
        };
        if len > MAX_TEXT {
            return Err(invalid(
                "at most 32767 bytes of text",
                format!("{len} bytes"),
            ));
        }
        let bytes = self.input.take(path, len)?;
        std::str::from_utf8(bytes).map_err(|error| invalid("text in UTF-8", error.to_string()))
    }

    fn elements(
        &mut self,
        element: FieldType,
        len: usize,
        path: &Path<'_>,
    ) -> Result<(), DecodeError> {
        let least = element.least_bytes(self.version, self.encoding) as u64;
        self.input.expect(path, least * len as u64)?;
        self.sink.begin_array(len);
        for index in 0..len {
            self.value(element, Nullability::Never, &Path::Element(path, index))?;
        }
        self.sink.end_array();
        Ok(())
    }

    /// A length or count; `None` is null.
    fn len(
        &mut self,
        field_type: FieldType,
        path: &Path<'_>,
    ) -> Result<Option<usize>, DecodeError> {
        let position = self.input.position();
        let len = match (self.encoding, field_type) {
            (Encoding::Flexible, _) => i64::from(self.input.uvarint(path)?) - 1,
            (Encoding::Plain, FieldType::Text) => {
                i16::from_be_bytes(self.input.array(path)?).into()
            }
            (Encoding::Plain, _) => i32::from_be_bytes(self.input.array(path)?).into(),
        };
        match usize::try_from(len) {
            Ok(len) => Ok(Some(len)),
            Err(_) if len == -1 => Ok(None),
            Err(_) => Err(DecodeError::InvalidValue {
                position,
                field: path.to_string(),
                expected: "a length of −1 or more",
                found: len.to_string(),
            }),
        }
    }
}
