use std::fmt;

use simulator::drive::CommandRefusal;

/// Why a command was not carried out: the class of the exception that Kafka's driver meets, and our words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Exception {
    /// Something that the command must have is not there.
    NullPointer,
    /// It is no command of the form that `drive` takes; what Kafka's driver makes of it is an accident of its JSON reader.
    Malformed(String),
    /// Any other class.
    Other {
        /// The full name of the class.
        class: &'static str,
        text: String,
    },
}

impl Exception {
    pub(super) fn new(class: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Exception::Other { class, text }
    }

    pub(super) fn illegal_argument(text: impl Into<String>) -> Self {
        Self::new("java.lang.IllegalArgumentException", text)
    }

    pub(super) fn malformed(text: impl Into<String>) -> Self {
        Exception::Malformed(text.into())
    }

    /// Whether Kafka's driver would take it for something, by accident.
    pub(super) fn is_malformed(&self) -> bool {
        matches!(self, Exception::Malformed(_))
    }

    pub(super) fn runtime(text: impl Into<String>) -> Self {
        Self::new("java.lang.RuntimeException", text)
    }

    pub(super) fn number_format(field: &str) -> Self {
        Self::new(
            "java.lang.NumberFormatException",
            format!("{field}: expected an integer"),
        )
    }

    pub(super) fn of(refusal: &CommandRefusal) -> Self {
        Self::new(refusal.exception(), refusal.to_string())
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exception::NullPointer => {
                f.write_str("java.lang.NullPointerException: something is missing in the command")
            }
            Exception::Malformed(text) => write!(f, "not a command: {text}"),
            Exception::Other { class, text } => write!(f, "{class}: {text}"),
        }
    }
}
