//! The command line of kraftsim, and the reports people look at.
//!
//! The only crate that knows clap, terminals and JSON. It decides nothing about Kafka: it turns arguments into calls
//! of the crates below, and what they answer into text, JSON, tables and an exit status.
//!
//! Modules in reading order: [`cli`] (what can be typed), [`command`] (one module a subcommand), [`console`] (where
//! output goes, and how it may look), [`diagnosis`] (how an error is said), [`exit`] (what the exit status means), [`guard`] (what stands between commands and streams),
//! [`json`] (records, batches and files as JSON), [`archive`] (packed directories), [`limits`] (how much is read at most), [`new_folder`] (the one place that writes what comes from outside), [`recorded`] (records out of recordings of real Kafka), [`inspect`] (what files hold), [`drive`] (schedules as JSON lines), [`release_args`] (which release's rules), [`output_args`] and [`trace_args`] (what is printed), [`config_file`]
//! (`server.properties`), [`system_draws`] (chance and the clock of the real machine).
//!
//! ```
//! use kraftsim::{Console, Exit, Style};
//!
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let exit = kraftsim::run(["kraftsim", "--version"], &mut Console::new(&mut out, &mut err, Style::Plain));
//! assert_eq!(exit, Exit::Held);
//! assert!(String::from_utf8_lossy(&out).starts_with("kraftsim "));
//! ```

pub mod archive;
pub mod cli;
pub mod command;
pub mod config_file;
pub mod console;
pub mod diagnosis;
pub mod drive;
pub mod exit;
pub mod guard;
pub mod inspect;
pub mod json;
pub mod limits;
pub mod log_args;
pub mod new_folder;
pub mod output_args;
pub mod recorded;
pub mod release_args;
mod runs_hash;
pub mod system_draws;
pub mod trace_args;

use std::ffi::OsString;

use clap::Parser as _;

pub use console::{Console, Style};
pub use diagnosis::{CommandError, Diagnosis};
pub use exit::Exit;
use guard::{Guard, Stream};

/// Runs one command line, the program's name first, as a process would; what it prints goes to the console.
pub fn run<I, A>(args: I, console: &mut Console) -> Exit
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let mut out = Guard::new(&mut *console.out, Stream::Results, console.style);
    let mut err = Guard::new(&mut *console.err, Stream::Diagnostics, console.style);
    let reader_gone = out.gone();
    let mut guarded = Console {
        reader_gone,
        ..Console::new(&mut out, &mut err, console.style)
    };
    let args = args.into_iter().map(Into::into).collect();
    let args = match command::format::canonical(args) {
        Ok(args) => args,
        Err(usage) => {
            let told = writeln!(guarded.err, "not formatted: usage: {usage}");
            let told = told.map(|()| Exit::Failed).map_err(CommandError::from);
            return finish(told, &mut guarded);
        }
    };
    match cli::Cli::try_parse_from(args) {
        Ok(cli) => finish(cli.command.run(&mut guarded), &mut guarded),
        Err(error) => told_by_clap(&error, &mut guarded),
    }
}

/// Turns what a command gave back into an exit status, after everything it printed has left.
fn finish(outcome: Result<Exit, CommandError>, console: &mut Console) -> Exit {
    let outcome = outcome.and_then(|exit| {
        console.out.flush()?;
        Ok(exit)
    });
    match outcome {
        Ok(exit) => exit,
        Err(CommandError::Output(error)) => complain(
            console,
            &Diagnosis::new(format!("cannot write the output: {error}")),
        ),
        Err(CommandError::Diagnosis(diagnosis)) => {
            // What was printed before stays in front of the error where both go to one terminal.
            let _ = console.out.flush();
            complain(console, &diagnosis)
        }
    }
}

fn complain(console: &mut Console, diagnosis: &Diagnosis) -> Exit {
    // Where standard error is closed, nobody reads the message.
    let _ = write!(console.err, "{diagnosis}");
    Exit::BadInput
}

/// `--help`, `--version` and mistakes in the arguments, in clap's words.
fn told_by_clap(error: &clap::Error, console: &mut Console) -> Exit {
    let rendered = error.render();
    let text = match console.style {
        Style::Plain => rendered.to_string(),
        Style::Colour => rendered.ansi().to_string(),
    };
    if error.use_stderr() {
        let _ = console.err.write_all(text.as_bytes());
        return Exit::BadInput;
    }
    let printed = console
        .out
        .write_all(text.as_bytes())
        .map_err(CommandError::from);
    finish(printed.map(|()| Exit::Held), console)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::*;

    /// A writer whose reader is gone, or whose disk is full.
    struct Broken(io::ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    fn help_into(kind: io::ErrorKind) -> (Exit, String) {
        let mut err = Vec::new();
        let mut out = Broken(kind);
        let exit = run(
            ["kraftsim", "--help"],
            &mut Console::new(&mut out, &mut err, Style::Plain),
        );
        (exit, String::from_utf8(err).unwrap())
    }

    #[test]
    fn a_reader_that_went_away_is_no_failure() {
        assert_eq!(
            help_into(io::ErrorKind::BrokenPipe),
            (Exit::Held, String::new())
        );
    }

    #[test]
    fn output_that_cannot_be_written_is_one() {
        let (exit, told) = help_into(io::ErrorKind::StorageFull);
        assert_eq!(exit, Exit::BadInput);
        assert!(
            told.starts_with("error: cannot write the output: "),
            "{told}"
        );
    }
}
