//! The options of `kafka-storage format`, taken as the tool's own parser takes them (argparse4j 0.7.0, in every release
//! simulated): abbreviated, joined, repeated, out of files, and with values that must not look like options.
//!
//! What is taken is handed to clap in one form, beside the options that only kraftsim has.

use std::collections::VecDeque;

use crate::config_file::read_named;

/// An option that Kafka's storage tool knows.
struct ToolOption {
    long: &'static str,
    short: char,
    value: Value,
    /// Whether it excludes the others of which this is said.
    first_voters: bool,
}

/// Whether an option has a value, and what a second one does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    Last,
    All,
}

const OPTIONS: [ToolOption; 9] = [
    option("--config", 'c', Value::Last),
    option("--cluster-id", 't', Value::Last),
    option("--add-scram", 'S', Value::All),
    option("--ignore-formatted", 'g', Value::None),
    option("--release-version", 'r', Value::Last),
    option("--feature", 'f', Value::All),
    first_voters("--standalone", 's', Value::None),
    first_voters("--no-initial-controllers", 'N', Value::None),
    first_voters("--initial-controllers", 'I', Value::Last),
];

const fn option(long: &'static str, short: char, value: Value) -> ToolOption {
    ToolOption {
        long,
        short,
        value,
        first_voters: false,
    }
}

const fn first_voters(long: &'static str, short: char, value: Value) -> ToolOption {
    ToolOption {
        first_voters: true,
        ..option(long, short, value)
    }
}

/// Options of kraftsim alone that have a value, and those that have none.
const OWN: [&str; 5] = [
    "--kafka",
    "--with",
    "--without",
    "--directory-id",
    "--timestamp-ms",
];
const OWN_FLAGS: [&str; 1] = ["--json"];

/// More bytes of argument files, together, are not read: a file can name itself.
const MOST_BYTES: usize = 1 << 20;

/// The arguments behind `format`, in the form that clap is to read; an error is the tool's.
pub fn canonical(arguments: Vec<String>) -> Result<Vec<String>, String> {
    let (own, tools) = split(arguments);
    let mut parser = Parser {
        left: tools.into(),
        ..Parser::default()
    };
    while !parser.left.is_empty() && !parser.wants_help {
        parser.step()?;
    }
    if parser.wants_help {
        return Ok(vec!["--help".to_owned()]);
    }
    for required in ["--config", "--cluster-id"] {
        if !parser
            .taken
            .iter()
            .any(|(option, _)| option.long == required)
        {
            return Err(format!("argument {required} is required"));
        }
    }
    let taken = parser.taken.into_iter().map(|(option, value)| match value {
        Some(value) => format!("{}={value}", option.long),
        None => option.long.to_owned(),
    });
    Ok(own.into_iter().chain(taken).collect())
}

/// Kraftsim's own options, and the rest.
fn split(arguments: Vec<String>) -> (Vec<String>, Vec<String>) {
    let (mut own, mut tools) = (Vec::new(), Vec::new());
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let name = argument.split_once('=').map(|(name, _)| name.to_owned());
        if OWN_FLAGS.contains(&argument.as_str()) || name.is_some_and(|name| OWN.contains(&&*name))
        {
            own.push(argument);
        } else if OWN.contains(&argument.as_str()) {
            own.push(argument);
            own.extend(arguments.next());
        } else {
            tools.push(argument);
        }
    }
    (own, tools)
}

#[derive(Default)]
struct Parser {
    left: VecDeque<String>,
    taken: Vec<(&'static ToolOption, Option<String>)>,
    bytes: usize,
    after_separator: bool,
    wants_help: bool,
}

impl Parser {
    fn step(&mut self) -> Result<(), String> {
        if !self.is_option_next()? {
            let rest: Vec<String> = self.left.drain(..).collect();
            return if rest.is_empty() {
                Ok(())
            } else {
                Err(format!("unrecognized arguments: {}", rest.join(" ")))
            };
        }
        let term = self.left.pop_front().expect("an option is next");
        if term == "--" {
            self.after_separator = true;
            return Ok(());
        }
        let (flag, embedded) = match term.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_owned())),
            None => (term.as_str(), None),
        };
        match resolve(flag)? {
            Resolved::Help => self.wants_help = true,
            Resolved::Option(option) => self.take(option, embedded)?,
            Resolved::Unknown => self.take_joined(&term)?,
        }
        Ok(())
    }

    /// Short options in one word, of which the last may have its value behind it.
    fn take_joined(&mut self, term: &str) -> Result<(), String> {
        let unknown = || Err(format!("unrecognized arguments: {term}"));
        let letters = term
            .strip_prefix('-')
            .filter(|letters| !letters.starts_with('-'));
        let Some(letters) = letters else {
            return unknown();
        };
        for (at, letter) in letters.char_indices() {
            if letter == 'h' {
                self.wants_help = true;
                return Ok(());
            }
            let Some(option) = OPTIONS.iter().find(|option| option.short == letter) else {
                return unknown();
            };
            if option.value == Value::None {
                self.take(option, None)?;
                continue;
            }
            let rest = &letters[at + letter.len_utf8()..];
            return self.take(option, (!rest.is_empty()).then(|| rest.to_owned()));
        }
        Ok(())
    }

    fn take(
        &mut self,
        option: &'static ToolOption,
        embedded: Option<String>,
    ) -> Result<(), String> {
        let earlier = self.taken.iter().find(|(other, _)| other.first_voters);
        if let Some((other, _)) = earlier.filter(|_| option.first_voters)
            && other.long != option.long
        {
            return Err(format!(
                "argument {}: not allowed with argument {}",
                option.long, other.long
            ));
        }
        let value =
            match (option.value, embedded) {
                (Value::None, None) => None,
                (Value::None, Some(value)) => {
                    return Err(format!(
                        "argument {}: ignore implicit argument '{value}'",
                        option.long
                    ));
                }
                (Value::Last | Value::All, Some(value)) => Some(value),
                (Value::Last | Value::All, None) => {
                    let has_value = !self.left.is_empty() && !self.is_option_next()?;
                    let value = self.left.pop_front().filter(|_| has_value);
                    Some(value.ok_or_else(|| {
                        format!("argument {}: expected one argument", option.long)
                    })?)
                }
            };
        if option.value != Value::All {
            self.taken.retain(|(other, _)| other.long != option.long);
        }
        self.taken.push((option, value));
        Ok(())
    }

    /// Whether the next argument is an option; a file of arguments is put in its place before.
    fn is_option_next(&mut self) -> Result<bool, String> {
        while let Some(file) = self.left.front().and_then(|next| next.strip_prefix('@')) {
            let file = file.trim_start_matches('@').to_owned();
            if file.is_empty() {
                break;
            }
            let content = read_named(&file);
            self.bytes += content.as_ref().map_or(0, Vec::len);
            let content = content.filter(|_| self.bytes <= MOST_BYTES);
            let content =
                content.ok_or_else(|| format!("Could not read arguments from file '{file}'"))?;
            self.left.pop_front();
            let content = String::from_utf8_lossy(&content)
                .replace("\r\n", "\n")
                .replace('\r', "\n");
            for line in content.lines().rev() {
                self.left.push_front(line.to_owned());
            }
            if self.left.is_empty() {
                return Err(format!(
                    "the arguments in file '{file}' are none, and nothing follows them"
                ));
            }
        }
        let Some(next) = self.left.front() else {
            return Ok(false);
        };
        let is_option = next == "--" || (next.starts_with('-') && next.bytes().any(|b| b != b'-'));
        Ok(!self.after_separator && is_option && !is_negative_number(next))
    }
}

