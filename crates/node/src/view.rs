use std::sync::{Arc, LazyLock};

use config::AutoJoin;
use determinism::Digest;
use image::{Loader, MetadataImage};
use listener::LeaderAndEpoch;
use quorum_controller::{Activation, Controller};
use raft::Replica;
use records::NodeId;
use releases::Rules;

use crate::{Heard, Hearer, Lifecycle, Node, NodeConfig, RegistrationState};

static NOTHING_KNOWN: LazyLock<MetadataImage> = LazyLock::new(MetadataImage::empty);

/// Looking at a process from outside.
impl Node {
    /// `node.id`.
    pub fn id(&self) -> NodeId {
        self.config.node_id()
    }

    pub fn config(&self) -> &NodeConfig {
        &self.config
    }

    /// The rules of the release it runs.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same, shared: they stay as they are for the life of the process.
    pub fn shared_rules(&self) -> Arc<Rules> {
        self.rules.clone()
    }

    /// How far it is from its end.
    pub fn lifecycle(&self) -> Lifecycle {
        self.lifecycle
    }

    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// The quorum controller, if the process has one.
    pub fn controller(&self) -> Option<&Controller> {
        self.listeners.controller.as_ref()
    }

    /// The metadata loader, if the process has one.
    pub fn loader(&self) -> Option<&Loader> {
        let metadata = self.listeners.metadata.as_ref();
        metadata.map(|metadata| &metadata.loader)
    }

    /// The metadata as the loader knows it; the empty image in a process without loader.
    pub fn image(&self) -> &MetadataImage {
        self.loader().map_or(&NOTHING_KNOWN, Loader::image)
    }

    /// How many messages wait for raft.
    pub fn inbox_length(&self) -> usize {
        self.inbound.len()
    }

    /// What the last run told the listeners, in order.
    pub fn heard(&self) -> &[(Hearer, Heard)] {
        &self.heard
    }

    /// The first breach of a listener's contract in this process.
    pub fn contract_violation(&self) -> Option<listener::BrokenContract> {
        self.violation
    }

    /// Whether it is the active controller.
    pub fn is_active(&self) -> bool {
        self.controller().is_some_and(Controller::is_active)
    }

    /// Raft's leader and epoch.
    pub fn leader_and_epoch(&self) -> LeaderAndEpoch {
        self.replica.leader_and_epoch()
    }

    pub fn epoch(&self) -> i32 {
        self.leader_and_epoch().epoch
    }

    /// What each activation of this process decided, in order.
    pub fn activations(&self) -> &[Activation] {
        self.controller().map_or(&[], Controller::activations)
    }

    /// How many checkpoints it wrote, and why others were not written.
    pub fn checkpoints(&self) -> (u64, &[String]) {
        let metadata = self.listeners.metadata.as_ref();
        metadata.map_or((0, &[]), |metadata| {
            (metadata.snapshots.written(), metadata.snapshots.faults())
        })
    }

    /// How far its registration is.
    pub fn registration_state(&self) -> RegistrationState {
        if self.replica.voters().is_empty() {
            // Nobody is known to register with, for as long as that lasts.
            return RegistrationState::Settled;
        }
        self.registrar_state()
    }

    fn registrar_state(&self) -> RegistrationState {
        let metadata = self.listeners.metadata.as_ref();
        metadata.map_or(RegistrationState::Settled, |metadata| {
            metadata.registrar.state()
        })
    }

    /// Whether it is an observer that will add itself to the voters.
    pub fn waits_to_join(&self) -> bool {
        let configured = self.config.server().quorum.auto_join == AutoJoin::Enabled;
        configured
            && self.rules.raft.auto_join == releases::raft::AutoJoin::Configurable
            && !self.replica.is_voter()
    }

    /// Takes in what it left behind: enough to notice that two runs differ, cheap enough for every event.
    pub fn digest(&self, digest: &mut Digest) {
        self.standing(digest);
        digest.write_i64(self.replica.log_end_offset());
        digest.write_i64(self.replica.high_watermark().unwrap_or(-1));
    }

    /// Takes in what changes only when something of note happens: no-op records, fetches and timers do not show.
    pub fn standing(&self, digest: &mut Digest) {
        let LeaderAndEpoch { leader, epoch } = self.leader_and_epoch();
        digest.write_i64(i64::from(epoch) << 32 | i64::from(leader.map_or(-1, |leader| leader.0)));
        digest.write_i64(i64::from(self.is_active()) << 8 | self.registrar_state() as i64);
        digest.write_u64(self.image().hash());
        let controller = self.controller();
        digest.write_u64(controller.map_or(0, |controller| controller.image().hash()));
    }
}
