use std::cell::RefCell;

use records::NodeId;
use serde_json::{Map, Value};
use simulator::run::nearest;

use super::exceptions::Exception;

/// The fields that any command has. As in Kafka's driver, a command may carry a field of another command; it means nothing.
const OF_COMMANDS: [&str; 49] = [
    "api",
    "body",
    "clock",
    "cluster_id",
    "cmd",
    "controller",
    "draws",
    "drop",
    "epoch",
    "error",
    "features",
    "fence",
    "hex",
    "id",
    "incarnation",
    "keep_below",
    "levels",
    "ms",
    "name",
    "node",
    "node_props",
    "nodes",
    "noops",
    "observers",
    "offset",
    "op",
    "partitions",
    "previous_epoch",
    "props",
    "quorum",
    "records",
    "release_version",
    "replicas",
    "request",
    "resource",
    "seed",
    "set",
    "shutdown",
    "start",
    "step",
    "timeout",
    "trace",
    "type",
    "unstable",
    "until",
    "validate_only",
    "values",
    "version",
    "wipe",
];

/// The fields of one JSON object of a command. Each is read as the type that it must have; a field that nobody reads is
/// unknown, which [`Fields::all_are_known`] says.
pub(super) struct Fields<'a> {
    /// In which command, or in which part of it.
    place: String,
    object: &'a Map<String, Value>,
    read: RefCell<Vec<&'static str>>,
}

impl<'a> Fields<'a> {
    /// The fields of a command.
    pub fn of_command(command: &'a Value) -> Result<Self, Exception> {
        let fields = Self::of_object("the command", command)?;
        fields.read.borrow_mut().extend(OF_COMMANDS);
        Ok(fields)
    }

    /// The fields of something that must be an object.
    pub fn of_object(place: &str, value: &'a Value) -> Result<Self, Exception> {
        let object = value.as_object();
        let object = object.ok_or_else(|| expected(place, "an object", value))?;
        Ok(Fields::of(place.to_owned(), object))
    }

    /// The value of a field; nothing where it is not given.
    pub fn get(&self, name: &'static str) -> Option<&'a Value> {
        self.read.borrow_mut().push(name);
        self.object.get(name)
    }

    fn read<T>(
        &self,
        name: &'static str,
        type_name: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Exception> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match read(value) {
            Some(value) => Ok(Some(value)),
            None => Err(expected(
                &format!("field `{name}` of {}", self.place),
                type_name,
                value,
            )),
        }
    }

    /// An integer of 64 bits.
    pub fn integer(&self, name: &'static str) -> Result<Option<i64>, Exception> {
        self.read(name, "an integer", Value::as_i64)
    }

    /// An integer that fits into a smaller type.
    pub fn number<T: TryFrom<i64>>(&self, name: &'static str) -> Result<Option<T>, Exception> {
        let bits = 8 * size_of::<T>();
        self.read(name, &format!("an integer of {bits} bits"), |value| {
            T::try_from(value.as_i64()?).ok()
        })
    }

    /// A field without which Kafka's driver meets null.
    pub fn needed<T>(value: Result<Option<T>, Exception>) -> Result<T, Exception> {
        value?.ok_or(Exception::NullPointer)
    }

    /// A node; where none is named, one that does not exist.
    pub fn node(&self) -> Result<NodeId, Exception> {
        Ok(NodeId(self.number("node")?.unwrap_or(-1)))
    }

    /// True or false.
    pub fn flag(&self, name: &'static str) -> Result<Option<bool>, Exception> {
        self.read(name, "true or false", Value::as_bool)
    }

    /// The string under `name`; `None` where the field is absent.
    pub fn text(&self, name: &'static str) -> Result<Option<&'a str>, Exception> {
        self.read(name, "a string", Value::as_str)
    }

    /// One of several words.
    pub fn word<T: Copy>(
        &self,
        name: &'static str,
        words: &[(&'static str, T)],
    ) -> Result<Option<T>, Exception> {
        let Some(given) = self.text(name)? else {
            return Ok(None);
        };
        if let Some((_, meant)) = words.iter().find(|(word, _)| *word == given) {
            return Ok(Some(*meant));
        }
        let hint = hint(given, words.iter().map(|(word, _)| *word));
        Err(Exception::malformed(format!(
            "field `{name}` of {}: unknown word `{given}`{hint}",
            self.place
        )))
    }

    /// A list; nothing in it where it is not given.
    pub fn list<T>(
        &self,
        name: &'static str,
        type_name: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<Vec<T>>, Exception> {
        self.read(name, &format!("a list of {type_name}"), |value| {
            value.as_array()?.iter().map(read).collect()
        })
    }

    /// A list of integers of 32 bits.
    pub fn integers(&self, name: &'static str) -> Result<Option<Vec<i32>>, Exception> {
        self.list(name, "integers of 32 bits", |value| {
            i32::try_from(value.as_i64()?).ok()
        })
    }

    /// The entries of an object, in its own order.
    pub fn entries(&self, name: &'static str) -> Result<Option<&'a Map<String, Value>>, Exception> {
        self.read(name, "an object", Value::as_object)
    }

    /// The fields of an object within this one.
    pub fn inside(&self, name: &'static str) -> Result<Option<Fields<'a>>, Exception> {
        let place = format!("`{name}` of {}", self.place);
        Ok(self.entries(name)?.map(|object| Fields::of(place, object)))
    }

    /// The fields of each object in a list.
    pub fn each_inside(&self, name: &'static str) -> Result<Vec<Fields<'a>>, Exception> {
        let objects = self.list(name, "objects", Value::as_object)?;
        let place = |at: usize| format!("`{name}[{at}]` of {}", self.place);
        let objects = objects.into_iter().flatten().enumerate();
        Ok(objects
            .map(|(at, object)| Fields::of(place(at), object))
            .collect())
    }

    fn of(place: String, object: &'a Map<String, Value>) -> Self {
        Fields {
            place,
            object,
            read: RefCell::default(),
        }
    }

    /// Every field has been read, so that none is unknown.
    pub fn all_are_known(&self) -> Result<(), Exception> {
        let read = self.read.borrow();
        let mut names = self.object.keys();
        let Some(unknown) = names.find(|name| !read.contains(&name.as_str())) else {
            return Ok(());
        };
        let hint = hint(unknown, read.iter().copied());
        Err(Exception::malformed(format!(
            "{} has no field `{unknown}`{hint}",
            self.place
        )))
    }
}

/// The nearest known word, as the end of a sentence.
pub(super) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Says what was found in the place of something else.
pub(super) fn expected(place: &str, type_name: &str, found: &Value) -> Exception {
    const SHOWN: usize = 60;
    let text = found.to_string();
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    Exception::malformed(format!(
        "{place}: expected {type_name}, found {shown}{more}"
    ))
}
