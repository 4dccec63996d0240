//! Tagged fields: those nobody here knows, kept; those of the schema, written among them in tag order.

use std::fmt;

use bytes::Bytes;

use super::{Reader, write_uvarint};
use crate::{DecodeError, EncodeError};

/// A tagged field that the schema does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaggedField {
    /// Its tag.
    pub tag: u32,
    /// Its content.
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

    /// The fields.
    pub fn as_slice(&self) -> &[TaggedField] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a field; writing needs tags in ascending order, none of them known to the schema.
    pub fn push(&mut self, tag: u32, data: Bytes) {
        self.0.push(TaggedField { tag, data });
    }
}

/// Why an unknown tagged field cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagProblem {
    /// The schema has a field of this tag.
    Known,
    /// It does not come after the tag before it.
    Order,
}

impl fmt::Display for TagProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TagProblem::Known => "the schema has a field of this tag",
            TagProblem::Order => "tags must ascend",
        })
    }
}

/// Collects the tagged fields of one struct while its plain fields are written.
pub(crate) struct TaggedWriter<'a> {
    record: &'static str,
    unknown: &'a TaggedFields,
    known: Vec<(u32, Vec<u8>)>,
}

impl<'a> TaggedWriter<'a> {
    pub(crate) fn new(record: &'static str, unknown: &'a TaggedFields) -> Self {
        Self {
            record,
            unknown,
            known: Vec::new(),
        }
    }

    pub(crate) fn record(&self) -> &'static str {
        self.record
    }

    /// Unknown fields must not use a tag of the schema, in whatever version.
    pub(crate) fn claim(&self, tag: u32) -> Result<(), EncodeError> {
        if self.unknown.0.iter().any(|field| field.tag == tag) {
            return Err(self.problem(tag, TagProblem::Known));
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, tag: u32, content: Vec<u8>) {
        self.known.push((tag, content));
    }

    pub(crate) fn finish(mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let unknown = self.unknown.as_slice();
        if let Some(pair) = unknown.windows(2).find(|pair| pair[0].tag >= pair[1].tag) {
            return Err(self.problem(pair[1].tag, TagProblem::Order));
        }
        write_uvarint(out, (self.known.len() + unknown.len()) as u32);
        self.known.sort_by_key(|(tag, _)| *tag);
        let known = self
            .known
            .iter()
            .map(|(tag, content)| (*tag, content.as_slice()));
        let mut rest = unknown
            .iter()
            .map(|field| (field.tag, &field.data[..]))
            .peekable();
        for (tag, content) in known {
            while let Some(field) = rest.next_if(|(before, _)| *before < tag) {
                put(out, field);
            }
            put(out, (tag, content));
        }
        rest.for_each(|field| put(out, field));
        Ok(())
    }

    fn problem(&self, tag: u32, problem: TagProblem) -> EncodeError {
        EncodeError::UnknownTag {
            record: self.record,
            tag,
            problem,
        }
    }
}

fn put(out: &mut Vec<u8>, (tag, content): (u32, &[u8])) {
    write_uvarint(out, tag);
    write_uvarint(out, content.len() as u32);
    out.extend_from_slice(content);
}

/// Reads the tagged fields of one struct. `known` reads the content of a tag the schema has and says whether it did.
pub(crate) fn read_tagged(
    reader: &mut Reader<'_>,
    mut known: impl FnMut(u32, usize, &mut Reader<'_>) -> Result<bool, DecodeError>,
) -> Result<TaggedFields, DecodeError> {
    let mut unknown = TaggedFields::new();
    let count = reader.uvarint("number of tagged fields")?;
    for _ in 0..count {
        let position = reader.position();
        let tag = reader.uvarint("tag")?;
        let size = reader.uvarint("size of a tagged field")?;
        let mut content = reader.slice("tagged field", u64::from(size))?;
        if known(tag, position, &mut content)? {
            content.finish("a tagged field")?;
        } else {
            let data = Bytes::copy_from_slice(content.take("tagged field", u64::from(size))?);
            unknown.push(tag, data);
        }
    }
    Ok(unknown)
}
