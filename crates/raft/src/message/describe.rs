//! `rpc!` and `response!`: the description of a message, its form, and the way between the two, at once.

/// Describes a message whose fields are those of its form; `as` names another type that a field has there. Fields after a
/// `-` stand in the form only: raft leaves them alone.
///
/// With a part `topics`, the fields in it stand in the only partition of the only topic; the part names the structs of
/// topic and partition, and what the schema calls the topic's name and the partition's index.
macro_rules! rpc {
    (
        $(#[$meta:meta])*
        pub struct $name:ident in $form:ident {
            $(- $left:ident: $left_type:ty = $left_json:literal;)*
            $($(#[$doc:meta])* $field:ident: $type:ty $(as $as:ty)? = $($ignorable:ident)? $json:literal,
                since $since:literal $(, default $default:expr)? $(, tag $tag:literal)?;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        ::records::wire::message! {
            $(#[$meta])*
            pub struct $form {
                $(/// Left at its default.
                $left: $left_type = $left_json, since 0;)*
                $($(#[$doc])* $field: $crate::message::describe::rpc!(@form $type $(, $as)?) = $($ignorable)? $json,
                    since $since $(, default $default)? $(, tag $tag)?;)*
            }
        }

        impl $crate::message::rpc::Rpc for $name {
            type Form = $form;

            fn to_form(&self, _: i16) -> $form {
                $form {
                    $($field: $crate::message::rpc::Formed::to_field(&self.$field),)*
                    ..$form::default()
                }
            }

            fn of_form(form: $form, _: i16) -> Result<Self, $crate::message::rpc::Content> {
                Ok($name {
                    $($field: $crate::message::rpc::Formed::of_field(form.$field),)*
                })
            }
        }
    };

    (
        $(#[$meta:meta])*
        pub struct $name:ident in $form:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty $(as $as:ty)? = $($ignorable:ident)? $json:literal,
                since $since:literal $(, default $default:expr)? $(, tag $tag:literal)?;)*
            + topics: $topic:ident $topic_name:literal, $partition:ident $index:literal {
                $($(#[$in_doc:meta])* $in_field:ident: $in_type:ty $(as $in_as:ty)? = $($in_ignorable:ident)? $in_json:literal,
                    since $in_since:literal $(, default $in_default:expr)? $(, tag $in_tag:literal)?;)*
            }
            $($(#[$last_doc:meta])* $last:ident: $last_type:ty $(as $last_as:ty)? = $($last_ignorable:ident)? $last_json:literal,
                since $last_since:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
            $($(#[$in_doc])* pub $in_field: $in_type,)*
            $($(#[$last_doc])* pub $last: $last_type,)*
        }

        ::records::wire::message! {
            $(#[$meta])*
            pub struct $form {
                $($(#[$doc])* $field: $crate::message::describe::rpc!(@form $type $(, $as)?) = $($ignorable)? $json,
                    since $since $(, default $default)? $(, tag $tag)?;)*
                /// The metadata log.
                topics: Vec<$topic> = "topics", since 0;
                $($(#[$last_doc])* $last: $crate::message::describe::rpc!(@form $last_type $(, $last_as)?) = $($last_ignorable)? $last_json,
                    since $last_since;)*
            }

            /// The metadata log.
            pub struct $topic {
                /// `__cluster_metadata`.
                name: std::sync::Arc<str> = $topic_name, since 0;
                /// Its only partition.
                partitions: Vec<$partition> = "partitions", since 0;
            }

            /// The partition of the metadata log.
            pub struct $partition {
                /// 0.
                index: i32 = $index, since 0;
                $($(#[$in_doc])* $in_field: $crate::message::describe::rpc!(@form $in_type $(, $in_as)?) = $($in_ignorable)? $in_json,
                    since $in_since $(, default $in_default)? $(, tag $in_tag)?;)*
            }
        }

        impl $crate::message::rpc::Rpc for $name {
            type Form = $form;

            fn to_form(&self, _: i16) -> $form {
                let partition = $partition {
                    index: $crate::message::rpc::METADATA_PARTITION,
                    $($in_field: $crate::message::rpc::Formed::to_field(&self.$in_field),)*
                    ..$partition::default()
                };
                let topic = $topic {
                    name: $crate::message::rpc::metadata_topic(),
                    partitions: vec![partition],
                    ..$topic::default()
                };
                $form {
                    $($field: $crate::message::rpc::Formed::to_field(&self.$field),)*
                    topics: vec![topic],
                    $($last: $crate::message::rpc::Formed::to_field(&self.$last),)*
                    ..$form::default()
                }
            }

            fn of_form(form: $form, _: i16) -> Result<Self, $crate::message::rpc::Content> {
                use $crate::message::rpc::{check_partition, check_topic, only};
                let topic = only(form.topics, "topics")?;
                check_topic(&topic.name, concat!("topics[0].", $topic_name))?;
                let partition = only(topic.partitions, "topics[0].partitions")?;
                check_partition(partition.index, concat!("topics[0].partitions[0].", $index))?;
                Ok($name {
                    $($field: $crate::message::rpc::Formed::of_field(form.$field),)*
                    $($in_field: $crate::message::rpc::Formed::of_field(partition.$in_field),)*
                    $($last: $crate::message::rpc::Formed::of_field(form.$last),)*
                })
            }
        }
    };

    (@form $type:ty) => { $type };
    (@form $type:ty, $as:ty) => { $as };
}

/// Describes a response about the partition: a top level error, the partition where there is none, and the leader's
/// endpoint from version 1 on.
macro_rules! response {
    (
        $(#[$meta:meta])*
        pub struct $name:ident in $form:ident, $topic:ident;

        $(#[$part_meta:meta])*
        pub struct $part:ident in $partition:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty = $json:literal, since $since:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            /// Top level error.
            pub error_code: Errors,
            /// Absent with a top level error.
            pub partition: Option<$part>,
            /// The leader's endpoint, where one is known (v1+).
            pub node_endpoint: Option<$crate::message::node::NodeEndpoint>,
        }

        $(#[$part_meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $part {
            $($(#[$doc])* pub $field: $type,)*
        }

        ::records::wire::message! {
            $(#[$meta])*
            pub struct $form {
                /// Top level error.
                error_code: Errors = "errorCode", since 0;
                /// The metadata log, or none.
                topics: Vec<$topic> = "topics", since 0;
                /// The leader's endpoint, or none.
                node_endpoints: Vec<$crate::message::rpc::NodeEndpointForm> = "nodeEndpoints", since 1, tag 0;
            }

            /// The metadata log.
            pub struct $topic {
                /// `__cluster_metadata`.
                name: std::sync::Arc<str> = "topicName", since 0;
                /// Its only partition.
                partitions: Vec<$partition> = "partitions", since 0;
            }

            $(#[$part_meta])*
            pub struct $partition {
                /// 0.
                index: i32 = "partitionIndex", since 0;
                $($(#[$doc])* $field: $type = $json, since $since;)*
            }
        }

        impl $crate::message::rpc::Rpc for $name {
            type Form = $form;

            fn to_form(&self, version: i16) -> $form {
                let endpoint = self.node_endpoint.as_ref();
                let topic = |part: &$part| $topic {
                    name: $crate::message::rpc::metadata_topic(),
                    partitions: vec![$partition {
                        index: $crate::message::rpc::METADATA_PARTITION,
                        $($field: part.$field,)*
                        ..$partition::default()
                    }],
                    ..$topic::default()
                };
                $form {
                    error_code: self.error_code,
                    topics: self.partition.iter().map(topic).collect(),
                    node_endpoints: $crate::message::rpc::NodeEndpointForm::list(endpoint, 1, version),
                    ..$form::default()
                }
            }

            fn of_form(form: $form, _: i16) -> Result<Self, $crate::message::rpc::Content> {
                use $crate::message::rpc::{at_most_one, check_partition, check_topic, node_endpoint, only};
                let mut partition = None;
                if let Some(topic) = at_most_one(form.topics, "topics")? {
                    check_topic(&topic.name, "topics[0].topicName")?;
                    let read = only(topic.partitions, "topics[0].partitions")?;
                    check_partition(read.index, "topics[0].partitions[0].partitionIndex")?;
                    partition = Some($part { $($field: read.$field,)* });
                }
                let leader_id = partition.map(|partition| partition.leader_id);
                Ok($name {
                    error_code: form.error_code,
                    partition,
                    node_endpoint: node_endpoint(leader_id, form.node_endpoints),
                })
            }
        }
    };
}

pub(super) use {response, rpc};
