//! Kafka's flexible encoding, and the macro that turns one description of a message into its codec.
//!
//! * `reader` takes values off a slice and checks every length against what is left first.
//! * `wire_type` says how each Rust type stands in the bytes.
//! * `field` says whether a field of a struct is there, and where.
//! * `schema` is the description as data, for tests and tables.
//! * `tagged_fields` keeps what this version of the house does not know.
//! * `message` is the macro.
//!
//! What Kafka accepts is accepted: any non-zero byte is true, varints may be longer than needed, tagged fields come in
//! any order and the last of two wins, and a version beyond the newest known one reads like the newest. Two things
//! are errors here that Kafka lets pass: text that is not UTF-8 (it puts replacement characters), and a tagged field
//! whose content is shorter or longer than its size says (it goes on where the content ended).

mod field;
mod message;
mod reader;
mod schema;
mod tagged_fields;
mod wire_type;

pub(crate) use field::{
    min_size, next_field, read_field, read_tagged_field, visit_field, write_field,
};
pub(crate) use message::message;
pub(crate) use reader::Reader;
pub use schema::{Exposure, FieldKind, FieldSchema, StructSchema};
pub use tagged_fields::{TagProblem, TaggedField, TaggedFields};
pub(crate) use tagged_fields::{TaggedWriter, read_tagged};
pub(crate) use wire_type::{Message, Wire, write_uvarint};
