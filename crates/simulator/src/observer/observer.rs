//! Watches a world from outside: after every event, what is different on the machine that it concerned.

use std::collections::BTreeMap;

use bytes::Bytes;
use determinism::Time;
use disk::path;
use node::{Heard, Hearer, Node};
use raft_log::checkpoint;
use raft_log::quorum_state::{self, QuorumStateFile};
use records::{NodeId, Uuid};

use super::activation::{self, ActivationRow};
use super::deep_look::SeenDeep;
use super::journal::{Happening, JournalEntry};
use super::log_reader::{LogChange, LogReader};
use super::notes::Notes;
use crate::invariants::observation::SnapshotContent;
use crate::invariants::sets_metadata_version;
use crate::invariants::{Invariants, Observed};
use crate::world::Machine;

/// What was seen of every machine, what happened there, and whether it may.
#[derive(Clone, Debug, Default)]
pub struct Observer {
    seen: BTreeMap<NodeId, Seen>,
    notes: Notes,
}

/// What was seen of one machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    starts: u32,
    up: bool,
    epoch: Option<i32>,
    role: Option<raft::Role>,
    broken: bool,
    claimed: Option<i32>,
    activations: usize,
    warnings: usize,
    high_watermark: Option<i64>,
    election: Bytes,
    pub(super) log: LogReader,
    pub(super) deep: SeenDeep,
    /// How many operations the disk had seen when its files were last looked at.
    operations: Option<u64>,
    /// Where the bootstrap records of the last activation end, until they are committed.
    bootstrap_end: Option<i64>,
}

impl Observer {
    /// An observer that has seen no event yet.
    pub fn new() -> Self {
        Observer::default()
    }

    /// Everything that happened.
    pub fn journal(&self) -> &[JournalEntry] {
        &self.notes.journal
    }

    pub fn activations(&self) -> &[ActivationRow] {
        &self.notes.activations
    }

    /// What must hold, and what did not.
    pub fn invariants(&self) -> &Invariants {
        &self.notes.invariants
    }

    /// Who led, in order; a node that led twice in a row is there once.
    pub fn leaders(&self) -> &[NodeId] {
        &self.notes.leaders
    }

    /// The disk of a machine was given other content from outside.
    pub fn disk_replaced(&mut self, now: Time, node: NodeId) {
        // The disk is another one, the process that ran on it is not.
        let seen = self.seen.entry(node).or_default();
        *seen = Seen {
            starts: seen.starts,
            ..Seen::default()
        };
        self.notes.directories.insert(node, Uuid::ZERO);
        self.notes.check(now, node, Observed::DiskReplaced);
    }

    /// Something happened that a look at the machine does not show.
    pub(crate) fn note(&mut self, at: Time, node: NodeId, what: Happening) {
        self.notes.note(at, Some(node), what);
    }

    /// Looks at a machine after something happened on it.
    pub fn look(&mut self, now: Time, machine: &Machine) {
        let id = machine.id();
        let seen = self.seen.entry(id).or_default();
        let notes = &mut self.notes;
        let mut look = Look {
            notes,
            now,
            machine,
            id,
        };
        look.process(seen);
    }

    /// An invariant that waiting judges does not hold.
    pub(crate) fn judge(&mut self, now: Time, id: &str, what: String) {
        self.notes.judge(now, id, what);
    }
}

/// One look at one machine.
pub(super) struct Look<'a> {
    pub(super) notes: &'a mut Notes,
    now: Time,
    pub(super) machine: &'a Machine,
    id: NodeId,
}

