//! [`Visitor`]: a record as a stream of named fields, to print, hash or compare it.

use crate::Uuid;

/// Whether a field may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Secrecy {
    /// Anyone may read it.
    #[default]
    Public,
    /// Credentials, or a configuration value that may be one: a report shows `(redacted)`.
    Secret,
}

/// Receives the fields of a record, in the order in which they are declared, with Kafka's JSON names.
///
/// A struct is `begin_struct`, then for each of its fields `field` and one value, then `end_struct`. An array is
/// `begin_array`, its values, `end_array`. Fields that the visited version does not have, and tagged fields equal to
/// their default, are left out, as Kafka leaves them out of JSON; unknown tagged fields are not visited.
pub trait Visitor {
    /// A struct begins; a record itself is one.
    fn begin_struct(&mut self);
    fn end_struct(&mut self);
    /// The next value belongs to the field of this name.
    fn field(&mut self, name: &'static str, secrecy: Secrecy);
    /// An array of `len` values begins.
    fn begin_array(&mut self, len: usize);
    fn end_array(&mut self);
    /// A nullable value that is null.
    fn null(&mut self);
    /// A truth value.
    fn boolean(&mut self, value: bool);
    /// An integer of any width.
    fn integer(&mut self, value: i64);
    /// A floating point number.
    fn float(&mut self, value: f64);
    fn string(&mut self, value: &str);
    /// Bytes (base64 in Kafka's JSON).
    fn bytes(&mut self, value: &[u8]);
    /// An id (its text form in Kafka's JSON).
    fn uuid(&mut self, value: Uuid);
}
