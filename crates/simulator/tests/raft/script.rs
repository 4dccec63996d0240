//! Scripts over a small cluster: each command with what it says under it.
//!
//! ```text
//! > cluster RELEASE static|dynamic voters 1 2 3 [observers 4 [joining]]   begins; time 0
//! > draws NODE VALUE…                prescribes what the node draws next
//! > run MS                           messages take 1 ms, nodes are polled when they are due; prints changes of role
//! > messages MS                      the same, printing the messages too
//! > polls MS                         the same, printing how often each node is polled
//! > cut NODE | heal NODE             from and to all others; a cut connection fails its requests
//! > append NODE COUNT                records, as the leader's listener appends them
//! > snapshot NODE                    a checkpoint up to the high watermark
//! > add NODE at LEADER | remove NODE at LEADER      a client asks the leader to change the voters
//! > upgrade LEVEL at LEADER          of kraft.version
//! > resign NODE | shutdown NODE | crash NODE | start NODE | wipe NODE
//! > reformat NODE                    starts with another, empty directory
//! > move NODE PORT                   where it listens from its next start on
//! > keep SEGMENT RETENTION           bytes of a segment and of the whole log, in clusters that begin afterwards
//! > chunk BYTES | batchwise          of a FetchSnapshot; one batch a Fetch; in clusters that begin afterwards
//! > endpoints NODE | files NODE
//! > state                            a line a node
//! > log NODE                         a line a batch
//! > events NODE                      what its listener was told since last asked
//! ```
//!
//! Empty lines and lines that begin with `#` are for the reader.

use crate::cluster::Cluster;

/// Runs a script and returns it with what happens now in place of what it says.
pub fn rerun(script: &str) -> String {
    let mut cluster = Cluster::new();
    let mut lines = Vec::new();
    for line in script.lines() {
        if let Some(command) = line.strip_prefix("> ") {
            lines.push(line.to_owned());
            let said = cluster.obey(command);
            lines.extend(said.unwrap_or_else(|error| vec![format!("error: {error}")]));
        } else if line.is_empty() || line.starts_with('#') {
            lines.push(line.to_owned());
        }
    }
    lines.push(String::new());
    lines.join("\n")
}
