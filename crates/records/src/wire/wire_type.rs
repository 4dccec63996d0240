//! How each Rust type stands in the bytes.

use bytes::Bytes;

use super::Reader;
use super::schema::{FieldKind, StructSchema};
use crate::visit::Visitor;
use crate::{DecodeError, EncodeError, Float64, Uuid};

/// Longest string, in bytes: its length is a Java `short`.
pub(super) const MAX_STRING_LEN: usize = 0x7fff;

/// A type of field.
pub(crate) trait Wire: Sized + PartialEq {
    const KIND: FieldKind;
    /// Fewest bytes a value takes: bounds how many elements an array can have before it is allocated.
    const MIN_SIZE: usize;

    fn write(
        &self,
        field: &'static str,
        version: i16,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError>;
    fn read(
        field: &'static str,
        version: i16,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DecodeError>;
    fn visit(&self, version: i16, visitor: &mut dyn Visitor);
}

/// A type that an array may hold. Apart from [`Wire`] so that an array of optional things does not exist.
pub(crate) trait Element: Wire {}

/// A type of which null is a value of its own: what `Option` may hold.
pub(crate) trait NullableWire: Wire {
    /// Reads what may be null.
    fn read_nullable(
        field: &'static str,
        version: i16,
        reader: &mut Reader<'_>,
    ) -> Result<Option<Self>, DecodeError>;
}

/// A struct described with `message!`.
pub(crate) trait Message: Sized {
    const SCHEMA: &'static StructSchema;
    /// Fewest bytes of version 0: its fields, and the number of tagged ones.
    const MIN_SIZE: usize;

    fn write_fields(&self, version: i16, out: &mut Vec<u8>) -> Result<(), EncodeError>;
    fn read_fields(version: i16, reader: &mut Reader<'_>) -> Result<Self, DecodeError>;
    fn visit_fields(&self, version: i16, visitor: &mut dyn Visitor);
}

pub(crate) fn write_uvarint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn write_len(field: &'static str, len: usize, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    match i32::try_from(len).ok().and_then(|len| len.checked_add(1)) {
        Some(len) => {
            write_uvarint(out, len.cast_unsigned());
            Ok(())
        }
        None => Err(EncodeError::TooLong { field, len }),
    }
}

fn null_found(field: &'static str, position: usize) -> DecodeError {
    DecodeError::InvalidValue {
        position,
        what: field,
        expected: "a value",
        found: "null".to_owned(),
    }
}

macro_rules! fixed_width {
    ($($type:ty, $kind:ident;)*) => {$(
        impl Wire for $type {
            const KIND: FieldKind = FieldKind::$kind;
            const MIN_SIZE: usize = size_of::<$type>();

            fn write(&self, _: &'static str, _: i16, out: &mut Vec<u8>) -> Result<(), EncodeError> {
                out.extend_from_slice(&self.to_be_bytes());
                Ok(())
            }

            fn read(field: &'static str, _: i16, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Ok(Self::from_be_bytes(reader.array(field)?))
            }

            fn visit(&self, _: i16, visitor: &mut dyn Visitor) {
                visitor.integer(i64::from(*self));
            }
        }

        impl Element for $type {}
    )*};
}

fixed_width! {
    i8, Int8;
    i16, Int16;
    u16, Uint16;
    i32, Int32;
    i64, Int64;
}

impl Wire for bool {
    const KIND: FieldKind = FieldKind::Bool;
    const MIN_SIZE: usize = 1;

    fn write(&self, _: &'static str, _: i16, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.push(u8::from(*self));
        Ok(())
    }

    fn read(field: &'static str, _: i16, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [byte] = reader.array(field)?;
        Ok(byte != 0)
    }

    fn visit(&self, _: i16, visitor: &mut dyn Visitor) {
        visitor.boolean(*self);
    }
}

impl Wire for Float64 {
    const KIND: FieldKind = FieldKind::Float64;
    const MIN_SIZE: usize = 8;

    fn write(&self, _: &'static str, _: i16, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.extend_from_slice(&self.to_bits().to_be_bytes());
        Ok(())
    }

    fn read(field: &'static str, _: i16, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self::from_bits(u64::from_be_bytes(reader.array(field)?)))
    }

    fn visit(&self, _: i16, visitor: &mut dyn Visitor) {
        visitor.float(self.get());
    }
}

impl Wire for Uuid {
    const KIND: FieldKind = FieldKind::Uuid;
    const MIN_SIZE: usize = 16;

    fn write(&self, _: &'static str, _: i16, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.extend_from_slice(self.as_bytes());
        Ok(())
    }

    fn read(field: &'static str, _: i16, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Uuid::from_bytes(reader.array(field)?))
    }

    fn visit(&self, _: i16, visitor: &mut dyn Visitor) {
        visitor.uuid(*self);
    }
}

impl Element for Uuid {}

impl Wire for String {
    const KIND: FieldKind = FieldKind::String;
    const MIN_SIZE: usize = 1;

    fn write(&self, field: &'static str, _: i16, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        if self.len() > MAX_STRING_LEN {
            return Err(EncodeError::StringTooLong {
                field,
                len: self.len(),
            });
        }
        write_len(field, self.len(), out)?;
        out.extend_from_slice(self.as_bytes());
        Ok(())
    }

    fn read(
        field: &'static str,
        version: i16,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DecodeError> {
        let position = reader.position();
        Self::read_nullable(field, version, reader)?.ok_or_else(|| null_found(field, position))
    }

    fn visit(&self, _: i16, visitor: &mut dyn Visitor) {
        visitor.string(self);
    }
}

impl Element for String {}

impl NullableWire for String {
    fn read_nullable(
        field: &'static str,
        _: i16,
        reader: &mut Reader<'_>,
    ) -> Result<Option<Self>, DecodeError> {
        let position = reader.position();
        let Some(len) = reader.compact_len(field, 1)? else {
            return Ok(None);
        };
        if len > reader.longest_string() {
            return Err(DecodeError::InvalidValue {
                position,
                what: field,
                expected: "a string of at most 32767 bytes",
                found: format!("one of {len}"),
            });
        }
        let start = reader.position();
        let bytes = reader.take(field, len as u64)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(error) => Err(DecodeError::InvalidValue {
                position: start + error.valid_up_to(),
                what: field,
                expected: "UTF-8",
                found: format!("byte 0x{:02x}", bytes[error.valid_up_to()]),
            }),
        }
    }
}

impl Wire for Bytes {
    const KIND: FieldKind = FieldKind::Bytes;
    const MIN_SIZE: usize = 1;

