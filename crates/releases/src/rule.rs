//! What a rule is made of: a field, the behaviours that exist for it, and since when each is in force.

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

/// What holds at `release`: that of the last change up to it, else the oldest. Changes are in ascending order.
pub(crate) fn in_force<R: Copy + PartialOrd, T: Copy>(
    release: R,
    oldest: T,
    changes: &[(R, T)],
) -> T {
    let made = changes.iter().rev().find(|(since, _)| *since <= release);
    made.map_or(oldest, |(_, holds)| *holds)
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

/// Declares the rules of one room: per field its question, its enum, the behaviour of the oldest rule set, the later
/// rule sets (in the order of [`RuleSet::ALL`](crate::RuleSet::ALL)) since which another behaviour holds, and the source.
macro_rules! room {
    (
        $(#[doc = $about:literal])+
        $name:ident, $room:literal {
            $(
                $(#[doc = $question:literal])+
                $field:ident: $kind:ident = $oldest:ident $(, since $since:ident $newer:ident)*;
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
                $name { $(
                    $field: $crate::rule::in_force(
                        rule_set,
                        $kind::$oldest,
                        &[$(($crate::RuleSet::$since, $kind::$newer)),*],
                    ),
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

#[cfg(test)]
mod tests {
    use super::in_force;
    use crate::RuleSet;

    #[test]
    fn the_last_change_up_to_a_rule_set_is_in_force() {
        let changes = [(RuleSet::V4_0, 'b'), (RuleSet::V4_4, 'c')];
        let found: String = RuleSet::ALL
            .iter()
            .map(|rule_set| in_force(*rule_set, 'a', &changes))
            .collect();
        assert_eq!(found, "abbbbcc");
    }
}
