//! One field of a struct: whether it is there at all, in its place or among the tagged ones. `message!` calls these for
//! each field it describes.

use super::schema::{Exposure, FieldSchema, StructSchema};
use super::wire_type::{EachStruct, Wire};
use super::{Layout, Path, Reader, TaggedWriter};
use crate::error::{DecodeError, EncodeError};
use crate::visit::{Secrecy, Visitor};

/// The schema's next field; `message!` walks fields and schema side by side.
pub fn next_field(schema: &mut std::slice::Iter<'static, FieldSchema>) -> &'static FieldSchema {
    schema.next().expect("a schema has one entry per field")
}

/// Fewest bytes of a field in its place.
pub fn field_size<T: Wire>(schema: &FieldSchema, layout: Layout) -> usize {
    if schema.tag.is_none() && schema.is_in(layout.version) {
        T::min_size(layout)
    } else {
        0
    }
}

/// Writes one field: in its place, among the tagged ones, or not at all where the version does not have it.
pub fn write_field<T: Wire>(
    value: &T,
    schema: &FieldSchema,
    default: impl FnOnce() -> T,
    layout: Layout,
    out: &mut Vec<u8>,
    tagged: &mut TaggedWriter<'_>,
) -> Result<(), EncodeError> {
    if !schema.is_in(layout.version) {
        return may_be_left_out(value, schema, default, tagged.record(), layout.version);
    }
    match schema.tag {
        None => value.write(schema.name, layout, out),
        Some(_) if *value == default() => Ok(()),
        Some(tag) => tagged.push(tag, |content| value.write(schema.name, layout, content)),
    }
}

/// That a version without a field can carry the value.
fn may_be_left_out<T: Wire>(
    value: &T,
    schema: &FieldSchema,
    default: impl FnOnce() -> T,
    record: &'static str,
    version: i16,
) -> Result<(), EncodeError> {
    if schema.ignorable || *value == default() {
        return Ok(());
    }
    Err(EncodeError::FieldNotInVersion {
        record,
        field: schema.name,
        since: schema.since,
        version,
    })
}

/// Leaves of one field what a version carries.
pub fn reduce_field<T: Wire>(
    value: &mut T,
    schema: &FieldSchema,
    default: impl Fn() -> T,
    record: &'static str,
    version: i16,
) -> Result<(), EncodeError> {
    if schema.is_in(version) {
        return value.reduce(version);
    }
    may_be_left_out(value, schema, &default, record, version)?;
    *value = default();
    Ok(())
}

/// Reads a field that stands in its place; leaves `value` alone where it does not.
pub fn read_field<T: Wire>(
    value: &mut T,
    schema: &FieldSchema,
    at: &Path<'_>,
    layout: Layout,
    reader: &mut Reader<'_>,
) -> Result<(), DecodeError> {
    if schema.tag.is_none() && schema.is_in(layout.version) {
        *value = T::read(&Path::Field(at, schema.name), layout, reader)?;
    }
    Ok(())
}

/// Reads the content of a tagged field, all of it.
pub fn read_tagged_field<T: Wire>(
    value: &mut T,
    schema: &FieldSchema,
    at: &Path<'_>,
    layout: Layout,
    position: usize,
    content: &mut Reader<'_>,
) -> Result<bool, DecodeError> {
    let at = Path::Field(at, schema.name);
    if !schema.is_in(layout.version) {
        // As the generated readers of Kafka do.
        return Err(DecodeError::InvalidValue {
            position,
            what: at.to_string(),
            expected: "a tag that this version has",
            found: format!("tag {}", schema.tag.unwrap_or_default()),
        });
    }
    *value = T::read(&at, layout, content)?;
    content.finish(&at)?;
    Ok(true)
}

/// Shows one field, unless the version does not have it or it is tagged and equal to its default.
pub fn visit_field<T: Wire>(
    value: &T,
    schema: &FieldSchema,
    default: impl FnOnce() -> T,
    secrecy: Secrecy,
    layout: Layout,
    visitor: &mut dyn Visitor,
) {
    let left_out = schema.exposure == Exposure::Beside
        || !schema.is_in(layout.version)
        || (schema.tag.is_some() && *value == default());
    if left_out {
        return;
    }
    visitor.field(schema.name, secrecy);
    value.visit(layout, visitor);
}

/// Goes to the structs in a field that the version has.
pub fn each_struct_of_field<T: Wire>(
    value: &mut T,
    schema: &FieldSchema,
    at: &Path<'_>,
    layout: Layout,
    each: &mut EachStruct<'_>,
) {
    if schema.is_in(layout.version) {
        value.each_struct(&Path::Field(at, schema.name), layout, each);
    }
}

impl FieldSchema {
    /// Whether a version has it.
    pub fn is_in(&self, version: i16) -> bool {
        self.since <= version && version <= self.until
    }
}

impl StructSchema {
    /// The field with a tag, whatever the version.
    pub fn tagged(&self, tag: u32) -> Option<&'static FieldSchema> {
        self.fields.iter().find(|field| field.tag == Some(tag))
    }
}