enum Resolved {
    Option(&'static ToolOption),
    Help,
    Unknown,
}

/// The option of that name, or the only one that begins so.
fn resolve(flag: &str) -> Result<Resolved, String> {
    let names =
        |option: &'static ToolOption| [option.long.to_owned(), format!("-{}", option.short)];
    if ["--help", "-h"].contains(&flag) {
        return Ok(Resolved::Help);
    }
    if let Some(option) = OPTIONS
        .iter()
        .find(|option| names(option).iter().any(|name| name == flag))
    {
        return Ok(Resolved::Option(option));
    }
    let mut found = Vec::new();
    for option in &OPTIONS {
        let matching = names(option)
            .into_iter()
            .filter(|name| name.starts_with(flag));
        found.extend(matching.map(|name| (name, Resolved::Option(option))));
    }
    let help = ["--help", "-h"]
        .into_iter()
        .filter(|name| name.starts_with(flag));
    found.extend(help.map(|name| (name.to_owned(), Resolved::Help)));
    match found.len() {
        0 => Ok(Resolved::Unknown),
        1 => Ok(found.remove(0).1),
        _ => {
            let names: Vec<String> = found.into_iter().map(|(name, _)| name).collect();
            Err(format!(
                "ambiguous option: {flag} could match {}",
                names.join(", ")
            ))
        }
    }
}

fn is_negative_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::canonical;

    fn taken(arguments: &str) -> Result<String, String> {
        let arguments = arguments.split(' ').map(str::to_owned).collect();
        canonical(arguments).map(|taken| taken.join(" "))
    }

    #[test]
    fn options_are_taken_as_the_tool_takes_them() {
        for (given, expected) in [
            ("-c f -t x", "--config=f --cluster-id=x"),
            ("--con f --cl=x", "--config=f --cluster-id=x"),
            ("-c f -t x -t y", "--config=f --cluster-id=y"),
            (
                "-cf -tx -gs",
                "--config=f --cluster-id=x --ignore-formatted --standalone",
            ),
            ("-c=f -t=-abc", "--config=f --cluster-id=-abc"),
            (
                "-c f -gt=x",
                "--config=f --ignore-formatted --cluster-id==x",
            ),
            ("-c f -t -5", "--config=f --cluster-id=-5"),
            (
                "-c f -t x -f a=1 --fe b=2",
                "--config=f --cluster-id=x --feature=a=1 --feature=b=2",
            ),
            (
                "--kafka 4.4.0 -c f -t x --json",
                "--kafka 4.4.0 --json --config=f --cluster-id=x",
            ),
            ("-c f --help -x", "--help"),
            (
                "-c f -t x --stand --standalone",
                "--config=f --cluster-id=x --standalone",
            ),
        ] {
            assert_eq!(taken(given), Ok(expected.to_owned()), "{given}");
        }
    }

    #[test]
    fn what_the_tool_refuses() {
        for (given, words) in [
            ("-c f -t -abc", "expected one argument"),
            ("-c f -t", "expected one argument"),
            ("-c f", "--cluster-id is required"),
            ("-t x", "--config is required"),
            ("--c f -t x", "ambiguous"),
            ("-c f -t x -s -N", "not allowed with"),
            ("-c f -t x -sN", "not allowed with"),
            ("-c f -t x --standalone=yes", "ignore implicit argument"),
            ("-c f -t x extra", "unrecognized arguments: extra"),
            ("-c f -t x -x", "unrecognized arguments: -x"),
            ("-c f -t x -- -s", "unrecognized arguments: -s"),
            ("-c f -t @nowhere", "Could not read"),
        ] {
            let found = taken(given).unwrap_err();
            assert!(found.contains(words), "{given}: {found}");
        }
    }
}
