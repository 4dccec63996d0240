//! One start of one server on one disk.

use records::feature::{FeatureTable, Line, MetadataVersion};
use records::metadata::{MetadataRecord, VersionedRecord};
use releases::Release;
use simulator::invariants::SourceKind;
use simulator::rehearse::{PhaseVerdict, Plan, PlannedNode, rehearse};

use simulator::run::action::QuorumKind;

use super::prepared::Prepared;
use crate::command::rehearse::standing;

/// A place of the matrix: `T` is what its rows are.
pub struct Cell<T> {
    pub row: T,
    /// How the controller finds its voters.
    pub quorum: QuorumKind,
    /// What it runs.
    pub server: Release,
    /// What came of it.
    pub outcome: CellOutcome,
}

/// What a server made of a disk.
#[derive(Clone, Debug)]
pub struct CellOutcome {
    /// Active, no leader, or ended.
    pub verdict: PhaseVerdict,
    /// Where the bootstrap records came from.
    pub source: SourceKind,
    /// How many there were.
    pub records: usize,
    /// How they were written, if there were any.
    pub write: Option<Write>,
    /// The metadata.version among them.
    pub metadata_version: Option<&'static str>,
    /// Why the process ended.
    pub refusal: Option<String>,
}

/// How bootstrap records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// Between the records that begin and end a metadata transaction.
    Transaction,
    /// In one batch.
    AtomicBatch,
}

impl Write {
    /// `transaction`, `atomic-batch`.
    pub fn name(self) -> &'static str {
        match self {
            Write::Transaction => "transaction",
            Write::AtomicBatch => "atomic-batch",
        }
    }
}

impl CellOutcome {
    /// Starts `server` on a copy of a prepared disk.
    pub fn of(prepared: &Prepared, server: Release) -> Self {
        let node = PlannedNode {
            config: prepared.config.clone(),
            disk: prepared.disk.clone(),
            release: server,
        };
        let id = prepared.config.node_id();
        let mut phases = rehearse(&Plan::new(vec![node])).phases;
        let mut phase = phases.pop().expect("a rehearsal has a phase");
        let mut node = phase.nodes.remove(&id).expect("the node was started");
        let activation = node.deciding_activation();
        let records = activation
            .map(|one| one.records.clone())
            .unwrap_or_default();
        let source = activation.map_or(SourceKind::None, |one| one.source);
        let begins = standing::log(&mut node.disk, prepared.config.server())
            .iter()
            .any(|batch| {
                let data = batch
                    .records()
                    .filter(|_| !batch.is_control())
                    .filter_map(Result::ok);
                let mut decoded =
                    data.filter_map(|view| VersionedRecord::decode(view.value.as_deref()?).ok());
                decoded.any(|one| matches!(one.record, MetadataRecord::BeginTransaction(_)))
            });
        let write = if begins {
            Write::Transaction
        } else {
            Write::AtomicBatch
        };
        CellOutcome {
            verdict: phase.verdict,
            source,
            records: records.len(),
            write: Some(write).filter(|_| !records.is_empty()),
            metadata_version: records.iter().rev().find_map(metadata_version),
            refusal: node.refusal,
        }
    }

    /// `legacy-file`, …, `none`.
    pub fn source_name(&self) -> &'static str {
        self.source.name()
    }

    /// The cell in a few letters; the legend of the table says what they mean.
    pub fn code(&self) -> String {
        match (self.verdict, self.source) {
            (PhaseVerdict::Exited, _) => "x".to_owned(),
            (PhaseVerdict::NoLeader, _) => "o".to_owned(),
            (PhaseVerdict::Active, SourceKind::None) => "-".to_owned(),
            (PhaseVerdict::Active, source) => {
                let letter = match source {
                    SourceKind::LegacyFile => 'L',
                    SourceKind::ZeroCheckpoint => 'Z',
                    SourceKind::Default => 'D',
                    SourceKind::Configured => 'C',
                    SourceKind::None => '-',
                };
                let write = match self.write {
                    Some(Write::Transaction) => "t",
                    Some(Write::AtomicBatch) | None => "",
                };
                format!("{letter}{}{write}", self.records)
            }
        }
    }
}

/// The name of the level that the record gives metadata.version.
fn metadata_version(record: &VersionedRecord) -> Option<&'static str> {
    let MetadataRecord::FeatureLevel(feature) = &record.record else {
        return None;
    };
    let level = MetadataVersion(feature.feature_level);
    let known = |line: &Line| FeatureTable::of(*line).metadata_version(level);
    let info = Line::ALL
        .iter()
        .rev()
        .find_map(known)
        .filter(|_| feature.name == "metadata.version")?;
    Some(info.name)
}
