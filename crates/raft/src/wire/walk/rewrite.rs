use bytes::Bytes;
use records::TaggedField;

use super::super::schema::{Encoding, Field, FieldType, Shape};
use super::super::{EncodeError, Kind, UnknownTaggedFields};
use super::{Path, Scalar, Sink};

/// Counts stand alike whatever the elements.
const ANY_ARRAY: FieldType = FieldType::Array(&FieldType::Int8);

/// Fields of the message itself that one of two versions lacks: name and bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spare(Vec<(&'static str, Vec<u8>)>);

impl Spare {
    pub(crate) fn with(mut self, name: &'static str, bytes: &[u8]) -> Self {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, bytes.to_vec()));
        self
    }

    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        let mut fields = self.0.iter();
        fields
            .find(|(other, _)| *other == name)
            .map(|(_, bytes)| &bytes[..])
    }
}

/// Writes a message again while it is walked: in another version of the same encoding, without its unknown tagged
/// fields (they are kept), with others put in.
pub(crate) struct Rewriter<'a> {
    kind: Kind,
    to: i16,
    encoding: Encoding,
    /// What is put in.
    put: &'a UnknownTaggedFields,
    /// Structs that could take something in.
    placed: Vec<String>,
    /// What was taken out.
    pub(crate) taken: UnknownTaggedFields,
    /// Fields of the message that only the other version has: those to write, then those that were read.
    pub(crate) spare: Spare,
    frames: Vec<Frame>,
    pub(crate) out: Vec<u8>,
    problem: Option<EncodeError>,
}

/// A struct that is being written.
struct Frame {
    shape: &'static Shape,
    /// Which of its fields come next.
    next: usize,
    plain: Vec<u8>,
    tagged: Vec<(u32, Vec<u8>)>,
    target: Target,
}

/// Where values go.
enum Target {
    Plain,
    Tagged(u32, Vec<u8>),
    Dropped(&'static Field, Vec<u8>),
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(kind: Kind, to: i16, spare: Spare, put: &'a UnknownTaggedFields) -> Self {
        Rewriter {
            kind,
            to,
            encoding: kind.api.encoding(to),
            put,
            placed: Vec::new(),
            taken: UnknownTaggedFields::none(),
            spare,
            frames: Vec::new(),
            out: Vec::new(),
            problem: None,
        }
    }

    /// The bytes, if all unknown tagged fields found their place.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, EncodeError> {
        for (within, fields) in self.put.iter() {
            let placed = self.placed.iter().any(|path| path == within);
            if let (false, Some(field)) = (placed, fields.as_slice().first()) {
                self.no_place(within, field.tag, "no such struct with tagged fields");
            }
        }
        match self.problem {
            Some(problem) => Err(problem),
            None => Ok(self.out),
        }
    }

    fn no_place(&mut self, within: &str, tag: u32, reason: &'static str) {
        self.problem.get_or_insert(EncodeError::UnknownTag {
            kind: self.kind,
            within: within.to_owned(),
            tag,
            reason,
        });
    }

    /// Where values go now.
    fn target(&mut self) -> &mut Vec<u8> {
        match self.frames.last_mut() {
            None => &mut self.out,
            Some(frame) => match &mut frame.target {
                Target::Plain => &mut frame.plain,
                Target::Tagged(_, bytes) | Target::Dropped(_, bytes) => bytes,
            },
        }
    }

    /// The field before is complete.
    fn close(&mut self) {
        let outermost = self.frames.len() == 1;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        match std::mem::replace(&mut frame.target, Target::Plain) {
            Target::Tagged(tag, bytes) => frame.tagged.push((tag, bytes)),
            Target::Dropped(field, bytes) if outermost => {
                self.spare = std::mem::take(&mut self.spare).with(field.name, &bytes);
            }
            Target::Plain | Target::Dropped(..) => {}
        }
    }

    /// Writes the fields before `until` that only the version to write has.
    fn fill(&mut self, until: Option<&'static Field>) {
        let outermost = self.frames.len() == 1;
        let frame = self.frames.last_mut().expect("fields stand in a struct");
        while let Some(field) = frame.shape.fields.get(frame.next) {
            if until.is_some_and(|until| std::ptr::eq(until, field)) {
                break;
            }
            frame.next += 1;
            if field.tag.is_some() || !field.is_in(self.to) {
                continue;
            }
            if let Some(bytes) = self.spare.get(field.name).filter(|_| outermost) {
                frame.plain.extend_from_slice(bytes);
            } else {
                // Zeros are a value of every type: 0, none, or nothing.
                let zeros = field.holds.least_bytes(self.to, self.encoding);
                frame.plain.resize(frame.plain.len() + zeros, 0);
            }
        }
    }

