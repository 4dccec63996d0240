//! Who formatted, who serves, what gets activated.

mod cell;
mod cells;
mod document;
mod prepared;
mod table;

use clap::Args;

use self::cells::Matrix;
use crate::output_args::{OutputArgs, OutputForm};
use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim matrix`.
#[derive(Clone, Debug, Args)]
pub struct MatrixArgs {
    /// Print comma separated values instead of text
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// How it is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Runs the command.
pub fn run(args: &MatrixArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let matrix = Matrix::compute();
    match args.output.form() {
        _ if args.csv => console.out.write_all(table::csv(&matrix).as_bytes())?,
        OutputForm::Json => crate::json::print(console, &document::document(&matrix))?,
        OutputForm::Text => table::print(console, &matrix)?,
    }
    Ok(Exit::Held)
}
