use std::fmt::Write as _;

use records::Uuid;
use records::visit::{Secrecy, Visitor};

/// A record's fields as `{name: value, …}`.
#[derive(Default)]
pub struct OneLine {
    text: String,
    /// The value to come is the first of its struct or array, so that no comma goes before it.
    first: Position,
    secrecy: Secrecy,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Position {
    #[default]
    First,
    Later,
    AfterName,
}

impl OneLine {
    /// What was visited so far, on one line; secrets are hidden unless they were asked for.
    pub fn finish(self) -> String {
        self.text
    }

    fn separate(&mut self) {
        if self.first == Position::Later {
            self.text.push_str(", ");
        }
        self.first = Position::Later;
    }

    fn value(&mut self, value: &dyn std::fmt::Display) {
        self.separate();
        let written = match self.secrecy {
            Secrecy::Public => write!(self.text, "{value}"),
            Secrecy::Secret => write!(self.text, "(redacted)"),
        };
        written.expect("text takes any writing");
    }

    fn open(&mut self, bracket: char) {
        self.separate();
        self.text.push(bracket);
        self.first = Position::First;
    }

    fn close(&mut self, bracket: char) {
        self.text.push(bracket);
        self.first = Position::Later;
    }
}

impl Visitor for OneLine {
    fn begin_struct(&mut self) {
        self.open('{');
    }

    fn end_struct(&mut self) {
        self.close('}');
    }

    fn field(&mut self, name: &'static str, secrecy: Secrecy) {
        self.separate();
        self.text.push_str(name);
        self.text.push_str(": ");
        self.first = Position::AfterName;
        self.secrecy = secrecy;
    }

    fn begin_array(&mut self, _len: usize) {
        self.open('[');
    }

    fn end_array(&mut self) {
        self.close(']');
    }

    fn null(&mut self) {
        self.separate();
        self.text.push_str("null");
    }

    fn boolean(&mut self, value: bool) {
        self.value(&value);
    }

    fn integer(&mut self, value: i64) {
        self.value(&value);
    }

    fn float(&mut self, value: f64) {
        self.value(&value);
    }

    fn string(&mut self, value: &str) {
        self.value(&value);
    }

    fn bytes(&mut self, value: &[u8]) {
        self.value(&format_args!("{} bytes", value.len()));
    }

    fn uuid(&mut self, value: Uuid) {
        self.value(&value);
    }
}
