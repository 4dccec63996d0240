//! The manual page.

use clap::Args;

use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim man`.
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// A subcommand; without one the page of kraftsim itself
    pub subcommand: Option<String>,
}

/// Prints the page of a command line in roff.
pub fn run(
    args: &ManArgs,
    mut root: clap::Command,
    console: &mut Console,
) -> Result<Exit, CommandError> {
    root.build();
    let command = match &args.subcommand {
        None => root,
        Some(name) => subcommand(&root, name)?,
    };
    clap_mangen::Man::new(command).render(&mut *console.out)?;
    Ok(Exit::Held)
}

fn subcommand(root: &clap::Command, name: &str) -> Result<clap::Command, crate::Diagnosis> {
    root.find_subcommand(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = root
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        crate::Diagnosis::new("there is no such subcommand")
            .expected(known.join(", "))
            .found(name.to_owned())
    })
}
