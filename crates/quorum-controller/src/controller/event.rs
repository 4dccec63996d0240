use listener::Event;

use crate::periodic_task::PeriodicTask;
use crate::request::{ControllerRequest, RequestId};

/// What waits in the controller's queue.
#[derive(Clone, Debug)]
pub(super) enum ControllerEvent {
    /// Something raft told.
    Raft(Event),
    /// The first write of an epoch.
    CompleteActivation,
    Request(RequestId, ControllerRequest),
    /// A task that comes back.
    Task(PeriodicTask),
}

/// Which event was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    HandleCommit,
    HandleLoadSnapshot,
    /// The zero checkpoint.
    HandleLoadBootstrap,
    /// News of the leader.
    HandleLeaderChange,
    /// The first write of an epoch.
    CompleteActivation,
    Request(RequestId),
    /// A task that comes back.
    Task(PeriodicTask),
}

impl ControllerEvent {
    pub(super) fn kind(&self) -> Option<EventKind> {
        Some(match self {
            ControllerEvent::Raft(Event::Commit(_)) => EventKind::HandleCommit,
            ControllerEvent::Raft(Event::LoadSnapshot(_)) => EventKind::HandleLoadSnapshot,
            ControllerEvent::Raft(Event::LoadBootstrap(_)) => EventKind::HandleLoadBootstrap,
            ControllerEvent::Raft(Event::LeaderChange(_)) => EventKind::HandleLeaderChange,
            ControllerEvent::Raft(Event::BeginShutdown) => return None,
            ControllerEvent::CompleteActivation => EventKind::CompleteActivation,
            ControllerEvent::Request(id, _) => EventKind::Request(*id),
            ControllerEvent::Task(task) => EventKind::Task(*task),
        })
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            ControllerEvent::Raft(Event::Commit(_)) => "handleCommit",
            ControllerEvent::Raft(Event::LoadSnapshot(_)) => "handleLoadSnapshot",
            ControllerEvent::Raft(Event::LoadBootstrap(_)) => "handleLoadBootstrap",
            ControllerEvent::Raft(Event::LeaderChange(_)) => "handleLeaderChange",
            ControllerEvent::Raft(Event::BeginShutdown) => "beginShutdown",
            ControllerEvent::CompleteActivation => "completeActivation",
            ControllerEvent::Request(_, request) => request.name(),
            ControllerEvent::Task(task) => task.name(),
        }
    }
}
