//! `message!`: one description of a struct, all of its codec.

/// Describes structs; for each, generates the type, its defaults, schema, reading, writing and visiting.
///
/// ```text
/// message! {
///     /// What it means.
///     pub struct TopicRecord {
///         /// What the field means.
///         name: String = "name", since 0;
///         tags: Option<Vec<i32>> = "tags", since 2, default None, tag 0;
///         password: Bytes = secret "password", since 0;
///     }
/// }
/// ```
///
/// Without `default` it is the type's own. Order is the order of Kafka's schema. Before the JSON name may stand
/// `secret`, `secret_if(method)` with a method of the struct that returns its secrecy, or `beside` for a field that
/// visitors do not see.
macro_rules! message {
    ($(
        $(#[$struct_meta:meta])*
        pub struct $name:ident {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty = $($exposure:ident $(($secrecy:ident))?)? $json:literal, since $since:literal
                    $(, default $default:expr)? $(, tag $tag:literal)?;
            )*
        }
    )*) => {$(
        $(#[$struct_meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $(
                $(#[$field_meta])*
                pub $field: $type,
            )*
            /// Tagged fields of a newer schema, kept as they are.
            pub unknown_tagged_fields: $crate::wire::TaggedFields,
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($field: $crate::wire::message!(@default $type $(, $default)?),)*
                    unknown_tagged_fields: $crate::wire::TaggedFields::new(),
                }
            }
        }

        #[allow(unused_variables, unused_mut, unused_assignments, reason = "a struct may have no fields")]
        impl $crate::wire::Message for $name {
            const SCHEMA: &'static $crate::wire::StructSchema = &$crate::wire::StructSchema {
                name: stringify!($name),
                fields: &[$(
                    $crate::wire::FieldSchema {
                        name: $json,
                        kind: <$type as $crate::wire::Wire>::KIND,
                        since: $since,
                        tag: $crate::wire::message!(@tag $($tag)?),
                        exposure: $crate::wire::message!(@exposure $($exposure)?),
                        visit_default: |visitor| {
                            let default: $type =
                                $crate::wire::message!(@default $type $(, $default)?);
                            $crate::wire::Wire::visit(&default, $since, visitor);
                        },
                    },
                )*],
            };

            const MIN_SIZE: usize = {
                let fields: &[(i16, Option<u32>, usize)] = &[$(
                    (
                        $since,
                        $crate::wire::message!(@tag $($tag)?),
                        <$type as $crate::wire::Wire>::MIN_SIZE,
                    ),
                )*];
                $crate::wire::min_size(fields)
            };

            fn write_fields(
                &self,
                version: i16,
                out: &mut Vec<u8>,
            ) -> Result<(), $crate::EncodeError> {
                let mut tagged =
                    $crate::wire::TaggedWriter::new(stringify!($name), &self.unknown_tagged_fields);
                let mut schema = Self::SCHEMA.fields.iter();
                $(
                    $crate::wire::write_field(
                        &self.$field,
                        $crate::wire::next_field(&mut schema),
                        || $crate::wire::message!(@default $type $(, $default)?),
                        version,
                        out,
                        &mut tagged,
                    )?;
                )*
                tagged.finish(out)
            }

            fn read_fields(
                version: i16,
                reader: &mut $crate::wire::Reader<'_>,
            ) -> Result<Self, $crate::DecodeError> {
                let mut message = Self::default();
                let mut schema = Self::SCHEMA.fields.iter();
                $(
                    $crate::wire::read_field(
                        &mut message.$field,
                        $crate::wire::next_field(&mut schema),
                        version,
                        reader,
                    )?;
                )*
                let unknown = $crate::wire::read_tagged(reader, |tag, position, content| {
                    let mut schema = Self::SCHEMA.fields.iter();
                    $(
                        let field = $crate::wire::next_field(&mut schema);
                        if field.tag == Some(tag) {
                            return $crate::wire::read_tagged_field(
                                &mut message.$field,
                                field,
                                version,
                                position,
                                content,
                            );
                        }
                    )*
                    Ok(false)
                })?;
                message.unknown_tagged_fields = unknown;
                Ok(message)
            }

            fn visit_fields(&self, version: i16, visitor: &mut dyn $crate::visit::Visitor) {
                visitor.begin_struct();
                let mut schema = Self::SCHEMA.fields.iter();
                $(
                    $crate::wire::visit_field(
                        &self.$field,
                        $crate::wire::next_field(&mut schema),
                        || $crate::wire::message!(@default $type $(, $default)?),
                        $crate::wire::message!(@secrecy self $($exposure $($secrecy)?)?),
                        version,
                        visitor,
                    );
                )*
                visitor.end_struct();
            }
        }
    )*};

    (@default $type:ty) => { <$type>::default() };
    (@default $type:ty, $default:expr) => { $default };
    (@tag) => { None };
    (@tag $tag:literal) => { Some($tag) };
    (@exposure) => { $crate::wire::Exposure::Public };
    (@exposure secret) => { $crate::wire::Exposure::Secret };
    (@exposure secret_if) => { $crate::wire::Exposure::SecretSometimes };
    (@exposure beside) => { $crate::wire::Exposure::Beside };
    (@secrecy $self:ident secret) => { $crate::visit::Secrecy::Secret };
    (@secrecy $self:ident secret_if $secrecy:ident) => { $self.$secrecy() };
    (@secrecy $self:ident $($open:ident)?) => { $crate::visit::Secrecy::Public };
}

pub(crate) use message;
