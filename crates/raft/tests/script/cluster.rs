use std::collections::{BTreeMap, BTreeSet};

use determinism::Time;
use disk::MemDisk;
use listener::{Event, ListenerId, RaftClient, Reading};
use raft::message::{
    AddRaftVoterRequest, Errors, Inbound, InboundRequest, Node, Outbound, RemoveRaftVoterRequest,
    Request, Response,
};
use raft::{Address, Draws, Endpoints, ListenerName, RaftConfig, Replica, Role, WallClock};
use raft_log::batch::Batch;
use raft_log::checkpoint::{
    BOOTSTRAP_SNAPSHOT_ID, KRaftRecords, RawSnapshotWriter, SnapshotWriter,
};
use records::control::{
    KRaftVersionFeature, KRaftVersionRecord, Voter, VoterEndpoint, VotersRecord,
};
use records::metadata::{NoOpRecord, VersionedRecord};
use records::{NodeId, OffsetAndEpoch, Uuid};
use releases::{Release, Rules};

const START_MS: i64 = 1_700_000_000_000;
const PARTITION: &str = "/metadata";

/// A cluster that a script speaks to.
pub(crate) struct Cluster {
    rules: Rules,
    is_dynamic: bool,
    voters: Vec<i32>,
    now_ms: u64,
    machines: BTreeMap<i32, Machine>,
    cut: BTreeSet<i32>,
    /// By time of arrival and number.
    network: BTreeMap<(u64, u64), Packet>,
    last_packet: u64,
    said: Vec<String>,
    tells_messages: bool,
    /// Who led an epoch.
    leaders: BTreeMap<i32, i32>,
}

struct Machine {
    disk: MemDisk,
    replica: Option<Replica>,
    life: u64,
    last: Option<(Role, i32, Option<NodeId>)>,
    events: Vec<String>,
    asked: BTreeMap<u64, Asker>,
    prescribed: Vec<i32>,
}

enum Asker {
    Replica {
        node: i32,
        life: u64,
        to: Node,
        correlation_id: i32,
    },
    Client,
}

struct Packet {
    from: i32,
    to: i32,
    content: Content,
}

enum Content {
    Request {
        to: Node,
        correlation_id: i32,
        life: u64,
        request: Request,
    },
    Response {
        source: Node,
        correlation_id: i32,
        life: u64,
        response: Response,
    },
}

fn directory(node: i32) -> Uuid {
    let mut bytes = [7; 16];
    bytes[12..].copy_from_slice(&node.to_be_bytes());
    Uuid::from_bytes(bytes)
}

fn listener_name() -> ListenerName {
    ListenerName::normalised("controller")
}

fn address(node: i32) -> Address {
    Address::new("localhost", 9000 + node as u16)
}

fn name(message: &str, request: &Request) -> String {
    match request {
        Request::Vote(vote) if vote.pre_vote => format!("PRE-{message}"),
        _ => message.to_owned(),
    }
}

impl Cluster {
    pub(crate) fn new() -> Self {
        Cluster {
            rules: Release::V4_4_0.rules(),
            is_dynamic: false,
            voters: Vec::new(),
            now_ms: 0,
            machines: BTreeMap::new(),
            cut: BTreeSet::new(),
            network: BTreeMap::new(),
            last_packet: 0,
            said: Vec::new(),
            tells_messages: false,
            leaders: BTreeMap::new(),
        }
    }

