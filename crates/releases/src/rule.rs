//! What a rule is made of: a field, the behaviours that exist for it, and which one each rule set has.

/// One behaviour that exists for a rule, as `kraftsim explain` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// Name of the enum's variant.
    pub name: &'static str,
    /// The behaviour in plain words.
    pub sentence: &'static str,
}

/// An enum of behaviours, made by the macro `behaviours!`.
pub trait Behaviours: Copy + 'static {
    /// All behaviours in order of declaration.
    const ALL: &'static [Behaviour];
    /// Which of [`Self::ALL`] this is.
    fn behaviour(self) -> &'static Behaviour;
}

/// One rule of one rule set, ready to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleRow {
    /// The room of the house that follows the rule: `controller`.
    pub room: &'static str,
    /// The field's name: `empty_log_test`.
    pub name: &'static str,
    /// What the rule decides, in plain words.
    pub question: &'static str,
    /// Where in Kafka's sources this is to be seen.
    pub source: &'static str,
    /// The behaviour in force.
    pub behaviour: &'static Behaviour,
    /// The behaviours that exist.
    pub behaviours: &'static [Behaviour],
}

/// Declares an enum of behaviours; the doc comment of a variant is its plain-words sentence.
macro_rules! behaviours {
    ($(
        $(#[doc = $question:literal])+
        $name:ident { $( $(#[doc = $sentence:literal])+ $variant:ident, )+ }
    )+) => { $(
        $(#[doc = $question])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $( $(#[doc = $sentence])+ $variant, )+ }

        impl $crate::rule::Behaviours for $name {
            const ALL: &'static [$crate::rule::Behaviour] = &[ $(
                $crate::rule::Behaviour {
                    name: stringify!($variant),
                    sentence: concat!($($sentence),+).trim_ascii(),
                },
            )+ ];
            fn behaviour(self) -> &'static $crate::rule::Behaviour {
                &Self::ALL[self as usize]
            }
        }
    )+ };
}

/// Declares the rules of one room: per field its question, its enum, the behaviour of each rule set in the order of
/// [`RuleSet::ALL`](crate::RuleSet::ALL) (3.9, 4.0, 4.1, 4.2, 4.3, 4.4, kip-1170), and the source.
macro_rules! room {
    (
        $(#[doc = $about:literal])+
        $name:ident, $room:literal {
            $(
                $(#[doc = $question:literal])+
                $field:ident: $kind:ident =
                    [$v3_9:ident, $v4_0:ident, $v4_1:ident, $v4_2:ident, $v4_3:ident, $v4_4:ident, $kip:ident],
                    $source:literal;
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name { $( $(#[doc = $question])+ pub $field: $kind, )+ }

        impl $name {
            /// The rules of this room in a rule set, without any quirk.
            pub(crate) fn of(rule_set: $crate::RuleSet) -> Self {
                let column = rule_set as usize;
                $name { $(
                    $field: [$kind::$v3_9, $kind::$v4_0, $kind::$v4_1, $kind::$v4_2, $kind::$v4_3,
                        $kind::$v4_4, $kind::$kip][column],
                )+ }
            }

            /// The rules of this room, ready to be shown.
            pub fn rows(&self) -> Vec<$crate::RuleRow> {
                use $crate::rule::Behaviours as _;
                vec![ $(
                    $crate::RuleRow {
                        room: $room,
                        name: stringify!($field),
                        question: concat!($($question),+).trim_ascii(),
                        source: $source,
                        behaviour: self.$field.behaviour(),
                        behaviours: <$kind as $crate::rule::Behaviours>::ALL,
                    },
                )+ ]
            }
        }
    };
}

pub(crate) use {behaviours, room};
