//! How kraftsim is asked.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use kraftsim::{Console, Style};

/// The kraftsim that is judged.
#[derive(Clone, Debug)]
pub struct Kraftsim {
    /// Where it runs.
    pub place: Place,
    /// The seed of its rehearsals; `None` for its own. A cell agrees under any.
    pub seed: Option<u64>,
}

/// Where kraftsim runs.
#[derive(Clone, Debug)]
pub enum Place {
    /// The same function that the program calls, in this process.
    InProcess,
    Program(PathBuf),
}

/// What it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The exit status; `None` when it ended otherwise, by a panic or a signal.
    pub exit: Option<i32>,
    pub out: Vec<u8>,
    /// The last part of standard error, for a report.
    pub complaint: String,
}

/// As much of standard error as a report shows.
const COMPLAINT_CHARS: usize = 300;

impl Kraftsim {
    /// The function that the program calls, in this process, under its own seed.
    pub fn in_process() -> Self {
        Kraftsim {
            place: Place::InProcess,
            seed: None,
        }
    }

    /// One command line, without the program's name.
    pub fn ask(&self, args: &[String]) -> Answer {
        let (exit, out, err) = match &self.place {
            Place::InProcess => in_process(args),
            Place::Program(program) => as_program(program, args),
        };
        let text = String::from_utf8_lossy(&err);
        let text = text.trim();
        let skipped = text.chars().count().saturating_sub(COMPLAINT_CHARS);
        Answer {
            exit,
            out,
            complaint: text.chars().skip(skipped).collect(),
        }
    }
}

fn in_process(args: &[String]) -> (Option<i32>, Vec<u8>, Vec<u8>) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line = std::iter::once("kraftsim").chain(args.iter().map(String::as_str));
    let mut console = Console::new(&mut out, &mut err, Style::Plain);
    // A panic is a difference of this cell, not the end of all of them.
    let exit = catch_unwind(AssertUnwindSafe(|| kraftsim::run(line, &mut console)));
    match exit {
        Ok(exit) => (Some(i32::from(exit.code())), out, err),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            err.extend_from_slice(format!("panicked: {}", text.unwrap_or_default()).as_bytes());
            (None, out, err)
        }
    }
}

fn as_program(program: &PathBuf, args: &[String]) -> (Option<i32>, Vec<u8>, Vec<u8>) {
    match Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .output()
    {
        Ok(output) => (output.status.code(), output.stdout, output.stderr),
        Err(error) => (
            None,
            Vec::new(),
            format!("{}: {error}", program.display()).into_bytes(),
        ),
    }
}
