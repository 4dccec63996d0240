//! `cut`, `isolate`, `split`, `mend`, `heal`, `delay`, `drop`.

use records::NodeId;

use crate::run::action::{DropWhich, LinkEnds, MessageKind, NetworkAction, NodeSelector, Nodes};
use crate::run::{Run, Span, Spanned};
use crate::world::Machine;
use crate::{Direction, DropRule, LinkState};

impl Run {
    pub(in crate::run) fn network(&mut self, network: &NetworkAction, span: &Span) {
        match network {
            NetworkAction::Cut(a, b) => {
                let (a, b) = (self.one_side(a, span), self.one_side(b, span));
                self.cut_between(&a, &b, span);
            }
            NetworkAction::CutOneWay(link) => {
                let directions = self.directions(link, span);
                self.cut(directions, span);
            }
            NetworkAction::Isolate(nodes) => {
                let chosen = self.chosen(nodes, span);
                let others: Vec<NodeId> = self
                    .everybody()
                    .into_iter()
                    .filter(|id| !chosen.contains(id))
                    .collect();
                self.cut_between(&chosen, &others, span);
            }
            NetworkAction::Split(sides) => {
                let sides: Vec<Vec<NodeId>> =
                    sides.iter().map(|side| self.chosen(side, span)).collect();
                for (i, one) in sides.iter().enumerate() {
                    for other in &sides[i + 1..] {
                        self.cut_between(one, other, span);
                    }
                }
            }
            NetworkAction::Mend(a, b) => {
                let link = |from: &Spanned<NodeSelector>, to: &Spanned<NodeSelector>| LinkEnds {
                    from: from.clone(),
                    to: to.clone(),
                };
                self.mend(&link(a, b), span);
                self.mend(&link(b, a), span);
            }
            NetworkAction::MendOneWay(link) => self.mend(link, span),
            NetworkAction::Heal => self.world_mut().network_mut().heal(),
            NetworkAction::Delay(link, by) => {
                for direction in self.directions(link, span) {
                    let delay = self.world().network().default_delay() + *by;
                    self.world_mut().network_mut().set_delay(direction, delay);
                }
            }
            NetworkAction::Drop { kind, link, which } => {
                self.drop_messages(*kind, link.as_ref(), *which, span);
            }
        }
    }

    fn everybody(&self) -> Vec<NodeId> {
        self.world().machines().map(Machine::id).collect()
    }

    fn one_side(&mut self, node: &Spanned<NodeSelector>, span: &Span) -> Vec<NodeId> {
        self.chosen(&Nodes(vec![node.clone()]), span)
    }

    /// The directions of a link between two nodes, or between those that play two parts.
    fn directions(&mut self, link: &LinkEnds, span: &Span) -> Vec<Direction> {
        let (from, to) = (
            self.one_side(&link.from, span),
            self.one_side(&link.to, span),
        );
        let pairs = from.iter().flat_map(|from| {
            to.iter().map(|to| Direction {
                from: *from,
                to: *to,
            })
        });
        let directions: Vec<Direction> = pairs.filter(|pair| pair.from != pair.to).collect();
        if directions.is_empty() {
            self.warn(
                span,
                format!("no link leads from {} to {}", link.from, link.to),
            );
        }
        for id in from.into_iter().chain(to) {
            self.warn_if_down(id, span);
        }
        directions
    }

    fn warn_if_down(&mut self, id: NodeId, span: &Span) {
        let machine = self.world().machine(id);
        // One that never ran may be meant to start later.
        let ran = machine.is_some_and(|machine| machine.starts() > 0);
        if ran && !self.is_up(id) {
            self.warn(span, format!("node {id} is down: nothing passes there now"));
        }
    }

    /// The link is as if nothing had been done to it.
    fn mend(&mut self, link: &LinkEnds, span: &Span) {
        for direction in self.directions(link, span) {
            let usual = self.world().network().default_delay();
            let network = self.world_mut().network_mut();
            network.set_state(direction, LinkState::Open);
            network.set_delay(direction, usual);
        }
    }

    fn cut_between(&mut self, one: &[NodeId], other: &[NodeId], span: &Span) {
        let mut directions = Vec::new();
        for a in one {
            for b in other.iter().filter(|b| *b != a) {
                directions.push(Direction { from: *a, to: *b });
                directions.push(Direction { from: *b, to: *a });
            }
        }
        self.cut(directions, span);
    }

    fn cut(&mut self, directions: Vec<Direction>, span: &Span) {
        let network = self.world().network();
        let cut = |direction: &Direction| network.state(*direction) == LinkState::Cut;
        if !directions.is_empty() && directions.iter().all(cut) {
            self.warn(span, "nothing passes there already".to_owned());
        }
        for direction in directions {
            self.world_mut()
                .network_mut()
                .set_state(direction, LinkState::Cut);
        }
    }

    fn drop_messages(
        &mut self,
        kind: MessageKind,
        link: Option<&LinkEnds>,
        which: DropWhich,
        span: &Span,
    ) {
        let registers = kind == MessageKind::ControllerRegistrationRequest;
        let kind = match kind {
            MessageKind::Any => None,
            named => Some(named.name()),
        };
        let (after, count) = match which {
            DropWhich::All => (0, u64::MAX),
            DropWhich::Next { count, after } => (u64::from(after), u64::from(count)),
        };
        if count == 0 {
            self.warn(span, "nothing is dropped".to_owned());
        }
        let directions = match link {
            None => vec![None],
            // The leader registers with itself.
            Some(LinkEnds { from, to }) if from.value == to.value && registers => {
                let itself = self.one_side(from, span).into_iter();
                itself
                    .map(|id| Some(Direction { from: id, to: id }))
                    .collect()
            }
            Some(link) => self.directions(link, span).into_iter().map(Some).collect(),
        };
        for direction in directions {
            self.world_mut().network_mut().drop_messages(DropRule {
                direction,
                kind,
                after,
                count,
            });
        }
    }
}