impl Look<'_> {
    fn note(&mut self, what: Happening) {
        self.notes.note(self.now, Some(self.id), what);
    }

    pub(super) fn check(&mut self, what: Observed<'_>) {
        self.notes.check(self.now, self.id, what);
    }

    fn process(&mut self, seen: &mut Seen) {
        if self.machine.starts() != seen.starts {
            *seen = Seen {
                starts: self.machine.starts(),
                ..Seen::default()
            };
            self.check(Observed::Started);
            if self.machine.node().is_some() {
                self.note(Happening::Started(self.machine.rules().release.to_string()));
            } else if let Some(down) = self.machine.down() {
                self.note(Happening::Refused(down.to_string()));
                self.log(seen);
            }
        }
        // What the last process did in its last moment can still be seen.
        if (seen.up || self.machine.node().is_some())
            && let Some(node) = self.machine.last_node()
        {
            self.node(seen, node);
        }
        let up = self.machine.node().is_some();
        if seen.up
            && !up
            && let Some(down) = self.machine.down()
        {
            self.note(Happening::Ended(down.to_string()));
            seen.claimed = None;
        }
        seen.up = up;
    }

    fn node(&mut self, seen: &mut Seen, node: &Node) {
        // Most events change no file; a process that is gone may have left more, or less, than it wrote.
        let operations = Some(self.machine.disk().operations());
        let disk_changed = operations != seen.operations || self.machine.node().is_none();
        seen.operations = operations;
        if disk_changed {
            self.election(seen);
        }
        if seen.role.is_none() {
            // What a new process finds on its disk was there before it took up a role.
            self.log(seen);
            let directory = node.replica().config().directory_id;
            self.notes.directories.insert(self.id, directory);
        }
        self.raft(seen, node);
        if disk_changed {
            self.log(seen);
            self.files(seen, node);
        }
        self.high_watermark(seen, node);
        self.commits(seen, node);
        self.callbacks(seen, node);
        self.controller(seen, node);
        self.knowledge(seen, node);
        self.bootstrap(seen);
    }

    fn callbacks(&mut self, seen: &mut Seen, node: &Node) {
        for (listener, heard) in node.heard() {
            self.note(Happening::Callback(*listener, *heard));
            if *listener == Hearer::Controller
                && let Heard::LoadSnapshot(id) = heard
            {
                let name = checkpoint::snapshot_file_name(*id);
                let file = self
                    .machine
                    .disk()
                    .look(&path::join(self.machine.partition_dir(), &name));
                let records = file
                    .map(|file| activation::data_records(&file))
                    .unwrap_or_default();
                let content = if records.iter().any(sets_metadata_version) {
                    SnapshotContent::WithMetadataVersion
                } else {
                    SnapshotContent::WithoutMetadataVersion
                };
                self.check(Observed::SnapshotLoaded(content));
                seen.deep.loaded = Some(*id);
                if id.offset == 0 && !records.is_empty() {
                    self.check(Observed::RecordsFromZeroCheckpoint);
                }
            }
        }
        if let Some(violation) = node.contract_violation().filter(|_| !seen.broken) {
            seen.broken = true;
            self.check(Observed::Contract(violation));
        }
    }

    fn election(&mut self, seen: &mut Seen) {
        let path = path::join(self.machine.partition_dir(), quorum_state::FILE_NAME);
        // A name or bytes that are not durable yet were told to nobody: see DUR-1.
        let Some(file) = self.machine.disk().look_durable(&path) else {
            return;
        };
        if file == seen.election {
            return;
        }
        if let Ok(state) = QuorumStateFile::parse(quorum_state::FILE_NAME, &file) {
            self.check(Observed::Election {
                epoch: state.leader_epoch,
                voted: state.voted_id,
            });
        }
        seen.election = file;
    }

    fn log(&mut self, seen: &mut Seen) {
        let before = seen.log.end_offset();
        for change in seen.log.read(self.machine) {
            match &change {
                LogChange::Start(offset) => self.check(Observed::LogStart(*offset)),
                LogChange::Truncated(to) => {
                    self.note(Happening::Truncated {
                        from: before,
                        to: *to,
                    });
                    seen.bootstrap_end = seen.bootstrap_end.filter(|end| end <= to);
                    self.check(Observed::Truncated(*to));
                }
                LogChange::Appended(batch) => {
                    self.note(Happening::Appended(
                        batch.base_offset(),
                        batch.last_offset(),
                    ));
                    self.check(Observed::Appended(batch));
                }
            }
        }
    }

    fn raft(&mut self, seen: &mut Seen, node: &Node) {
        let (epoch, role) = (node.epoch(), node.replica().role());
        let changed = seen.epoch != Some(epoch) || seen.role != Some(role);
        if seen.epoch != Some(epoch) {
            self.check(Observed::Epoch(epoch));
        }
        if changed && role == raft::Role::Leader {
            self.note(Happening::Leads(epoch));
            self.check(Observed::Leads(epoch));
            if self.notes.leaders.last() != Some(&self.id) {
                self.notes.leaders.push(self.id);
            }
        } else if changed {
            self.note(Happening::Role(role.name().to_owned(), epoch));
        }
        (seen.epoch, seen.role) = (Some(epoch), Some(role));
    }

    fn controller(&mut self, seen: &mut Seen, node: &Node) {
        let Some(controller) = node.controller() else {
            return;
        };
        let claimed = controller.claim_epoch();
        if claimed != seen.claimed {
            match (seen.claimed, claimed) {
                (_, Some(epoch)) => self.note(Happening::Claimed(epoch)),
                (Some(epoch), None) => self.note(Happening::Renounced(epoch)),
                (None, None) => {}
            }
            seen.claimed = claimed;
        }
        let activations = controller.activations();
        for done in activations.get(seen.activations..).unwrap_or_default() {
            // Where leadership was gone, or a fatal fault was met, before raft took the records, nothing of them will ever
            // be committed.
            let end_offset = controller.offsets().next_write_offset();
            let end_offset = end_offset.filter(|_| !self.machine.is_halting());
            let end_offset = end_offset.unwrap_or(i64::MAX);
            let text = activation::words(done);
            let source = activation::source(done);
            self.note(Happening::Active(done.epoch, text.clone()));
            self.notes.activations.push(ActivationRow {
                node: self.id,
                release: node.rules().release,
                epoch: done.epoch,
                source,
                bootstrap_records: done.bootstrap_records,
                text,
            });
            seen.bootstrap_end = (done.bootstrap_records > 0).then_some(end_offset);
            let observed = activation::observed(done, self.machine, end_offset);
            self.check(Observed::Activated(&observed));
        }
        seen.activations = activations.len();
        let warnings = controller.warnings();
        for warning in warnings.get(seen.warnings..).unwrap_or_default() {
            self.note(Happening::Warned(warning.clone()));
        }
        seen.warnings = warnings.len();
    }

    fn high_watermark(&mut self, seen: &mut Seen, node: &Node) {
        let high_watermark = node.replica().high_watermark();
        if high_watermark == seen.high_watermark {
            return;
        }
        seen.high_watermark = high_watermark;
        let Some(offset) = high_watermark else { return };
        self.note(Happening::HighWatermark(offset));
        self.check(Observed::HighWatermark(offset));
    }

    /// Tells when what the last activation wrote is committed.
    fn bootstrap(&mut self, seen: &mut Seen) {
        let (Some(end), Some(offset)) = (seen.bootstrap_end, seen.high_watermark) else {
            return;
        };
        if end <= offset && seen.claimed.is_some() {
            seen.bootstrap_end = None;
            self.note(Happening::BootstrapCommitted(end - 1));
        }
    }
}
