use image::FaultPolicy;
use listener::ListenerId;
use quorum_controller::{BackgroundWork, Controller};

use crate::Hearer;
use crate::metadata::Metadata;

/// Which parts of a controller server stand around raft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// All of them: the network channel, the metadata loader with its publishers, and the quorum controller.
    Server,
    /// The quorum controller alone, as in the drivers of Kafka's own tests. The caller is the network channel: raft hears
    /// every answer, also one that comes after the request was sent again.
    Controller {
        /// Which work of the controller comes back by itself.
        background_work: BackgroundWork,
        /// What a fatal fault of the controller means.
        fatal_faults: FaultPolicy,
    },
    /// A listener that reads in the callback itself, and writes nothing. The caller is the network channel.
    Recorder,
}

impl Parts {
    pub(crate) fn background_work(self) -> BackgroundWork {
        match self {
            Parts::Controller {
                background_work, ..
            } => background_work,
            Parts::Server | Parts::Recorder => BackgroundWork::NoOpRecords,
        }
    }

    pub(crate) fn fatal_faults(self) -> FaultPolicy {
        match self {
            Parts::Controller { fatal_faults, .. } => fatal_faults,
            Parts::Server | Parts::Recorder => FaultPolicy::EndsProcess,
        }
    }
}

/// The listeners of a process, in the order in which raft knows them.
#[derive(Clone, Debug)]
pub(crate) struct Listeners {
    pub(crate) metadata: Option<Metadata>,
    pub(crate) controller: Option<Controller>,
}

impl Listeners {
    /// Each listener with the number under which raft knows it.
    pub(crate) fn hearers(&self) -> impl Iterator<Item = (Hearer, ListenerId)> + use<> {
        let loader = self.metadata.is_some().then_some(Hearer::Loader);
        let second = match (&self.metadata, &self.controller) {
            (_, Some(_)) => Some(Hearer::Controller),
            (None, None) => Some(Hearer::Recorder),
            (Some(_), None) => None,
        };
        let hearers = loader.into_iter().chain(second);
        hearers.zip((0..).map(ListenerId))
    }
}