    fn put_len(&mut self, field_type: FieldType, len: usize) {
        let (encoding, out) = (self.encoding, self.target());
        match (encoding, field_type) {
            (Encoding::Flexible, _) => put_uvarint(out, len as u32 + 1),
            (Encoding::Plain, FieldType::Text) => {
                out.extend_from_slice(&(len as i16).to_be_bytes());
            }
            (Encoding::Plain, _) => out.extend_from_slice(&(len as i32).to_be_bytes()),
        }
    }

    /// The tagged fields of a struct that ends: those it has, and those to put in.
    fn tagged_fields(&mut self, path: &Path<'_>, frame: &mut Frame) {
        let within = if self.put.is_empty() {
            String::new()
        } else {
            path.within()
        };
        let put = self.put;
        let fields = put.iter().find(|(place, _)| *place == within);
        let fields: &[TaggedField] = fields.map_or(&[], |(_, fields)| fields.as_slice());
        let mut before = None;
        for field in fields {
            if frame.shape.tagged(field.tag).is_some() {
                self.no_place(&within, field.tag, "the schema has a field of this tag");
            }
            if before.is_some_and(|tag| tag >= field.tag) {
                self.no_place(&within, field.tag, "tags must ascend");
            }
            before = Some(field.tag);
            frame.tagged.push((field.tag, field.data.to_vec()));
        }
        self.placed.push(within);
        frame.tagged.sort_by_key(|(tag, _)| *tag);
        let fields = frame
            .tagged
            .iter()
            .map(|(tag, content)| (*tag, &content[..]));
        put_tagged_fields(&mut frame.plain, fields);
    }
}

impl Sink for Rewriter<'_> {
    fn begin_struct(&mut self, shape: &'static Shape) {
        self.frames.push(Frame {
            shape,
            next: 0,
            plain: Vec::new(),
            tagged: Vec::new(),
            target: Target::Plain,
        });
    }

    fn field(&mut self, field: &'static Field) {
        self.close();
        let kept = field.is_in(self.to);
        if field.tag.is_none() {
            self.fill(Some(field));
        }
        let frame = self.frames.last_mut().expect("fields stand in a struct");
        frame.next += usize::from(field.tag.is_none());
        frame.target = match field.tag {
            _ if !kept => Target::Dropped(field, Vec::new()),
            Some(tag) => Target::Tagged(tag, Vec::new()),
            None => Target::Plain,
        };
    }

    fn scalar(&mut self, field_type: FieldType, value: &Scalar<'_>) {
        match value {
            Scalar::Null => match (self.encoding, field_type) {
                (Encoding::Flexible, _) => self.target().push(0),
                (Encoding::Plain, FieldType::Text) => self.target().extend([0xff; 2]),
                (Encoding::Plain, _) => self.target().extend([0xff; 4]),
            },
            Scalar::Boolean(value) => self.target().push(u8::from(*value)),
            Scalar::Integer(value) => {
                let width = field_type.least_bytes(self.to, self.encoding);
                self.target()
                    .extend_from_slice(&value.to_be_bytes()[8 - width..]);
            }
            Scalar::Uuid(bytes) => self.target().extend_from_slice(bytes),
            Scalar::Text(text) => {
                self.put_len(field_type, text.len());
                self.target().extend_from_slice(text.as_bytes());
            }
            Scalar::Bytes(bytes) => {
                self.put_len(field_type, bytes.len());
                self.target().extend_from_slice(bytes);
            }
        }
    }

    fn begin_array(&mut self, len: usize) {
        self.put_len(ANY_ARRAY, len);
    }

    fn unknown(&mut self, path: &Path<'_>, tag: u32, data: Bytes) {
        self.taken.push(&path.within(), tag, data);
    }

    fn end_struct(&mut self, path: &Path<'_>) {
        self.close();
        self.fill(None);
        let mut frame = self.frames.pop().expect("a struct that ends has begun");
        if self.encoding == Encoding::Flexible {
            self.tagged_fields(path, &mut frame);
        }
        self.target().extend_from_slice(&frame.plain);
    }
}

/// Writes the tagged fields of a struct.
pub(crate) fn put_tagged_fields<'a>(
    out: &mut Vec<u8>,
    fields: impl ExactSizeIterator<Item = (u32, &'a [u8])>,
) {
    put_uvarint(out, fields.len() as u32);
    for (tag, content) in fields {
        put_uvarint(out, tag);
        put_uvarint(out, content.len() as u32);
        out.extend_from_slice(content);
    }
}

fn put_uvarint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
