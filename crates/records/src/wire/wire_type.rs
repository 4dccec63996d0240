//! How each Rust type stands in the bytes.

use std::sync::Arc;

use bytes::Bytes;

use super::layout::MAX_STRING_LEN;
use super::schema::{FieldKind, StructSchema};
use super::writer::{write_count, write_uvarint};
use super::{Encoding, Layout, Path, Reader, TaggedFields};
use crate::error::{DecodeError, EncodeError};
use crate::visit::Visitor;
use crate::{Float64, Uuid};

/// For how many elements an array gets memory before it has read any: what a count claims may not be there.
const FIRST_CAPACITY: usize = 4;

/// Is told of a struct: where it stands, its schema, and its unknown tagged fields.
pub type EachStruct<'a> = dyn FnMut(&Path<'_>, &'static StructSchema, &mut TaggedFields) + 'a;

/// A type of field.
pub trait Wire: Sized + PartialEq {
    /// How it stands in the bytes.
    const KIND: FieldKind;

    /// Fewest bytes a value takes: bounds how many elements an array can have before they are read.
    fn min_size(layout: Layout) -> usize;
    /// Appends a value.
    fn write(
        &self,
        field: &'static str,
        layout: Layout,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError>;
    /// Takes a value off.
    fn read(at: &Path<'_>, layout: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError>;
    /// Shows a value.
    fn visit(&self, layout: Layout, visitor: &mut dyn Visitor);
    /// Leaves what a version carries, as if the value were written and read again.
    fn reduce(&mut self, _: i16) -> Result<(), EncodeError> {
        Ok(())
    }
    /// Goes to the structs in it that the layout has, inner ones first.
    fn each_struct(&mut self, _: &Path<'_>, _: Layout, _: &mut EachStruct<'_>) {}
}

/// A type that an array may hold. Apart from [`Wire`] so that an array of optional things does not exist.
pub trait Element: Wire {}

/// A type of which null is a value of its own: what `Option` may hold.
pub trait NullableWire: Wire {
    /// How many bytes of ones null is in the plain encoding.
    const PLAIN_NULL: usize;

    /// Reads what may be null.
    fn read_nullable(
        at: &Path<'_>,
        layout: Layout,
        reader: &mut Reader<'_>,
    ) -> Result<Option<Self>, DecodeError>;

    /// Reads what may not be.
    fn read_present(
        at: &Path<'_>,
        layout: Layout,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DecodeError> {
        let position = reader.position();
        Self::read_nullable(at, layout, reader)?.ok_or_else(|| DecodeError::InvalidValue {
            position,
            what: at.to_string(),
            expected: "a value",
            found: "null".to_owned(),
        })
    }
}

/// A struct described with `message!`.
pub trait Described: Sized {
    /// The description as data.
    const SCHEMA: &'static StructSchema;

    /// Fewest bytes: its fields, and the number of tagged ones.
    fn min_size(layout: Layout) -> usize;
    /// Appends the fields.
    fn write_fields(&self, layout: Layout, out: &mut Vec<u8>) -> Result<(), EncodeError>;
    /// Takes the fields off.
    fn read_fields(
        at: &Path<'_>,
        layout: Layout,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DecodeError>;
    /// Shows the fields.
    fn visit_fields(&self, layout: Layout, visitor: &mut dyn Visitor);
    /// Leaves what a version carries, as if the fields were written and read again.
    fn reduce(&mut self, version: i16) -> Result<(), EncodeError>;
    /// Goes to the structs among the fields, then to this one.
    fn each_struct(&mut self, at: &Path<'_>, layout: Layout, each: &mut EachStruct<'_>);
}

/// Fewest bytes of something with a length.
fn least(plain: usize, layout: Layout) -> usize {
    match layout.encoding {
        Encoding::Plain => plain,
        Encoding::Flexible => 1,
    }
}

macro_rules! fixed_width {
    ($($type:ty, $kind:ident;)*) => {$(
        impl Wire for $type {
            const KIND: FieldKind = FieldKind::$kind;

            fn min_size(_: Layout) -> usize {
                size_of::<$type>()
            }

            fn write(&self, _: &'static str, _: Layout, out: &mut Vec<u8>) -> Result<(), EncodeError> {
                out.extend_from_slice(&self.to_be_bytes());
                Ok(())
            }

            fn read(at: &Path<'_>, _: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Ok(Self::from_be_bytes(reader.array(at)?))
            }

            fn visit(&self, _: Layout, visitor: &mut dyn Visitor) {
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

    fn min_size(_: Layout) -> usize {
        1
    }

    fn write(&self, _: &'static str, _: Layout, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.push(u8::from(*self));
        Ok(())
    }

    fn read(at: &Path<'_>, _: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [byte] = reader.array(at)?;
        Ok(byte != 0)
    }

    fn visit(&self, _: Layout, visitor: &mut dyn Visitor) {
        visitor.boolean(*self);
    }
}

impl Wire for Float64 {
    const KIND: FieldKind = FieldKind::Float64;

    fn min_size(_: Layout) -> usize {
        8
    }

    fn write(&self, _: &'static str, _: Layout, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.extend_from_slice(&self.to_bits().to_be_bytes());
        Ok(())
    }

    fn read(at: &Path<'_>, _: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self::from_bits(u64::from_be_bytes(reader.array(at)?)))
    }

    fn visit(&self, _: Layout, visitor: &mut dyn Visitor) {
        visitor.float(self.get());
    }
}

impl Wire for Uuid {
    const KIND: FieldKind = FieldKind::Uuid;

    fn min_size(_: Layout) -> usize {
        16
    }

    fn write(&self, _: &'static str, _: Layout, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.extend_from_slice(self.as_bytes());
        Ok(())
    }

    fn read(at: &Path<'_>, _: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Uuid::from_bytes(reader.array(at)?))
    }

    fn visit(&self, _: Layout, visitor: &mut dyn Visitor) {
        visitor.uuid(*self);
    }
}

impl Element for Uuid {}

/// Text, owned by one or shared.
macro_rules! text {
    ($($type:ty),*) => {$(
        impl Wire for $type {
            const KIND: FieldKind = FieldKind::String;

            fn min_size(layout: Layout) -> usize {
                least(2, layout)
            }

            fn write(&self, field: &'static str, layout: Layout, out: &mut Vec<u8>) -> Result<(), EncodeError> {
                let len = self.len();
                if len > MAX_STRING_LEN {
                    return Err(EncodeError::StringTooLong { field, len });
                }
                match layout.encoding {
                    Encoding::Flexible => write_uvarint(out, len as u32 + 1),
                    Encoding::Plain => out.extend_from_slice(&(len as i16).to_be_bytes()),
                }
                out.extend_from_slice(self.as_bytes());
                Ok(())
            }

            fn read(at: &Path<'_>, layout: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Self::read_present(at, layout, reader)
            }

            fn visit(&self, _: Layout, visitor: &mut dyn Visitor) {
                visitor.string(self);
            }
        }

        impl Element for $type {}

        impl NullableWire for $type {
            const PLAIN_NULL: usize = 2;

            fn read_nullable(
                at: &Path<'_>,
                layout: Layout,
                reader: &mut Reader<'_>,
            ) -> Result<Option<Self>, DecodeError> {
                Ok(read_text(at, layout, reader)?.map(Self::from))
            }
        }
    )*};
}

text! { String, Arc<str> }

fn read_text<'a>(
    at: &Path<'_>,
    layout: Layout,
    reader: &mut Reader<'a>,
) -> Result<Option<&'a str>, DecodeError> {
    let position = reader.position();
    let Some(len) = reader.text_len(at, layout.encoding)? else {
        return Ok(None);
    };
    let invalid = |position, expected, found| DecodeError::InvalidValue {
        position,
        what: at.to_string(),
        expected,
        found,
    };
    if len > reader.longest_string() {
        let expected = "a string of at most 32767 bytes";
        return Err(invalid(position, expected, format!("one of {len}")));
    }
    let start = reader.position();
    let bytes = reader.take(at, len as u64)?;
    std::str::from_utf8(bytes).map(Some).map_err(|error| {
        let valid = error.valid_up_to();
        invalid(
            start + valid,
            "UTF-8",
            format!("byte 0x{:02x}", bytes[valid]),
        )
    })
}

impl Wire for Bytes {
    const KIND: FieldKind = FieldKind::Bytes;

    fn min_size(layout: Layout) -> usize {
        least(4, layout)
    }

    fn write(
        &self,
        field: &'static str,
        layout: Layout,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        write_count(field, self.len(), layout.encoding, out)?;
        out.extend_from_slice(self);
        Ok(())
    }

    fn read(at: &Path<'_>, layout: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Self::read_present(at, layout, reader)
    }

    fn visit(&self, _: Layout, visitor: &mut dyn Visitor) {
        visitor.bytes(self);
    }
}

impl NullableWire for Bytes {
    const PLAIN_NULL: usize = 4;

    fn read_nullable(
        at: &Path<'_>,
        layout: Layout,
        reader: &mut Reader<'_>,
    ) -> Result<Option<Self>, DecodeError> {
        match reader.count(at, layout.encoding, 1)? {
            Some(len) => reader.take_bytes(at, len as u64).map(Some),
            None => Ok(None),
        }
    }
}

impl<T: Element> Wire for Vec<T> {
    const KIND: FieldKind = FieldKind::Array(&T::KIND);

    fn min_size(layout: Layout) -> usize {
        least(4, layout)
    }

    fn write(
        &self,
        field: &'static str,
        layout: Layout,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        write_count(field, self.len(), layout.encoding, out)?;
        self.iter()
            .try_for_each(|element| element.write(field, layout, out))
    }

    fn read(at: &Path<'_>, layout: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Self::read_present(at, layout, reader)
    }

    fn visit(&self, layout: Layout, visitor: &mut dyn Visitor) {
        visitor.begin_array(self.len());
        for element in self {
            element.visit(layout, visitor);
        }
        visitor.end_array();
    }

    fn reduce(&mut self, version: i16) -> Result<(), EncodeError> {
        self.iter_mut()
            .try_for_each(|element| element.reduce(version))
    }

    fn each_struct(&mut self, at: &Path<'_>, layout: Layout, each: &mut EachStruct<'_>) {
        for (index, element) in self.iter_mut().enumerate() {
            element.each_struct(&Path::Element(at, index), layout, each);
        }
    }
}

impl<T: Element> NullableWire for Vec<T> {
    const PLAIN_NULL: usize = 4;

    fn read_nullable(
        at: &Path<'_>,
        layout: Layout,
        reader: &mut Reader<'_>,
    ) -> Result<Option<Self>, DecodeError> {
        let Some(len) = reader.count(at, layout.encoding, T::min_size(layout))? else {
            return Ok(None);
        };
        let mut elements = Vec::with_capacity(len.min(FIRST_CAPACITY));
        for index in 0..len {
            elements.push(T::read(&Path::Element(at, index), layout, reader)?);
        }
        Ok(Some(elements))
    }
}

impl<T: NullableWire> Wire for Option<T> {
    const KIND: FieldKind = FieldKind::Nullable(&T::KIND);

    fn min_size(layout: Layout) -> usize {
        T::min_size(layout)
    }

    fn write(
        &self,
        field: &'static str,
        layout: Layout,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        match (self, layout.encoding) {
            (Some(value), _) => value.write(field, layout, out)?,
            (None, Encoding::Flexible) => out.push(0),
            (None, Encoding::Plain) => out.resize(out.len() + T::PLAIN_NULL, 0xff),
        }
        Ok(())
    }

    fn read(at: &Path<'_>, layout: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        T::read_nullable(at, layout, reader)
    }

    fn visit(&self, layout: Layout, visitor: &mut dyn Visitor) {
        match self {
            Some(value) => value.visit(layout, visitor),
            None => visitor.null(),
        }
    }

    fn reduce(&mut self, version: i16) -> Result<(), EncodeError> {
        self.iter_mut().try_for_each(|value| value.reduce(version))
    }

    fn each_struct(&mut self, at: &Path<'_>, layout: Layout, each: &mut EachStruct<'_>) {
        if let Some(value) = self {
            value.each_struct(at, layout, each);
        }
    }
}

impl<T: Described + PartialEq> Wire for T {
    const KIND: FieldKind = FieldKind::Struct(T::SCHEMA);

    fn min_size(layout: Layout) -> usize {
        <T as Described>::min_size(layout)
    }

    fn write(&self, _: &'static str, layout: Layout, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.write_fields(layout, out)
    }

    fn read(at: &Path<'_>, layout: Layout, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Self::read_fields(at, layout, reader)
    }

    fn visit(&self, layout: Layout, visitor: &mut dyn Visitor) {
        self.visit_fields(layout, visitor);
    }

    fn reduce(&mut self, version: i16) -> Result<(), EncodeError> {
        Described::reduce(self, version)
    }

    fn each_struct(&mut self, at: &Path<'_>, layout: Layout, each: &mut EachStruct<'_>) {
        Described::each_struct(self, at, layout, each);
    }
}

impl<T: Described + PartialEq> Element for T {}
