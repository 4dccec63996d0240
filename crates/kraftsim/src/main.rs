//! The `kraftsim` program: arguments in, an exit status out; everything else is the library's.

use std::io::{self, BufWriter, IsTerminal};
use std::process::ExitCode;

use kraftsim::{Console, Style};

fn main() -> ExitCode {
    let stdout = io::stdout();
    let style = Style::of(
        stdout.is_terminal(),
        std::env::var_os("NO_COLOR").as_deref(),
    );
    let mut out = BufWriter::new(stdout.lock());
    let mut err = io::stderr().lock();
    let mut console = Console::new(&mut out, &mut err, style);
    kraftsim::run(std::env::args_os(), &mut console).into()
}
