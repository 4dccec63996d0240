//! `start`, `stop`, `crash`, `restart`, `pause`, `resume`, `upgrade`.

use determinism::Time;
use records::NodeId;
use releases::Release;

use super::executor::Executor;
use crate::scenario::nodes::Nodes;
use crate::scenario::span::Span;
use crate::scenario::verbs::process::{DiskPoint, Process};
use crate::world::Machine;
use crate::{DiskFault, FaultEffect, NamePattern};

/// How long a clean stop may take before the process is killed.
const STOP_LIMIT: Time = Time::from_secs(30);

impl Executor<'_, '_> {
    pub(super) fn process(&mut self, process: &Process, span: &Span) {
        match process {
            Process::Start(nodes, release) => {
                for id in self.chosen(nodes, span) {
                    if self.is_up(id) {
                        self.warn(span, format!("node {id} runs already"));
                    } else {
                        self.start(id, *release);
                    }
                }
            }
            Process::Stop(nodes) => {
                let running = self.running(nodes, span);
                self.stop(&running);
            }
            Process::Crash(nodes) => {
                for id in self.running(nodes, span) {
                    self.world.crash(id);
                    self.look(id);
                }
            }
            Process::CrashAt(nodes, point) => {
                for id in self.chosen(nodes, span) {
                    self.crash_at(id, point, span);
                }
            }
            Process::Restart(nodes, release) => {
                let running = self.running(nodes, span);
                self.stop(&running);
                for id in running {
                    let release = release.or_else(|| self.last_release(id));
                    self.start(id, release);
                }
            }
            Process::Upgrade(nodes, release) => {
                let chosen = self.chosen(nodes, span);
                self.stop(&chosen);
                for id in chosen {
                    self.start(id, Some(*release));
                }
            }
            Process::Pause(nodes, length) => {
                for id in self.running(nodes, span) {
                    if self.world.machine(id).is_some_and(Machine::is_paused) {
                        self.warn(span, format!("node {id} is paused already"));
                    }
                    self.world.pause(id);
                    if let Some(length) = length {
                        self.world.resume_after(id, *length);
                    }
                }
            }
            Process::Resume(nodes) => {
                for id in self.chosen(nodes, span) {
                    if self.world.machine(id).is_some_and(Machine::is_paused) {
                        self.world.resume(id);
                        self.look(id);
                    } else {
                        self.warn(span, format!("node {id} is not paused"));
                    }
                }
            }
        }
    }

    pub(super) fn is_up(&self, id: NodeId) -> bool {
        self.world
            .machine(id)
            .is_some_and(|machine| machine.node().is_some())
    }

    /// The nodes that are meant; a part that nobody plays is warned of.
    pub(super) fn chosen(&mut self, nodes: &Nodes, span: &Span) -> Vec<NodeId> {
        for selector in &nodes.0 {
            if self.view().select(selector.value).is_empty() {
                self.warn(span, format!("nobody is `{selector}` now"));
            }
        }
        self.view().select_all(nodes)
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

    fn last_release(&self, id: NodeId) -> Option<Release> {
        self.world
            .machine(id)
            .map(|machine| machine.rules().release)
    }

    fn start(&mut self, id: NodeId, release: Option<Release>) {
        let release = self.setting.process_release(release);
        self.world.set_rules(id, self.setting.rules(release));
        self.world.start(id);
        self.learn_ids(id);
        self.look(id);
    }

    fn stop(&mut self, ids: &[NodeId]) {
        for id in ids {
            self.world.stop(*id);
            self.look(*id);
        }
        let deadline = self.world.now() + STOP_LIMIT;
        while ids.iter().any(|id| self.is_up(*id)) {
            match self.world.next_at() {
                Some(at) if at <= deadline => {
                    self.world.step();
                    if let Some(touched) = self.world.touched().map(Machine::id) {
                        self.look(touched);
                    }
                }
                _ => break,
            }
        }
        for id in ids
            .iter()
            .copied()
            .filter(|id| self.is_up(*id))
            .collect::<Vec<_>>()
        {
            self.world.crash(id);
            self.look(id);
        }
    }

    fn crash_at(&mut self, id: NodeId, point: &DiskPoint, span: &Span) {
        let fault = DiskFault {
            operation: Some(point.operation),
            name: NamePattern::new(&point.file),
            after: u64::from(point.nth.saturating_sub(1)),
            effect: FaultEffect::Crash,
        };
        if let Some(disk) = self.world.disk_mut(id) {
            disk.arm(fault.clone());
        }
        self.crashes.push((id, fault, span.clone()));
    }
}
