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
/// Without `default` it is the type's own. Order is the order of Kafka's schema. A field that later versions lack is
/// `since 0 until 12`. Before the JSON name may stand `ignorable`, for a field that is left out of a version without it
/// whatever it holds (another must hold its default there, or the version cannot carry the struct); `secret`;
/// `secret_if(method)` with a method of the struct that returns its secrecy; or `beside` for a field that visitors do not
/// see.
#[doc(hidden)]
#[macro_export]
macro_rules! __message {
    ($(
        $(#[$struct_meta:meta])*
        pub struct $name:ident {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty = $($exposure:ident $(($secrecy:ident))?)? $json:literal,
                    since $since:literal $(until $until:literal)? $(, default $default:expr)? $(, tag $tag:literal)?;
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
        impl $crate::wire::Described for $name {
            const SCHEMA: &'static $crate::wire::StructSchema = &$crate::wire::StructSchema {
                name: stringify!($name),
                fields: &[$(
                    $crate::wire::FieldSchema {
                        name: $json,
                        kind: <$type as $crate::wire::Wire>::KIND,
                        since: $since,
                        until: $crate::wire::message!(@until $($until)?),
                        ignorable: $crate::wire::message!(@ignorable $($exposure)?),
                        tag: $crate::wire::message!(@tag $($tag)?),
                        exposure: $crate::wire::message!(@exposure $($exposure)?),
                        visit_default: |visitor| {
                            let default: $type =
                                $crate::wire::message!(@default $type $(, $default)?);
                            $crate::wire::Wire::visit(
                                &default,
                                $crate::wire::Layout::flexible($since),
                                visitor,
                            );
                        },
                    },
                )*],
            };

            fn min_size(layout: $crate::wire::Layout) -> usize {
                let mut schema = Self::SCHEMA.fields.iter();
                let mut size = usize::from(layout.encoding == $crate::wire::Encoding::Flexible);
                $(
                    size += $crate::wire::field_size::<$type>($crate::wire::next_field(&mut schema), layout);
                )*
                size
            }

            fn write_fields(
                &self,
                layout: $crate::wire::Layout,
                out: &mut Vec<u8>,
            ) -> Result<(), $crate::EncodeError> {
                let mut tagged = $crate::wire::TaggedWriter::new(Self::SCHEMA, &self.unknown_tagged_fields)?;
                let mut schema = Self::SCHEMA.fields.iter();
                $(
                    $crate::wire::write_field(
                        &self.$field,
                        $crate::wire::next_field(&mut schema),
                        || $crate::wire::message!(@default $type $(, $default)?),
                        layout,
                        out,
                        &mut tagged,
                    )?;
                )*
                tagged.finish(layout.encoding, out);
                Ok(())
            }

            fn read_fields(
                at: &$crate::wire::Path<'_>,
                layout: $crate::wire::Layout,
                reader: &mut $crate::wire::Reader<'_>,
            ) -> Result<Self, $crate::DecodeError> {
                let mut message = Self::default();
                let mut schema = Self::SCHEMA.fields.iter();
                $(
                    $crate::wire::read_field(
                        &mut message.$field,
                        $crate::wire::next_field(&mut schema),
                        at,
                        layout,
                        reader,
                    )?;
                )*
                let known = |tag, position, content: &mut $crate::wire::Reader<'_>| {
                    let mut schema = Self::SCHEMA.fields.iter();
                    $(
                        let field = $crate::wire::next_field(&mut schema);
                        if field.tag == Some(tag) {
                            return $crate::wire::read_tagged_field(
                                &mut message.$field,
                                field,
                                at,
                                layout,
                                position,
                                content,
                            );
                        }
                    )*
                    Ok(false)
                };
                let unknown = $crate::wire::read_tagged(at, layout.encoding, reader, known)?;
                message.unknown_tagged_fields = unknown;
                Ok(message)
            }

            fn visit_fields(
                &self,
                layout: $crate::wire::Layout,
                visitor: &mut dyn $crate::visit::Visitor,
            ) {
                visitor.begin_struct();
                let mut schema = Self::SCHEMA.fields.iter();
                $(
                    $crate::wire::visit_field(
                        &self.$field,
                        $crate::wire::next_field(&mut schema),
                        || $crate::wire::message!(@default $type $(, $default)?),
                        $crate::wire::message!(@secrecy self $($exposure $($secrecy)?)?),
                        layout,
                        visitor,
                    );
                )*
                visitor.end_struct();
            }

            fn reduce(&mut self, version: i16) -> Result<(), $crate::EncodeError> {
                let mut schema = Self::SCHEMA.fields.iter();
                $(
                    $crate::wire::reduce_field(
                        &mut self.$field,
                        $crate::wire::next_field(&mut schema),
                        || $crate::wire::message!(@default $type $(, $default)?),
                        Self::SCHEMA.name,
                        version,
                    )?;
                )*
                Ok(())
            }

            fn each_struct(
                &mut self,
                at: &$crate::wire::Path<'_>,
                layout: $crate::wire::Layout,
                each: &mut $crate::wire::EachStruct<'_>,
            ) {
                let mut schema = Self::SCHEMA.fields.iter();
                $(
                    $crate::wire::each_struct_of_field(
                        &mut self.$field,
                        $crate::wire::next_field(&mut schema),
                        at,
                        layout,
                        each,
                    );
                )*
                each(at, Self::SCHEMA, &mut self.unknown_tagged_fields);
            }
        }
    )*};

    (@default $type:ty) => { <$type>::default() };
    (@default $type:ty, $default:expr) => { $default };
    (@tag) => { None };
    (@tag $tag:literal) => { Some($tag) };
    (@until) => { i16::MAX };
    (@until $until:literal) => { $until };
    (@ignorable ignorable) => { true };
    (@ignorable $($open:ident)?) => { false };
    (@exposure) => { $crate::wire::Exposure::Public };
    (@exposure ignorable) => { $crate::wire::Exposure::Public };
    (@exposure secret) => { $crate::wire::Exposure::Secret };
    (@exposure secret_if) => { $crate::wire::Exposure::SecretSometimes };
    (@exposure beside) => { $crate::wire::Exposure::Beside };
    (@secrecy $self:ident secret) => { $crate::visit::Secrecy::Secret };
    (@secrecy $self:ident secret_if $secrecy:ident) => { $self.$secrecy() };
    (@secrecy $self:ident $($open:ident)?) => { $crate::visit::Secrecy::Public };
}

pub use __message as message;
