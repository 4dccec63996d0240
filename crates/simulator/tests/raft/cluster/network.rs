//! Time and messages.

use listener::Event;
use node::{Ended, Hearer, Payload, SeamWatcher, Thread};
use raft::message::{Errors, Request, Response};
use records::NodeId;
use simulator::world::{ADMINISTRATOR, Letter};

use super::{Cluster, telling::told};

/// What a listener is told.
#[derive(Default)]
struct Telling(Vec<String>);

impl SeamWatcher for Telling {
    fn told(&mut self, _listener: Hearer, event: &Event) {
        self.0.push(told(event));
    }
}

impl Cluster {
    /// Takes what a replica has to say after a step.
    pub(super) fn settle(&mut self, node: i32) -> Result<(), String> {
        let now_ms = self.now_ms;
        if let Some(replica) = self.running(node) {
            let now = (replica.role(), replica.epoch(), replica.leader());
            if self.seat(node)?.last.replace(now) != Some(now) {
                let leader = now.2.filter(|leader| leader.0 != node);
                let leader = leader.map_or(String::new(), |id| format!(" of {id}"));
                self.said.push(format!(
                    "{now_ms:>5} {node} is {}{leader}, epoch {}",
                    now.0, now.1
                ));
            }
        }
        for letter in self.world.take_letters() {
            match (letter.to, &letter.payload) {
                (Some(ADMINISTRATOR), Payload::RaftResponse { response, .. }) => {
                    let error = match response {
                        Response::AddRaftVoter(change) | Response::RemoveRaftVoter(change) => {
                            change.error_code
                        }
                        other => other.top_level_error(),
                    };
                    self.said
                        .push(format!("{now_ms:>5} {node} answers the client: {error}"));
                }
                (Some(_), _) => self.send(letter),
                (None, _) => {}
            }
        }
        Ok(())
    }

    fn send(&mut self, letter: Letter) {
        if self.tells_messages {
            let what = match &letter.payload {
                Payload::RaftRequest { request, .. } => name(request.api().name(), request),
                Payload::RaftResponse { response, .. } => {
                    format!("{} answer", response.api().name())
                }
                other => other.kind().to_owned(),
            };
            let to = letter.to.unwrap_or(ADMINISTRATOR);
            self.said
                .push(format!("{:>5} {} -> {to} {what}", self.now_ms, letter.from));
        }
        self.last_letter += 1;
        self.network
            .insert((self.now_ms + 1, self.last_letter), letter);
    }

    pub(super) fn run(&mut self, ms: u64) -> Result<(), String> {
        let end_ms = self.now_ms + ms;
        loop {
            let arrival = self.network.first_key_value().map(|((at, _), _)| *at);
            let due = self.due();
            let Some(next) = arrival.into_iter().chain(due.map(|(at, _)| at)).min() else {
                break;
            };
            if next > end_ms {
                break;
            }
            self.set_clock(self.now_ms.max(next));
            if arrival.is_some_and(|at| at <= self.now_ms) {
                let (_, letter) = self.network.pop_first().ok_or("a letter was there")?;
                self.arrive(letter)?;
                continue;
            }
            let node = self.first_due().ok_or("somebody was due")?;
            self.poll(node)?;
        }
        self.set_clock(end_ms);
        Ok(())
    }

    fn set_clock(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
        self.world.set_clock(determinism::Time::from_millis(now_ms));
    }

    /// When the next poll is due, and whose.
    fn due(&self) -> Option<(u64, i32)> {
        let nodes = self.seats.keys();
        let due = nodes.filter_map(|node| {
            let replica = self.running(*node)?;
            Some((replica.next_poll().as_millis(), *node))
        });
        due.min()
    }

    fn first_due(&self) -> Option<i32> {
        let now = self.world.now();
        let mut nodes = self.seats.keys();
        let due = nodes.find(|node| {
            self.running(**node)
                .is_some_and(|replica| replica.next_poll() <= now)
        });
        due.copied()
    }

    fn poll(&mut self, node: i32) -> Result<(), String> {
        *self.polls.entry(node).or_default() += 1;
        let mut telling = Telling::default();
        let outcome = self
            .world
            .run_thread(NodeId(node), Thread::Raft, &mut telling);
        self.seat(node)?.events.extend(telling.0);
        if let Err(Ended::Fault { reason, .. }) = outcome {
            self.crash(node)?;
            // What it said in its last poll is lost.
            self.world.take_letters();
            self.said
                .push(format!("{:>5} {node} ends: {reason}", self.now_ms));
        }
        self.look(node);
        self.settle(node)
    }

    fn arrive(&mut self, letter: Letter) -> Result<(), String> {
        let (from, to) = (letter.from.0, letter.to.map_or(-1, |to| to.0));
        let is_cut = from != to && (self.cut.contains(&from) || self.cut.contains(&to));
        let is_request = letter.payload.request_id().is_some();
        if is_cut || self.is_down(to) {
            if is_request && self.world.fail(&letter, Errors::BROKER_NOT_AVAILABLE) {
                self.poll(from)?;
            }
            return Ok(());
        }
        if self.world.deliver(letter) {
            self.poll(to)?;
        }
        Ok(())
    }

    /// A client's question arrives at once.
    pub(super) fn ask(&mut self, node: i32, request: Request) -> Result<(), String> {
        self.world
            .ask(NodeId(node), simulator::world::Question::Raft(request));
        for letter in self.world.take_letters() {
            self.world.deliver(letter);
        }
        self.poll(node)
    }
}

fn name(message: &str, request: &Request) -> String {
    match request {
        Request::Vote(vote) if vote.pre_vote => format!("PRE-{message}"),
        Request::FetchSnapshot(fetch) => format!("{message} from byte {}", fetch.position),
        _ => message.to_owned(),
    }
}
