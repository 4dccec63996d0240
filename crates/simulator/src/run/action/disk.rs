use records::NodeId;
use releases::Release;

use super::{FileRef, Nodes};
use crate::run::Spanned;

/// What can be done to disks from outside, while the nodes concerned are down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskAction {
    /// `format …`: what `kafka-storage format` does.
    Format(Format),
    /// `load 1 from PATH`: a real directory, or a tar of one.
    Load {
        node: Spanned<NodeId>,
        /// As written; relative to the scenario's file.
        path: Spanned<String>,
    },
    /// `copy 1:FILE as NAME`: keeps a file's content for `put`.
    Copy {
        /// What to keep.
        file: Spanned<FileRef>,
        /// Under which name.
        name: Spanned<String>,
    },
    /// `put NAME at 2:FILE`: writes kept content.
    Put {
        /// What was kept.
        name: Spanned<String>,
        /// Where it goes.
        file: Spanned<FileRef>,
    },
    /// `remove 1:FILE`: a file, or a directory and all in it.
    Remove(Spanned<FileRef>),
    /// `truncate 1:FILE to …`
    Truncate {
        file: Spanned<FileRef>,
        /// What stays of it.
        keep: Keep,
    },
    /// `corrupt 1:FILE at byte 61`: flips every bit of one byte.
    Corrupt {
        file: Spanned<FileRef>,
        /// Which byte, from 0.
        byte: u64,
    },
    /// `wipe 2`: an empty disk in place of the old one.
    Wipe(Nodes),
    /// `swap 1 2`: each gets the other's disk.
    Swap(Spanned<NodeId>, Spanned<NodeId>),
    /// `clone 1 to 2`: the second gets a copy of the first's disk.
    Clone {
        /// Whose disk is read.
        from: Spanned<NodeId>,
        /// Whose disk is replaced.
        to: Spanned<NodeId>,
    },
}

/// What stays of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// `to 100 bytes`
    Bytes(u64),
    /// `to 1 batches`
    Batches(u32),
    /// `to control batches`: those of raft; the metadata records go.
    ControlBatches,
    /// `to 1 batches and 2 records`: of the next batch, the first records, as a batch of its own.
    Records {
        batches: u32,
        /// Records of the batch behind them.
        records: u32,
    },
}

/// `format NODES [with RELEASE] [QUORUM] [metadata-version V] [feature F=L]… [scram USER]… [again|ignore-formatted]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    pub nodes: Nodes,
    /// Whose tool; without it the scenario's release.
    pub release: Option<Release>,
    /// Which option for dynamic quorums.
    pub voters: Option<FormatVoters>,
    /// `--release-version`
    pub metadata_version: Option<String>,
    pub features: Vec<(String, i16)>,
    /// `--add-scram` for these users.
    pub scram: Vec<String>,
    /// What about a directory that is formatted.
    pub formatted: Option<Formatted>,
}

/// The tool's options for dynamic quorums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatVoters {
    Standalone,
    /// `--initial-controllers` with the scenario's controllers
    InitialControllers,
    NoInitialControllers,
}

/// What about a directory that is formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formatted {
    /// Wipes it first.
    Again,
    IgnoreFormatted,
}