    pub(crate) fn obey(&mut self, line: &str) -> Result<Vec<String>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| -> Result<i32, String> {
            let word = words.get(at).ok_or("a number is missing")?;
            word.parse().map_err(|_| format!("{word} is no number"))
        };
        match words[0] {
            "cluster" => self.begin(&words)?,
            "draws" => {
                let values: Vec<i32> = words[2..]
                    .iter()
                    .filter_map(|word| word.parse().ok())
                    .collect();
                self.machine(number(1)?)?.prescribed.extend(values);
                self.restart_unstarted(number(1)?)?;
            }
            "run" | "messages" => {
                self.tells_messages = words[0] == "messages";
                self.run(number(1)? as u64)?;
            }
            "cut" => drop(self.cut.insert(number(1)?)),
            "heal" => drop(self.cut.remove(&number(1)?)),
            "append" => self.append(number(1)?, number(2)?)?,
            "snapshot" => self.snapshot(number(1)?)?,
            "add" | "remove" => self.change_voters(words[0], number(1)?, number(3)?)?,
            "resign" => {
                let replica = self.replica(number(1)?)?;
                replica
                    .resign(replica.epoch())
                    .map_err(|error| error.to_string())?;
            }
            "shutdown" => {
                let now = self.now();
                self.replica(number(1)?)?.begin_shutdown(now);
            }
            "crash" => self.machine(number(1)?)?.replica = None,
            "start" => self.start(number(1)?)?,
            "wipe" => {
                let machine = self.machine(number(1)?)?;
                (machine.replica, machine.disk) = (None, MemDisk::new());
            }
            "state" => self.tell_states(),
            "log" => self.tell_log(number(1)?)?,
            "events" => {
                let events = std::mem::take(&mut self.machine(number(1)?)?.events);
                self.said.extend(events);
            }
            other => return Err(format!("unknown command {other}")),
        }
        Ok(std::mem::take(&mut self.said))
    }

    /// The leader of the highest epoch among the running.
    pub(crate) fn leader(&self) -> Option<i32> {
        let running = self.machines.iter().filter_map(|(node, machine)| {
            let replica = machine.replica.as_ref()?;
            (replica.role() == Role::Leader).then(|| (replica.epoch(), *node))
        });
        running.max().map(|(_, node)| node)
    }

    fn now(&self) -> Time {
        Time::from_millis(self.now_ms)
    }

    fn machine(&mut self, node: i32) -> Result<&mut Machine, String> {
        self.machines
            .get_mut(&node)
            .ok_or(format!("there is no node {node}"))
    }

    fn replica(&mut self, node: i32) -> Result<&mut Replica, String> {
        self.machine(node)?
            .replica
            .as_mut()
            .ok_or(format!("node {node} is down"))
    }

    fn begin(&mut self, words: &[&str]) -> Result<(), String> {
        *self = Cluster::new();
        let release: Release = words[1].parse().map_err(|error| format!("{error}"))?;
        self.rules = release.rules();
        self.is_dynamic = words[2] == "dynamic";
        let is_observer = words
            .iter()
            .position(|word| *word == "observers")
            .unwrap_or(words.len());
        let ids = |words: &[&str]| {
            words
                .iter()
                .filter_map(|word| word.parse().ok())
                .collect::<Vec<i32>>()
        };
        self.voters = ids(&words[4..is_observer]);
        let nodes = ids(&words[4..]);
        for node in nodes {
            let machine = Machine {
                disk: self.formatted(node),
                replica: None,
                life: 0,
                last: None,
                events: Vec::new(),
                asked: BTreeMap::new(),
                prescribed: Vec::new(),
            };
            self.machines.insert(node, machine);
            self.start(node)?;
        }
        Ok(())
    }

    /// Draws that are prescribed before anything ran count from the start on.
    fn restart_unstarted(&mut self, node: i32) -> Result<(), String> {
        if self.now_ms == 0 && self.network.is_empty() {
            let machine = self.machine(node)?;
            machine.life = 0;
            machine.replica = None;
            return self.start(node);
        }
        let values: Vec<i32> = self.machine(node)?.prescribed.drain(..).collect();
        self.replica(node)?.draws_mut().prescribe(values);
        Ok(())
    }

    fn formatted(&self, node: i32) -> MemDisk {
        let mut disk = MemDisk::new();
        if !self.is_dynamic || !self.voters.contains(&node) {
            return disk;
        }
        let voters = self.voters.iter().map(|id| Voter {
            voter_id: *id,
            voter_directory_id: directory(*id),
            endpoints: vec![VoterEndpoint {
                name: "CONTROLLER".into(),
                host: "localhost".into(),
                port: address(*id).port,
                ..Default::default()
            }],
            kraft_version_feature: KRaftVersionFeature {
                max_supported_version: 1,
                ..Default::default()
            },
            ..Default::default()
        });
        let quorum = KRaftRecords::Present {
            version: KRaftVersionRecord {
                kraft_version: 1,
                ..Default::default()
            },
            voters: Some(VotersRecord {
                voters: voters.collect(),
                ..Default::default()
            }),
        };
        let raw = RawSnapshotWriter::create(&mut disk, PARTITION, BOOTSTRAP_SNAPSHOT_ID, 1)
            .expect("a fresh disk takes a snapshot");
        let writer = SnapshotWriter::new(raw, START_MS, quorum, START_MS)
            .expect("the writer takes its first records");
        writer
            .freeze(&mut disk, START_MS)
            .expect("a fresh disk takes a snapshot");
        disk
    }

    fn start(&mut self, node: i32) -> Result<(), String> {
        let addresses: Vec<(NodeId, Address)> = self
            .voters
            .iter()
            .map(|id| (NodeId(*id), address(*id)))
            .collect();
        let config = RaftConfig {
            cluster_id: "script".into(),
            static_voters: if self.is_dynamic {
                BTreeMap::new()
            } else {
                addresses.iter().cloned().collect()
            },
            bootstrap_servers: if self.is_dynamic {
                addresses.into_iter().map(|(_, address)| address).collect()
            } else {
                Vec::new()
            },
            local_listeners: Endpoints::new([(listener_name(), address(node))]),
            clock: WallClock {
                at_start_ms: START_MS,
            },
            ..RaftConfig::defaults(NodeId(node), directory(node), PARTITION)
        };
        let (now, rules) = (self.now(), self.rules.clone());
        let machine = self.machine(node)?;
        machine.life += 1;
        let mut draws = Draws::like_java(i64::from(node) * 1000 + machine.life as i64);
        draws.prescribe(machine.prescribed.drain(..));
        let replica = Replica::open(config, &rules, now, draws, &mut machine.disk);
        let mut replica = replica.map_err(|fault| fault.to_string())?;
        replica.register_reading(Reading::AtOnce);
        machine.replica = Some(replica);
        self.settle(node);
        Ok(())
    }

    /// Takes what a replica has to say after a step.
    fn settle(&mut self, node: i32) {
        let now_ms = self.now_ms;
        let machine = self
            .machines
            .get_mut(&node)
            .expect("a machine of the cluster");
        let life = machine.life;
        let Some(replica) = &mut machine.replica else {
            return;
        };
        assert_eq!(
            replica.take_violation(),
            None,
            "the listener's contract holds"
        );
        while let Some(event) = replica.poll_listener(ListenerId(0)) {
            machine.events.push(told(&event));
        }
        let now = (replica.role(), replica.epoch(), replica.leader());
        if now.0 == Role::Leader {
            let first = *self.leaders.entry(now.1).or_insert(node);
            assert_eq!(first, node, "epoch {} has one leader", now.1);
        }
        if machine.last != Some(now) {
            let leader = now
                .2
                .filter(|leader| leader.0 != node)
                .map(|id| format!(" of {id}"));
            let leader = leader.unwrap_or_default();
            self.said.push(format!(
                "{now_ms:>5} {node} is {}{leader}, epoch {}",
                now.0, now.1
            ));
            machine.last = Some(now);
        }
        let mut packets = Vec::new();
        while let Some(outbound) = replica.poll_message() {
            match outbound {
                Outbound::Request {
                    to,
                    correlation_id,
                    request,
                } => {
                    let receiver = i32::from(to.address.port) - 9000;
                    let content = Content::Request {
                        to,
                        correlation_id,
                        life,
                        request,
                    };
                    packets.push(Packet {
                        from: node,
                        to: receiver,
                        content,
                    });
                }
                Outbound::Reply { token, response } => match machine.asked.remove(&token) {
                    Some(Asker::Replica {
                        node: asker,
                        life,
                        to,
                        correlation_id,
                    }) => {
                        let content = Content::Response {
                            source: to,
                            correlation_id,
                            life,
                            response,
                        };
                        packets.push(Packet {
                            from: node,
                            to: asker,
                            content,
                        });
                    }
                    Some(Asker::Client) => {
                        let error = match &response {
                            Response::AddRaftVoter(change) | Response::RemoveRaftVoter(change) => {
                                change.error_code
                            }
                            other => other.top_level_error(),
                        };
                        self.said
                            .push(format!("{now_ms:>5} {node} answers the client: {error}"));
                    }
                    None => {}
                },
            }
        }
        for packet in packets {
            self.send(packet);
        }
    }

    fn send(&mut self, packet: Packet) {
        if self.tells_messages {
            let what = match &packet.content {
                Content::Request { request, .. } => name(request.api().name(), request),
                Content::Response { response, .. } => format!("{} answer", response.api().name()),
            };
            self.said.push(format!(
                "{:>5} {} -> {} {what}",
                self.now_ms, packet.from, packet.to
            ));
        }
        self.last_packet += 1;
        self.network
            .insert((self.now_ms + 1, self.last_packet), packet);
    }

    fn run(&mut self, ms: u64) -> Result<(), String> {
        let end_ms = self.now_ms + ms;
        loop {
            let arrival = self.network.first_key_value().map(|((at, _), _)| *at);
            let due = self
                .machines
                .values()
                .filter_map(|machine| machine.replica.as_ref());
            let due = due.map(|replica| replica.next_poll().as_millis()).min();
            let Some(next) = [arrival, due].into_iter().flatten().min() else {
                break;
            };
            if next > end_ms {
                break;
            }
            self.now_ms = self.now_ms.max(next);
            if arrival.is_some_and(|at| at <= self.now_ms) {
                let (_, packet) = self.network.pop_first().ok_or("a packet was there")?;
                self.arrive(packet)?;
                continue;
            }
            let now = self.now();
            let node = self.machines.iter().find(|(_, machine)| {
                machine
                    .replica
                    .as_ref()
                    .is_some_and(|replica| replica.next_poll() <= now)
            });
            let node = *node.ok_or("somebody was due")?.0;
            self.poll(node, None)?;
        }
        self.now_ms = end_ms;
        Ok(())
    }

    fn poll(&mut self, node: i32, inbound: Option<Inbound>) -> Result<(), String> {
        let now = self.now();
        let machine = self.machine(node)?;
        if let Some(replica) = &mut machine.replica
            && let Err(fault) = replica.poll(now, &mut machine.disk, inbound)
        {
            machine.replica = None;
            let line = format!("{:>5} {node} ends: {fault}", self.now_ms);
            self.said.push(line);
        }
        self.settle(node);
        Ok(())
    }

    fn arrive(&mut self, packet: Packet) -> Result<(), String> {
        let Packet { from, to, content } = packet;
        let is_cut = from != to && (self.cut.contains(&from) || self.cut.contains(&to));
        let token = self.last_packet + 1;
        self.last_packet = token;
        match content {
            Content::Request {
                to: destination,
                correlation_id,
                life,
                request,
            } => {
                let version = request.api().latest_version(&self.rules.raft);
                let machine = self.machine(to)?;
                if is_cut || machine.replica.is_none() {
                    let response = Response::failed(request.api(), Errors::BROKER_NOT_AVAILABLE);
                    let source = destination;
                    let asker = self.machine(from)?;
                    if asker.life != life {
                        return Ok(());
                    }
                    return self.poll(
                        from,
                        Some(Inbound::Response {
                            source,
                            correlation_id,
                            response,
                        }),
                    );
                }
                let asker = Asker::Replica {
                    node: from,
                    life,
                    to: destination,
                    correlation_id,
                };
                machine.asked.insert(token, asker);
                let request = request
                    .at_version(version)
                    .map_err(|error| error.to_string())?;
                self.poll(to, Some(inbound(token, version, request)))
            }
            Content::Response {
                source,
                correlation_id,
                life,
                response,
            } => {
                let is_gone = self.machine(to)?.life != life;
                if is_cut || is_gone {
                    return Ok(());
                }
                self.poll(
                    to,
                    Some(Inbound::Response {
                        source,
                        correlation_id,
                        response,
                    }),
                )
            }
        }
    }

    fn append(&mut self, node: i32, count: i32) -> Result<(), String> {
        let now = self.now();
        let replica = self.replica(node)?;
        let records: Vec<VersionedRecord> = (0..count)
            .map(|_| VersionedRecord::new(0, NoOpRecord::default()))
            .collect();
        let epoch = replica.epoch();
        let offset = replica
            .prepare_append(now, epoch, &records)
            .map_err(|error| error.to_string())?;
        replica
            .schedule_prepared_append(now)
            .map_err(|error| error.to_string())?;
        self.said.push(format!(
            "{:>5} {node} prepares up to offset {offset}",
            self.now_ms
        ));
        Ok(())
    }

    fn snapshot(&mut self, node: i32) -> Result<(), String> {
        let (now, now_ms) = (self.now(), self.now_ms);
        let machine = self.machine(node)?;
        let replica = machine.replica.as_mut().ok_or("it is down")?;
        let offset = Replica::high_watermark(replica).ok_or("no high watermark is known")?;
        let epoch = replica.log().epochs().epoch_at(offset - 1).unwrap_or(0);
        let id = OffsetAndEpoch::new(offset, epoch);
        let writer = replica.create_snapshot(now, &mut machine.disk, id, START_MS);
        let said = match writer.map_err(|error| error.to_string())? {
            None => format!("{now_ms:>5} {node} has checkpoint {id} already"),
            Some(mut writer) => {
                let record = VersionedRecord::new(0, NoOpRecord::default());
                writer
                    .append(&mut machine.disk, &[record], START_MS)
                    .map_err(|e| e.to_string())?;
                replica
                    .freeze_snapshot(now, &mut machine.disk, writer)
                    .map_err(|e| e.to_string())?;
                format!("{now_ms:>5} {node} writes checkpoint {id}")
            }
        };
        self.said.push(said);
        Ok(())
    }

    fn change_voters(&mut self, what: &str, node: i32, leader: i32) -> Result<(), String> {
        let (voter_id, voter_directory_id) = (node, directory(node));
        let request = if what == "add" {
            Request::AddRaftVoter(AddRaftVoterRequest {
                cluster_id: None,
                timeout_ms: 1000,
                voter_id,
                voter_directory_id,
                listeners: Endpoints::new([(listener_name(), address(node))]),
                ack_when_committed: true,
            })
        } else {
            Request::RemoveRaftVoter(RemoveRaftVoterRequest {
                cluster_id: None,
                voter_id,
                voter_directory_id,
            })
        };
        self.last_packet += 1;
        let token = self.last_packet;
        let version = request.api().latest_version(&self.rules.raft);
        self.machine(leader)?.asked.insert(token, Asker::Client);
        self.poll(leader, Some(inbound(token, version, request)))
    }

    fn tell_states(&mut self) {
        for (node, machine) in &self.machines {
            let line = match &machine.replica {
                None => format!("{node} is down"),
                Some(replica) => {
                    let id =
                        |node: Option<NodeId>| node.map_or("-".to_owned(), |id| id.to_string());
                    let high_watermark = Replica::high_watermark(replica);
                    format!(
                        "{node} {} epoch {} leader {} voted {} hw {} log {}..{} voters {}",
                        replica.role(),
                        replica.epoch(),
                        id(replica.leader()),
                        id(replica.voted_key().map(|key| key.id)),
                        high_watermark.map_or("-".to_owned(), |offset| offset.to_string()),
                        replica.log().start_offset(),
                        replica.log().end_offset(),
                        replica
                            .voters()
                            .voter_ids()
                            .map(|id| id.to_string())
                            .collect::<Vec<_>>()
                            .join(","),
                    )
                }
            };
            self.said.push(line);
        }
    }

    fn tell_log(&mut self, node: i32) -> Result<(), String> {
        let lines: Vec<String> = self
            .replica(node)?
            .log()
            .batches()
            .map(batch_line)
            .collect();
        self.said.extend(lines);
        Ok(())
    }
}

fn inbound(token: u64, api_version: i16, request: Request) -> Inbound {
    Inbound::Request(InboundRequest {
        token,
        listener_name: listener_name(),
        api_version,
        request,
    })
}

fn batch_line(batch: &Batch) -> String {
    let range = format!(
        "{}-{} epoch {}",
        batch.base_offset(),
        batch.last_offset(),
        batch.leader_epoch()
    );
    if !batch.is_control() {
        return format!("{range}: {} records", batch.count());
    }
    let records = batch.control_records().expect("control records of our own");
    let names: Vec<&str> = records
        .iter()
        .map(records::control::ControlRecord::type_name)
        .collect();
    format!("{range}: {}", names.join(" "))
}

fn told(event: &Event) -> String {
    match event {
        Event::LoadSnapshot(reader) => format!("load snapshot {}", reader.snapshot_id),
        Event::LoadBootstrap(reader) => format!("load bootstrap {}", reader.snapshot_id),
        Event::Commit(committed) => {
            format!(
                "commit {}-{} from {:?}",
                committed.base_offset,
                committed.last_offset(),
                committed.source
            )
        }
        Event::LeaderChange(leader) => leader.to_string(),
        Event::BeginShutdown => "shutdown".to_owned(),
    }
}
