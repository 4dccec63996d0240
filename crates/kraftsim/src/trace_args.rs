//! What is printed of a run beside its result.

use clap::{Args, ValueEnum};
use simulator::Detail;

/// What is printed of a run beside its result.
#[derive(Clone, Debug, Default, Args)]
pub struct TraceArgs {
    /// Print everything that happens, with times; with =messages,disk also messages and disk operations
    #[arg(long, value_name = "DETAIL,…", num_args = 0.., require_equals = true, value_delimiter = ',')]
    pub trace: Option<Vec<TraceDetail>>,
}

/// What a trace shows only where somebody asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceDetail {
    /// Messages that leave, arrive or are lost
    Messages,
    /// Operations on disks
    Disk,
}

impl TraceArgs {
    /// Whether anything is printed.
    pub fn is_on(&self) -> bool {
        self.trace.is_some()
    }

    /// What the journal has to keep.
    pub fn detail(&self) -> Detail {
        let named = self.trace.as_deref().unwrap_or_default();
        Detail {
            messages: named.contains(&TraceDetail::Messages),
            disk: named.contains(&TraceDetail::Disk),
        }
    }
}
