//! Kafka's encodings, and [`message!`](crate::wire::message), the macro that turns one description of a message into its codec.
//!
//! * `reader` takes values off a slice and checks every length against what is left first.
//! * `wire_type` says how each Rust type stands in the bytes.
//! * `writer` writes lengths.
//! * `field` says whether a field of a struct is there, and where.
//! * `layout` says which form a version has, and where in a message a value stands.
//! * `schema` is the description as data, for tests and tables.
//! * `tagged_fields` keeps what this version of the house does not know.
//! * `message` is the macro.
//!
//! What Kafka accepts is accepted: any non-zero byte is true, varints may be longer than needed, tagged fields come in
//! any order and the last of two wins, and a version beyond the newest known one reads like the newest. Two things
//! are errors here that Kafka lets pass: text that is not UTF-8 (it puts replacement characters), and a tagged field
//! whose content is shorter or longer than its size says (it goes on where the content ended).

mod field;
mod layout;
mod message;
mod reader;
mod schema;
mod tagged_fields;
mod wire_type;
mod writer;

pub use field::{
    each_struct_of_field, field_size, next_field, read_field, read_tagged_field, reduce_field,
    visit_field, write_field,
};
pub use layout::{Encoding, Layout, Path};
#[doc(inline)]
pub use message::message;
pub use reader::Reader;
pub use schema::{Exposure, FieldKind, FieldSchema, StructSchema};
pub use tagged_fields::{TaggedField, TaggedFields, TaggedWriter, read_tagged, write_tagged};
pub use wire_type::{Described, EachStruct, Element, NullableWire, Wire};
pub(crate) use writer::write_uvarint;
