//! What the exit status says.

use std::process::ExitCode;

/// The ways in which a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: everything held; the question was answered.
    Held,
    /// 1: a violation, a failed expectation, a refused format.
    Failed,
    /// 2: bad usage or bad input.
    BadInput,
    /// 130: Ctrl-C came before everything that was asked for had run, and what ran held.
    Interrupted,
}

impl Exit {
    /// The number a shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Held => 0,
            Exit::Failed => 1,
            Exit::BadInput => 2,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
