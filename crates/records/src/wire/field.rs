//! One field of a struct: whether it is there at all, in its place or among the tagged ones. `message!` calls these for
//! each field it describes.

use super::schema::{Exposure, FieldSchema};
use super::wire_type::Wire;
use super::{Reader, TaggedWriter};
use crate::visit::{Secrecy, Visitor};
use crate::{DecodeError, EncodeError};

/// Fewest bytes of a struct, from first version, tag and fewest bytes of each field.
pub(crate) const fn min_size(fields: &[(i16, Option<u32>, usize)]) -> usize {
    let mut size = 1;
    let mut index = 0;
    while index < fields.len() {
        if let (0, None, field_size) = fields[index] {
            size += field_size;
        }
        index += 1;
    }
    size
}

/// The schema's next field; `message!` walks fields and schema side by side.
pub(crate) fn next_field(
    schema: &mut std::slice::Iter<'static, FieldSchema>,
) -> &'static FieldSchema {
    schema.next().expect("a schema has one entry per field")
}

/// Writes one field: in its place, among the tagged ones, or not at all where the version does not have it.
pub(crate) fn write_field<T: Wire>(
    value: &T,
    schema: &FieldSchema,
    default: impl FnOnce() -> T,
    version: i16,
    out: &mut Vec<u8>,
    tagged: &mut TaggedWriter<'_>,
) -> Result<(), EncodeError> {
    if let Some(tag) = schema.tag {
        tagged.claim(tag)?;
    }
    if version < schema.since {
        if *value == default() {
            return Ok(());
        }
        return Err(EncodeError::FieldNotInVersion {
            record: tagged.record(),
            field: schema.name,
            since: schema.since,
            version,
        });
    }
    match schema.tag {
        None => value.write(schema.name, version, out),
        Some(_) if *value == default() => Ok(()),
        Some(tag) => {
            let mut content = Vec::new();
            value.write(schema.name, version, &mut content)?;
            tagged.push(tag, content);
            Ok(())
        }
    }
}

/// Reads a field that stands in its place; leaves `value` alone where it does not.
pub(crate) fn read_field<T: Wire>(
    value: &mut T,
    schema: &FieldSchema,
    version: i16,
    reader: &mut Reader<'_>,
) -> Result<(), DecodeError> {
    if schema.tag.is_none() && version >= schema.since {
        *value = T::read(schema.name, version, reader)?;
    }
    Ok(())
}

/// Reads the content of a tagged field.
pub(crate) fn read_tagged_field<T: Wire>(
    value: &mut T,
    schema: &FieldSchema,
    version: i16,
    position: usize,
    content: &mut Reader<'_>,
) -> Result<bool, DecodeError> {
    if version < schema.since {
        return Err(DecodeError::InvalidValue {
            position,
            what: schema.name,
            expected: "a tag that this version has",
            found: format!("tag {:?} of version {}", schema.tag, schema.since),
        });
    }
    *value = T::read(schema.name, version, content)?;
    Ok(true)
}

/// Shows one field, unless the version does not have it or it is tagged and equal to its default.
pub(crate) fn visit_field<T: Wire>(
    value: &T,
    schema: &FieldSchema,
    default: impl FnOnce() -> T,
    secrecy: Secrecy,
    version: i16,
    visitor: &mut dyn Visitor,
) {
    let left_out = schema.exposure == Exposure::Beside
        || version < schema.since
        || (schema.tag.is_some() && *value == default());
    if left_out {
        return;
    }
    visitor.field(schema.name, secrecy);
    value.visit(version, visitor);
}
