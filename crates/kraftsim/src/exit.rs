//! What the exit status says, and how it follows from what a command found.

use std::process::ExitCode;

/// The ways in which a command ends, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: everything held; the question was answered.
    Held,
    /// 130: Ctrl-C came, or the reader of the output went away, before everything that was asked for had run, and what
    /// ran held.
    Interrupted,
    /// 1: a violation, a failed expectation, a refused format, damage.
    Failed,
    /// 2: bad usage or bad input, input that could not be read whole among it: nothing follows for the whole from what holds of
    /// a part.
    BadInput,
}

impl Exit {
    /// Failed, if this many things did not hold; held if none.
    pub fn failed_if(not_held: u64) -> Self {
        if not_held == 0 {
            Exit::Held
        } else {
            Exit::Failed
        }
    }

    /// Bad input, if this many parts of the input could not be read; held if none.
    pub fn bad_input_if(not_read: u64) -> Self {
        if not_read == 0 {
            Exit::Held
        } else {
            Exit::BadInput
        }
    }

    /// Interrupted, if not everything that was asked for had run.
    pub fn interrupted_if(cut_short: bool) -> Self {
        if cut_short {
            Exit::Interrupted
        } else {
            Exit::Held
        }
    }

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

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_worst_counts() {
        assert_eq!(Exit::failed_if(0).max(Exit::bad_input_if(0)), Exit::Held);
        assert_eq!(Exit::failed_if(3).max(Exit::bad_input_if(0)), Exit::Failed);
        assert_eq!(
            Exit::failed_if(3).max(Exit::bad_input_if(1)),
            Exit::BadInput
        );
        assert_eq!(Exit::failed_if(1).max(Exit::Interrupted), Exit::Failed);
        assert_eq!(Exit::failed_if(0).max(Exit::Interrupted), Exit::Interrupted);
    }
}
