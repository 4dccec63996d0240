use listener::Event;
use node::{Hearer, RaftCall, SeamWatcher};
use quorum_controller::EventKind;
use releases::bootstrap::ZeroCheckpointUse;

use super::{Call, ReadBatch};

/// Notes what passes between a replica and its listener during one run of a thread.
#[derive(Debug)]
pub(super) struct Watching {
    zero_checkpoint: ZeroCheckpointUse,
    /// What the listener was told, and what it will have read once it has handled that.
    pub told: Vec<(Call, Told)>,
    /// What the controller asked for.
    pub asked: Vec<Call>,
    /// Which event the controller ran.
    pub ran: Option<EventKind>,
}

/// What a listener makes of what it was told.
#[derive(Debug)]
pub(super) enum Told {
    /// It has handled it.
    Handled(Vec<ReadBatch>),
    Queued(Vec<ReadBatch>),
    /// It never will.
    Discarded,
}

impl Watching {
    /// Has watched nothing yet; `zero_checkpoint` says which callback the release makes for such a checkpoint.
    pub fn new(zero_checkpoint: ZeroCheckpointUse) -> Self {
        Watching {
            zero_checkpoint,
            told: Vec::new(),
            asked: Vec::new(),
            ran: None,
        }
    }
}

impl SeamWatcher for Watching {
    fn told(&mut self, listener: Hearer, event: &Event) {
        let (call, read) = Call::of(event);
        let told = match (listener, event) {
            (Hearer::Recorder | Hearer::Loader, _) => Told::Handled(read),
            (Hearer::Controller, Event::BeginShutdown) => Told::Discarded,
            (Hearer::Controller, Event::LoadBootstrap(_))
                if self.zero_checkpoint == ZeroCheckpointUse::Discarded =>
            {
                Told::Discarded
            }
            (Hearer::Controller, _) => Told::Queued(read),
        };
        self.told.push((call, told));
    }

    fn asked(&mut self, call: RaftCall<'_>) {
        self.asked.push(match call {
            RaftCall::PrepareAppend {
                epoch,
                records,
                outcome,
            } => Call::PrepareAppend {
                epoch,
                records: records.to_vec(),
                outcome: outcome.clone().map_err(|error| error.to_string()),
            },
            RaftCall::SchedulePreparedAppend => Call::SchedulePreparedAppend,
            RaftCall::Resign { epoch } => Call::Resign { epoch },
            RaftCall::UpgradeKRaftVersion {
                epoch,
                version,
                mode,
            } => Call::UpgradeKRaftVersion {
                epoch,
                version,
                mode,
            },
        });
    }

    fn ran(&mut self, event: EventKind) {
        self.ran = Some(event);
    }
}