    fn write(&self, field: &'static str, _: i16, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        write_len(field, self.len(), out)?;
        out.extend_from_slice(self);
        Ok(())
    }

    fn read(field: &'static str, _: i16, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let position = reader.position();
        let len = reader
            .compact_len(field, 1)?
            .ok_or_else(|| null_found(field, position))?;
        Ok(Bytes::copy_from_slice(reader.take(field, len as u64)?))
    }

    fn visit(&self, _: i16, visitor: &mut dyn Visitor) {
        visitor.bytes(self);
    }
}

impl<T: Element> Wire for Vec<T> {
    const KIND: FieldKind = FieldKind::Array(&T::KIND);
    const MIN_SIZE: usize = 1;

    fn write(
        &self,
        field: &'static str,
        version: i16,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        write_len(field, self.len(), out)?;
        self.iter()
            .try_for_each(|element| element.write(field, version, out))
    }

    fn read(
        field: &'static str,
        version: i16,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DecodeError> {
        let position = reader.position();
        Self::read_nullable(field, version, reader)?.ok_or_else(|| null_found(field, position))
    }

    fn visit(&self, version: i16, visitor: &mut dyn Visitor) {
        visitor.begin_array(self.len());
        for element in self {
            element.visit(version, visitor);
        }
        visitor.end_array();
    }
}

impl<T: Element> NullableWire for Vec<T> {
    fn read_nullable(
        field: &'static str,
        version: i16,
        reader: &mut Reader<'_>,
    ) -> Result<Option<Self>, DecodeError> {
        let Some(len) = reader.compact_len(field, T::MIN_SIZE)? else {
            return Ok(None);
        };
        (0..len)
            .map(|_| T::read(field, version, reader))
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

impl<T: NullableWire> Wire for Option<T> {
    const KIND: FieldKind = FieldKind::Nullable(&T::KIND);
    const MIN_SIZE: usize = 1;

    fn write(
        &self,
        field: &'static str,
        version: i16,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        if let Some(value) = self {
            value.write(field, version, out)
        } else {
            out.push(0);
            Ok(())
        }
    }

    fn read(
        field: &'static str,
        version: i16,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DecodeError> {
        T::read_nullable(field, version, reader)
    }

    fn visit(&self, version: i16, visitor: &mut dyn Visitor) {
        match self {
            Some(value) => value.visit(version, visitor),
            None => visitor.null(),
        }
    }
}

impl<T: Message + PartialEq> Wire for T {
    const KIND: FieldKind = FieldKind::Struct(T::SCHEMA);
    const MIN_SIZE: usize = <T as Message>::MIN_SIZE;

    fn write(&self, _: &'static str, version: i16, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.write_fields(version, out)
    }

    fn read(_: &'static str, version: i16, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Self::read_fields(version, reader)
    }

    fn visit(&self, version: i16, visitor: &mut dyn Visitor) {
        self.visit_fields(version, visitor);
    }
}

impl<T: Message + PartialEq> Element for T {}
