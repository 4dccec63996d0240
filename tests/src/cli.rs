//! Command lines and what they print, as text to compare.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kraftsim::{Console, Style};

use crate::agree::{UnpackedCell, cells_in, point_at};
use crate::repository::golden;

/// The directories of one recorded cell, in a folder that vanishes with the value.
pub struct Work {
    cell: UnpackedCell,
}

/// Unpacks a cell of `tests/golden`.
pub fn golden_work(id: &str) -> Work {
    let cells = cells_in(&golden().join(id)).expect("the repository carries its cells");
    let cell = cells
        .first()
        .unwrap_or_else(|| panic!("there is no cell {id}"));
    Work {
        cell: cell
            .unpack()
            .expect("the repository's cells can be unpacked"),
    }
}

impl Work {
    pub fn path(&self) -> &Path {
        self.cell.work()
    }

    /// The path of a node's `server.properties`, pointing at the node's own directories.
    pub fn config(&self, node: &str) -> String {
        let folder = self.path().join(node);
        let base = folder
            .parent()
            .expect("a node's folder lies in a phase's")
            .to_path_buf();
        point_at(&folder, &base).expect("a cell's configuration can be written")
    }

    /// A file in the folder.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        fs::write(&path, text).expect("a temporary folder can be written");
        path.display().to_string()
    }
}

/// What a command line came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The exit status.
    pub code: u8,
    pub out: String,
    pub err: String,
}

/// Runs one command line, without the program's name.
pub fn ask<A: AsRef<str>>(args: &[A]) -> Answer {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let line = std::iter::once("kraftsim").chain(args.iter().map(AsRef::as_ref));
    let exit = kraftsim::run(line, &mut Console::new(&mut out, &mut err, Style::Plain));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Answer {
        code: exit.code(),
        out: text(&out),
        err: text(&err),
    }
}

/// Command lines, each with what it printed and its exit status.
#[derive(Default)]
pub struct Session {
    text: String,
    folder: Option<String>,
}

impl Session {
    /// A session in which `<work>` stands for a folder.
    pub fn in_folder(work: &Work) -> Self {
        Session {
            text: String::new(),
            folder: Some(work.path().display().to_string()),
        }
    }

    /// Runs one command line, without the program's name.
    pub fn run(&mut self, args: &[&str]) {
        let Answer { code, out, err } = ask(args);
        write!(self.text, "$ kraftsim {}\n{out}", args.join(" ")).expect("text takes any writing");
        for line in err.lines() {
            writeln!(self.text, "stderr: {line}").expect("text takes any writing");
        }
        write!(self.text, "exit {code}\n\n").expect("text takes any writing");
    }

    /// All of it.
    pub fn finish(self) -> String {
        match self.folder {
            Some(folder) => self.text.replace(&folder, "<work>"),
            None => self.text,
        }
    }
}

/// Whether a program of this package was asked for its usage.
pub fn asks_for_usage() -> bool {
    std::env::args().any(|argument| ["-h", "--help"].contains(&argument.as_str()))
}
