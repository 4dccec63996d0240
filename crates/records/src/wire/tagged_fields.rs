//! Tagged fields: those nobody here knows, kept; those of the schema, written among them in tag order.

use bytes::Bytes;

use super::writer::write_uvarint;
use super::{Encoding, Path, Reader, StructSchema};
use crate::error::{DecodeError, EncodeError, TagProblem};

/// A tagged field that the schema does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaggedField {
    pub tag: u32,
    pub data: Bytes,
}

/// The unknown tagged fields of one struct, in the order in which they were read. Almost always none.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TaggedFields(Vec<TaggedField>);

impl TaggedFields {
    /// None. Costs no allocation.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    pub fn as_slice(&self) -> &[TaggedField] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first field that cannot stand among those of a struct, and why.
    pub fn problem(&self, schema: &StructSchema) -> Option<(u32, TagProblem)> {
        let known = |field: &&TaggedField| schema.tagged(field.tag).is_some();
        if let Some(field) = self.0.iter().find(known) {
            return Some((field.tag, TagProblem::Known));
        }
        let mut pairs = self.0.windows(2);
        let pair = pairs.find(|pair| pair[0].tag >= pair[1].tag)?;
        Some((pair[1].tag, TagProblem::Order))
    }

    /// Adds a field; writing needs tags in ascending order, none of them known to the schema.
    pub fn push(&mut self, tag: u32, data: Bytes) {
        self.0.push(TaggedField { tag, data });
    }
}

/// Collects the tagged fields of one struct while its plain fields are written.
#[derive(Debug)]
pub struct TaggedWriter<'a> {
    record: &'static str,
    unknown: &'a TaggedFields,
    /// Tags with the places of their contents.
    known: Vec<(u32, usize, usize)>,
    contents: Vec<u8>,
}

impl<'a> TaggedWriter<'a> {
    /// Starts a struct; unknown fields must not use a tag of its schema, in whatever version.
    pub fn new(
        schema: &'static StructSchema,
        unknown: &'a TaggedFields,
    ) -> Result<Self, EncodeError> {
        if let Some((tag, problem)) = unknown.problem(schema) {
            return Err(EncodeError::UnknownTag {
                record: schema.name,
                tag,
                problem,
            });
        }
        Ok(Self {
            record: schema.name,
            unknown,
            known: Vec::new(),
            contents: Vec::new(),
        })
    }

    pub(crate) fn record(&self) -> &'static str {
        self.record
    }

    /// Adds a field of the schema, whose content `write` appends.
    pub(crate) fn push(
        &mut self,
        tag: u32,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let start = self.contents.len();
        write(&mut self.contents)?;
        self.known.push((tag, start, self.contents.len()));
        Ok(())
    }

    /// Writes them, where the encoding has them.
    pub fn finish(mut self, encoding: Encoding, out: &mut Vec<u8>) {
        if encoding == Encoding::Plain {
            return;
        }
        let unknown = self.unknown.as_slice();
        write_uvarint(out, (self.known.len() + unknown.len()) as u32);
        self.known.sort_unstable();
        let mut rest = unknown.iter().peekable();
        for (tag, start, end) in self.known {
            while let Some(field) = rest.next_if(|field| field.tag < tag) {
                put(out, (field.tag, &field.data));
            }
            put(out, (tag, &self.contents[start..end]));
        }
        for field in rest {
            put(out, (field.tag, &field.data));
        }
    }
}

/// Writes the unknown tagged fields of a struct that has no others, where the encoding has them.
pub fn write_tagged(unknown: &TaggedFields, encoding: Encoding, out: &mut Vec<u8>) {
    if encoding == Encoding::Plain {
        return;
    }
    write_uvarint(out, unknown.0.len() as u32);
    for field in &unknown.0 {
        put(out, (field.tag, &field.data));
    }
}

fn put(out: &mut Vec<u8>, (tag, content): (u32, &[u8])) {
    write_uvarint(out, tag);
    write_uvarint(out, content.len() as u32);
    out.extend_from_slice(content);
}

/// Reads the tagged fields of one struct, where the encoding has them. `known` reads the content of a tag the schema has
/// and says whether it did.
pub fn read_tagged(
    at: &Path<'_>,
    encoding: Encoding,
    reader: &mut Reader<'_>,
    mut known: impl FnMut(u32, usize, &mut Reader<'_>) -> Result<bool, DecodeError>,
) -> Result<TaggedFields, DecodeError> {
    let mut unknown = TaggedFields::new();
    if encoding == Encoding::Plain {
        return Ok(unknown);
    }
    let at = &Path::Field(at, "tagged fields");
    let count = reader.uvarint(at)?;
    for _ in 0..count {
        let position = reader.position();
        let tag = reader.uvarint(at)?;
        let size = u64::from(reader.uvarint(at)?);
        let mut content = reader.slice(at, size)?;
        if !known(tag, position, &mut content)? {
            unknown.push(tag, content.take_bytes(at, size)?);
        }
    }
    Ok(unknown)
}
