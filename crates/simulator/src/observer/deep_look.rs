//! The looks that go deeper than who leads and what was written: what is durable, which checkpoints there are, who
//! holds what a leader commits, and what nodes know.

use disk::path;
use image::MetadataImage;
use node::Node;
use raft_log::checkpoint::{SnapshotState, parse_name};
use raft_log::quorum_state;
use records::{NodeId, OffsetAndEpoch};

use super::observer::{Look, Seen};
use crate::invariants::Observed;
use crate::invariants::observation::KnownUpTo;
use crate::invariants::observation::LogBegin;
use crate::invariants::observation::Voters;

/// What these looks saw the last time.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenDeep {
    /// Checkpoints on the disk; nothing before the first look at a process.
    checkpoints: Option<Vec<OffsetAndEpoch>>,
    begins: Option<LogBegin>,
    /// Where the log ended that the process found.
    found_end: Option<i64>,
    committed: Option<i64>,
    image: i64,
    stable: i64,
    /// The id of the last snapshot that the controller was given.
    pub(super) loaded: Option<OffsetAndEpoch>,
}

impl Look<'_> {
    /// After the disk changed: whether what was written is durable, and which checkpoints there are.
    pub(super) fn files(&mut self, seen: &mut Seen, node: &Node) {
        let folder = self.machine.partition_dir();
        let disk = self.machine.disk();
        let alive = self.machine.node().is_some();
        let mut ids: Vec<OffsetAndEpoch> = Vec::new();
        let mut log_is_durable = true;
        for (name, _) in disk.files_in(folder) {
            if name.strip_suffix(".log").is_some() {
                log_is_durable &= disk.keeps(&path::join(folder, &name));
            } else if let Ok(Some(name)) = parse_name(&name)
                && name.state == SnapshotState::Frozen
            {
                ids.push(name.id);
            }
        }
        let election_is_durable = disk.keeps(&path::join(folder, quorum_state::FILE_NAME));
        let found_end = *seen.deep.found_end.get_or_insert(seen.log.end_offset());
        if alive && !election_is_durable {
            self.check(Observed::NotDurable("quorum-state"));
        }
        if alive && !log_is_durable && seen.log.end_offset() > found_end {
            self.check(Observed::NotDurable("a batch"));
        }
        self.checkpoints(seen, node, ids);
    }

    fn checkpoints(&mut self, seen: &mut Seen, node: &Node, ids: Vec<OffsetAndEpoch>) {
        if let Some(before) = &seen.deep.checkpoints {
            let alignment = node.rules().raft.snapshot_alignment;
            for id in ids.iter().filter(|id| !before.contains(id)) {
                self.check(Observed::Checkpoint { id: *id, alignment });
            }
        }
        let begins = LogBegin {
            start: node.replica().log().start_offset(),
            latest: ids.iter().max().copied(),
        };
        if self.machine.node().is_some() && seen.deep.begins != Some(begins) {
            self.check(Observed::LogBegins(begins));
            seen.deep.begins = Some(begins);
        }
        seen.deep.checkpoints = Some(ids);
    }

    /// Whether a leader's high watermark moved, and who holds what is before it.
    pub(super) fn commits(&mut self, seen: &mut Seen, node: &Node) {
        let replica = node.replica();
        let Some(offset) = replica
            .high_watermark()
            .filter(|_| replica.role() == raft::Role::Leader)
        else {
            return;
        };
        if seen.deep.committed == Some(offset) {
            return;
        }
        seen.deep.committed = Some(offset);
        let voters = replica.voters();
        let at_home: Vec<NodeId> = voters
            .voter_keys()
            .filter(|key| {
                let home = self.notes.directories.get(&key.id).copied();
                key.directory_id.is_none() || home.is_none() || key.directory_id == home
            })
            .map(|key| key.id)
            .collect();
        self.check(Observed::Commits {
            offset,
            voters: Voters {
                count: voters.len(),
                at_home: &at_home,
            },
        });
    }

    /// What the loader and the controller know, where that changed.
    pub(super) fn knowledge(&mut self, seen: &mut Seen, node: &Node) {
        if let Some(loader) = node.loader() {
            let image = loader.provenance().last_contained_offset;
            if image != seen.deep.image {
                seen.deep.image = image;
                self.know(Observed::Image, image, loader.image(), node);
            }
        }
        let Some(controller) = node.controller() else {
            return;
        };
        let offsets = controller.offsets();
        let stable = offsets.last_stable_offset();
        // A snapshot's exclusive end counts as its last offset, in Kafka too: what is known there is one record less.
        let off_by_one = seen.deep.loaded.is_some_and(|id| id.offset == stable);
        if stable != seen.deep.stable && !off_by_one {
            seen.deep.stable = stable;
            if let Some(state) = offsets.timeline().state_at(stable) {
                self.know(Observed::Stable, stable, state.image(), node);
            }
        }
    }

    fn know<'b>(
        &mut self,
        what: fn(KnownUpTo<'b>) -> Observed<'b>,
        offset: i64,
        image: &MetadataImage,
        node: &'b Node,
    ) {
        self.check(what(KnownUpTo {
            offset,
            hash: image.hash(),
            rules: node.rules(),
        }));
    }
}
