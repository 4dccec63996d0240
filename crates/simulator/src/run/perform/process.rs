//! `start`, `stop`, `crash`, `disarm`, `lose-unsynced`, `pause`, `resume`.

use records::NodeId;
use releases::Release;

use crate::run::action::{DiskPoint, Nodes, ProcessAction};
use crate::run::{Run, Span};
use crate::world::Machine;
use crate::{DiskFault, FaultEffect, NamePattern};

impl Run {
    pub(in crate::run) fn process(&mut self, action: &ProcessAction, span: &Span) {
        match action {
            ProcessAction::Start(nodes, release) => {
                for id in self.chosen(nodes, span) {
                    if self.is_up(id) {
                        self.warn(span, format!("node {id} runs already"));
                    } else {
                        self.start(id, *release);
                    }
                }
            }
            ProcessAction::Stop(nodes) => {
                for id in self.running(nodes, span) {
                    self.world_mut().stop(id);
                    self.look(id);
                }
            }
            ProcessAction::Crash(nodes) => {
                for id in self.running(nodes, span) {
                    self.world_mut().crash(id);
                    self.look(id);
                }
            }
            ProcessAction::CrashAt(nodes, point) => {
                for id in self.chosen(nodes, span) {
                    self.crash_at(id, point, span);
                }
            }
            ProcessAction::Disarm(nodes) => {
                for id in self.chosen(nodes, span) {
                    if let Some(disk) = self.world_mut().disk_mut(id) {
                        disk.disarm();
                    }
                }
            }
            ProcessAction::LoseUnsynced(nodes) => {
                for id in self.chosen(nodes, span) {
                    self.world_mut().power_loss(id);
                    self.look(id);
                }
            }
            ProcessAction::Pause(nodes, length) => {
                for id in self.running(nodes, span) {
                    if self.is_paused(id) {
                        self.warn(span, format!("node {id} is paused already"));
                    }
                    self.world_mut().pause(id);
                    if let Some(length) = length {
                        self.world_mut().resume_after(id, *length);
                    }
                }
            }
            ProcessAction::Resume(nodes) => {
                for id in self.chosen(nodes, span) {
                    if self.is_paused(id) {
                        self.world_mut().resume(id);
                        self.look(id);
                    } else {
                        self.warn(span, format!("node {id} is not paused"));
                    }
                }
            }
        }
    }

    fn is_paused(&self, id: NodeId) -> bool {
        self.world().machine(id).is_some_and(Machine::is_paused)
    }

    /// The nodes that are meant; a part that nobody plays is warned of.
    pub(super) fn chosen(&mut self, nodes: &Nodes, span: &Span) -> Vec<NodeId> {
        for selector in &nodes.0 {
            if self.select(selector.value).is_empty() {
                self.warn(span, format!("nobody is `{selector}` now"));
            }
        }
        self.select_all(nodes)
    }

    /// The nodes that are meant and run.
    fn running(&mut self, nodes: &Nodes, span: &Span) -> Vec<NodeId> {
        let chosen = self.chosen(nodes, span);
        let (up, down): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|id| self.is_up(*id));
        for id in down {
            self.warn(span, format!("node {id} is down"));
        }
        up
    }

    fn start(&mut self, id: NodeId, release: Option<Release>) {
        let release = self.setting().process_release(release);
        let rules = self.setting().rules(release);
        self.world_mut().set_rules(id, rules);
        self.world_mut().start(id);
        self.learn_ids(id);
        self.look(id);
    }

    fn crash_at(&mut self, id: NodeId, point: &DiskPoint, span: &Span) {
        let fault = DiskFault {
            operation: point.what.as_ref().map(|(operation, _)| *operation),
            name: match &point.what {
                Some((_, file)) => NamePattern::new(file),
                None => NamePattern::any(),
            },
            after: u64::from(point.nth.saturating_sub(1)),
            effect: FaultEffect::Crash,
        };
        if let Some(disk) = self.world_mut().disk_mut(id) {
            disk.arm(fault.clone());
        }
        self.armed.push((id, fault, span.clone()));
    }
}
