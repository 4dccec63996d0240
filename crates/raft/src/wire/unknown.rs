use bytes::Bytes;
use records::TaggedFields;

/// Tagged fields of a message that its schema does not know, by the struct they stand in. Almost always none.
///
/// Our own messages have no place for them; a caller that passes a message on keeps them beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownTaggedFields(Vec<(String, TaggedFields)>);

impl UnknownTaggedFields {
    pub fn none() -> Self {
        UnknownTaggedFields::default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Struct by struct: its path below the message (`topics[0].partitions[0]`; empty for the message itself) and its
    /// unknown tagged fields in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &TaggedFields)> {
        self.0.iter().map(|(within, fields)| (&within[..], fields))
    }

    /// Adds a field to a struct; writing needs tags in ascending order, none of them known to the schema.
    pub fn push(&mut self, within: &str, tag: u32, data: Bytes) {
        let place = self.0.iter().position(|(path, _)| path == within);
        let place = place.unwrap_or_else(|| {
            self.0.push((within.to_owned(), TaggedFields::new()));
            self.0.len() - 1
        });
        self.0[place].1.push(tag, data);
    }

    /// Adds the fields of a struct that has none yet.
    pub(super) fn insert(&mut self, within: String, fields: TaggedFields) {
        self.0.push((within, fields));
    }
}
