//! Replicas, their disks, and messages that are delivered when told.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use determinism::Time;
use disk::MemDisk;
use listener::{CommitSource, Event, ListenerId, RaftClient, Reading};
use raft::message::{Errors, Inbound, InboundRequest, Node, Outbound, Request, Response};
use raft::{
    Address, Draws, Endpoints, ListenerName, RaftConfig, Replica, SupportedVersionRange, WallClock,
};
use raft_log::checkpoint::{
    BOOTSTRAP_SNAPSHOT_ID, KRaftRecords, RawSnapshotWriter, SnapshotWriter,
};
use records::control::{
    KRaftVersionFeature, KRaftVersionRecord, Voter, VoterEndpoint, VotersRecord,
};
use records::metadata::{FeatureLevelRecord, NoOpRecord, VersionedRecord};
use records::{NodeId, OffsetAndEpoch, Uuid};
use releases::{Release, Rules};
use serde_json::{Map, Value, json};

use super::bodies;

const CLUSTER_ID: &str = "a3JhZnRzaW0tb3JhY2xlMQ";

/// The driver of the schedules.
pub(crate) struct Cluster {
    rules: Rules,
    setup: Value,
    now_ms: i64,
    start_ms: i64,
    machines: BTreeMap<i32, Machine>,
    flights: BTreeMap<u64, Flight>,
    fresh: Vec<Value>,
    next_flight: u64,
    next_op: u64,
    last_states: BTreeMap<i32, Value>,
}

struct Machine {
    disk: MemDisk,
    replica: Option<Replica>,
    doomed: bool,
    life: i64,
    inbox: Vec<(u64, Inbound)>,
    timeout_ms: i64,
    calls: Vec<Value>,
    ops: Vec<Value>,
    prescribed: Vec<i32>,
    draws: Vec<Value>,
    /// What the replica's tokens stand for.
    asked: BTreeMap<u64, Asked>,
}

#[derive(Clone)]
enum Asked {
    Flight {
        id: u64,
        from: i32,
        from_life: i64,
        version: i16,
        correlation: i32,
        to: Node,
    },
    Client {
        op: u64,
        version: i16,
    },
}

#[derive(Clone)]
struct Flight {
    from: i32,
    to: i32,
    from_life: i64,
    to_life: i64,
    version: i16,
    correlation: i32,
    destination: Node,
    payload: Payload,
    in_reply_to: Option<u64>,
}

#[derive(Clone)]
enum Payload {
    Request(Request),
    Response(Response),
}

fn integers(value: &Value) -> Vec<i32> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_i64)
        .map(|n| n as i32)
        .collect()
}

fn directory_id(node: i32) -> Uuid {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&0x4b72_6166_7453_6d00_u64.to_be_bytes());
    bytes[8..].copy_from_slice(&(node as u64).to_be_bytes());
    Uuid::from_bytes(bytes)
}

fn listener_name() -> ListenerName {
    ListenerName::normalised("CONTROLLER")
}

fn address(node: i32) -> Address {
    Address::new("localhost", (9000 + node) as u16)
}

fn feature(level: i16) -> VersionedRecord {
    let record = FeatureLevelRecord {
        name: "metadata.version".to_owned(),
        feature_level: level,
        ..Default::default()
    };
    VersionedRecord::new(0, record)
}

fn noops(count: i64) -> Vec<VersionedRecord> {
    (0..count)
        .map(|_| VersionedRecord::new(0, NoOpRecord::default()))
        .collect()
}

impl Cluster {
    pub(crate) fn new(setup: &Value, release: &str) -> Result<Cluster, String> {
        let release: Release = release.parse().map_err(|error| format!("{error}"))?;
        let start_ms = setup["clock"].as_i64().unwrap_or(1_700_000_000_000);
        let mut cluster = Cluster {
            rules: release.rules(),
            setup: setup.clone(),
            now_ms: start_ms,
            start_ms,
            machines: BTreeMap::new(),
            flights: BTreeMap::new(),
            fresh: Vec::new(),
            next_flight: 1,
            next_op: 1,
            last_states: BTreeMap::new(),
        };
        for node in [integers(&setup["nodes"]), integers(&setup["observers"])].concat() {
            let prescribed = integers(&setup["draws"][node.to_string()]);
            let machine = Machine {
                disk: cluster.formatted(node),
                replica: None,
                doomed: false,
                life: 0,
                inbox: Vec::new(),
                timeout_ms: -1,
                calls: Vec::new(),
                ops: Vec::new(),
                prescribed,
                draws: Vec::new(),
                asked: BTreeMap::new(),
            };
            cluster.machines.insert(node, machine);
        }
        let nodes: Vec<i32> = cluster.machines.keys().copied().collect();
        for node in nodes {
            cluster.start(node)?;
        }
        Ok(cluster)
    }

    fn now(&self) -> Time {
        Time::from_millis((self.now_ms - self.start_ms) as u64)
    }

    fn is_dynamic(&self) -> bool {
        self.setup["quorum"] == "dynamic"
    }

    /// What the release's format tool leaves, as far as raft looks at it.
    fn formatted(&self, node: i32) -> MemDisk {
        let mut disk = MemDisk::new();
        let voters = integers(&self.setup["nodes"]);
        let is_voter = voters.contains(&node);
        let has_metadata = bodies::has_metadata_in_zero_checkpoint(self.rules.release);
        let is_dynamic_voter = self.is_dynamic() && is_voter;
        if !(has_metadata || is_dynamic_voter) {
            return disk;
        }
        let quorum = if self.is_dynamic() {
            let voters = is_voter.then(|| VotersRecord {
                voters: voters.iter().map(|id| voter(*id)).collect(),
                ..Default::default()
            });
            let version = KRaftVersionRecord {
                kraft_version: 1,
                ..Default::default()
            };
            KRaftRecords::Present { version, voters }
        } else {
            KRaftRecords::Absent
        };
        let raw = RawSnapshotWriter::create(&mut disk, "/m", BOOTSTRAP_SNAPSHOT_ID, 1).unwrap();
        let mut writer = SnapshotWriter::new(raw, self.start_ms, quorum, self.start_ms).unwrap();
        if has_metadata {
            writer
                .append(&mut disk, &[feature(20)], self.start_ms)
                .unwrap();
        }
        writer.freeze(&mut disk, self.start_ms).unwrap();
        disk
    }

    fn config(&self, node: i32) -> RaftConfig {
        let voters = integers(&self.setup["nodes"]);
        let addresses = || voters.iter().map(|id| (NodeId(*id), address(*id)));
        let joins =
            &self.setup["node_props"][node.to_string()]["controller.quorum.auto.join.enable"];
        let mut defaults = RaftConfig::defaults(NodeId(node), directory_id(node), "/m");
        let property = |name: &str| {
            self.setup["props"][name]
                .as_str()
                .and_then(|text| text.parse().ok())
        };
        if let Some(ms) = property("metadata.max.retention.ms") {
            defaults.log.retention_ms = ms;
        }
        if let Some(bytes) = property("metadata.max.retention.bytes") {
            defaults.log.retention_bytes = bytes;
        }
        RaftConfig {
            cluster_id: CLUSTER_ID.into(),
            static_voters: if self.is_dynamic() {
                BTreeMap::new()
            } else {
                addresses().collect()
            },
            bootstrap_servers: if self.is_dynamic() {
                addresses().map(|(_, address)| address).collect()
            } else {
                Vec::new()
            },
            local_listeners: Endpoints::new([(listener_name(), address(node))]),
            auto_join: if joins == "true" {
                raft::AutoJoinSetting::Enabled
            } else {
                raft::AutoJoinSetting::Disabled
            },
            clock: WallClock {
                at_start_ms: self.start_ms,
            },
            ..defaults
        }
    }

    fn start(&mut self, node: i32) -> Result<(), String> {
        let (config, now, rules) = (self.config(node), self.now(), self.rules.clone());
        let seed = self.setup["seed"].as_i64().unwrap_or(1) * 1000 + i64::from(node) * 10;
        let machine = self.machines.get_mut(&node).ok_or("no such node")?;
        machine.life += 1;
        machine.doomed = false;
        machine.inbox.clear();
        machine.asked.clear();
        machine.timeout_ms = -1;
        let mut draws = Draws::like_java(seed + (machine.life - 1) * 100_000);
        draws.keep_log();
        draws.prescribe(machine.prescribed.drain(..));
        let replica = Replica::open(config, &rules, now, draws, &mut machine.disk);
        let mut replica =
            replica.map_err(|fault| format!("node {node} does not start: {fault}"))?;
        replica.register_reading(Reading::AtOnce);
        machine.replica = Some(replica);
        self.collect(node);
        Ok(())
    }

    pub(crate) fn answer_to_init(&mut self) -> Value {
        let mut answer = Map::new();
        answer.insert("ok".into(), true.into());
        self.finish(answer)
    }

    fn finish(&mut self, mut answer: Map<String, Value>) -> Value {
        let mut changed = Vec::new();
        for node in self.machines.keys().copied().collect::<Vec<_>>() {
            let state = self.state(node);
            let plain = without_news(&state);
            let has_news = ["calls", "ops", "draws"]
                .iter()
                .any(|key| state[key].as_array().is_some_and(|list| !list.is_empty()));
            if has_news || self.last_states.get(&node) != Some(&plain) {
                changed.push(state);
                let machine = self.machines.get_mut(&node).unwrap();
                machine.calls.clear();
                machine.ops.clear();
                machine.draws.clear();
                self.last_states.insert(node, plain);
            }
        }
        answer.insert("changed".into(), changed.into());
        answer.insert("now".into(), self.now_ms.into());
        answer.insert("sent".into(), std::mem::take(&mut self.fresh).into());
        Value::Object(answer)
    }

    fn state(&self, node: i32) -> Value {
        let machine = &self.machines[&node];
        let mut state = Map::new();
        state.insert("node".into(), node.into());
        state.insert(
            "up".into(),
            (machine.replica.is_some() && !machine.doomed).into(),
        );
        if let Some(replica) = &machine.replica {
            let log = replica.log();
            let id = |node: Option<NodeId>| node.map_or(-1, |id| id.0);
            state.insert("role".into(), replica.role().name().into());
            state.insert("epoch".into(), replica.epoch().into());
            state.insert("leader".into(), id(replica.leader()).into());
            state.insert(
                "voted".into(),
                id(replica.voted_key().map(|key| key.id)).into(),
            );
            let high_watermark = Replica::high_watermark(replica).unwrap_or(-1);
            state.insert("high_watermark".into(), high_watermark.into());
            state.insert("log_end".into(), log.end_offset().into());
            state.insert("log_start".into(), log.start_offset().into());
            state.insert("last_epoch".into(), log.last_epoch().into());
            let snapshot = log.latest_snapshot_id();
            let snapshot = snapshot.map(|id| format!("{}-{}", id.offset, id.epoch));
            state.insert("snapshot".into(), snapshot.into());
            let voters: Vec<String> = replica
                .voters()
                .voter_ids()
                .map(|id| id.to_string())
                .collect();
            state.insert("voters".into(), voters.join(" ").into());
            let kraft_version = format!("KRAFT_VERSION_{}", replica.log_kraft_version());
            state.insert("kraft_version".into(), kraft_version.into());
            state.insert("next_poll_within".into(), machine.timeout_ms.into());
            state.insert("woken".into(), replica.is_woken().into());
            let inbox: Vec<u64> = machine.inbox.iter().map(|(id, _)| *id).collect();
            state.insert("inbox".into(), inbox.into());
        }
        state.insert("calls".into(), machine.calls.clone().into());
        state.insert("ops".into(), machine.ops.clone().into());
        state.insert("draws".into(), machine.draws.clone().into());
        Value::Object(state)
    }

    pub(crate) fn run(&mut self, command: &Value) -> Value {
        let mut answer = Map::new();
        match self.obey(command, &mut answer) {
            Ok(()) => answer.insert("ok".into(), true.into()),
            Err(error) => answer.insert("error".into(), error.into()),
        };
        self.finish(answer)
    }

    fn obey(&mut self, command: &Value, answer: &mut Map<String, Value>) -> Result<(), String> {
        let node = command["node"].as_i64().unwrap_or(-1) as i32;
        match command["cmd"].as_str().unwrap_or_default() {
            "advance" => {
                self.now_ms += command["ms"].as_i64().unwrap_or(0);
                for node in self.machines.keys().copied().collect::<Vec<_>>() {
                    let now = self.now();
                    let machine = self.machines.get_mut(&node).unwrap();
                    if let (Some(replica), false) = (&mut machine.replica, machine.doomed) {
                        replica.run_background(now, &mut machine.disk).unwrap();
                    }
                    self.collect(node);
                }
            }
            "poll" => {
                let handled = self.poll(node)?;
                answer.insert("handled".into(), handled.into());
                let timeout_ms = self.machines[&node].timeout_ms;
                answer.insert("next_poll_within".into(), timeout_ms.into());
            }
            "deliver" => self.deliver(command, answer)?,
            "drop" => {
                self.flights
                    .remove(&command["id"].as_u64().unwrap_or(0))
                    .ok_or("not in flight")?;
            }
            "fail" => self.fail(command, answer)?,
            "append" => {
                let now = self.now();
                let replica = self.running(node)?;
                let records = noops(command["noops"].as_i64().unwrap_or(0));
                let epoch = command["epoch"].as_i64().unwrap_or(0) as i32;
                let offset = replica.prepare_append(now, epoch, &records);
                answer.insert(
                    "last_offset".into(),
                    offset.map_err(|e| e.to_string())?.into(),
                );
                replica
                    .schedule_prepared_append(now)
                    .map_err(|e| e.to_string())?;
            }
            "snapshot" => self.snapshot(node, command, answer)?,
            "resign" => {
                let epoch = command["epoch"].as_i64().unwrap_or(0) as i32;
                self.running(node)?
                    .resign(epoch)
                    .map_err(|error| error.to_string())?;
            }
            "shutdown" => {
                let now = self.now();
                self.running(node)?.shutdown(now, 5000);
            }
            "restart" => {
                self.machines.get_mut(&node).ok_or("no such node")?.replica = None;
                if command["wipe"] == true {
                    let disk = self.formatted(node);
                    self.machines.get_mut(&node).ok_or("no such node")?.disk = disk;
                }
                self.start(node)?;
            }
            "request" => self.request(node, command, answer)?,
            "log" => {
                let machine = self.machines.get_mut(&node).ok_or("no such node")?;
                let replica = machine.replica.as_ref().ok_or("is down")?;
                let batches: Vec<Value> = replica.log().batches().map(bodies::batch).collect();
                answer.insert("batches".into(), batches.into());
            }
            other => return Err(format!("unknown command {other}")),
        }
        Ok(())
    }

    fn running(&mut self, node: i32) -> Result<&mut Replica, String> {
        let machine = self.machines.get_mut(&node).ok_or("no such node")?;
        match (&mut machine.replica, machine.doomed) {
            (Some(replica), false) => Ok(replica),
            _ => Err(format!("node {node} is down")),
        }
    }

    fn poll(&mut self, node: i32) -> Result<Option<u64>, String> {
        let now = self.now();
        self.running(node)?;
        let machine = self.machines.get_mut(&node).unwrap();
        let Some(replica) = &mut machine.replica else {
            return Ok(None);
        };
        let next = (!machine.inbox.is_empty()).then(|| machine.inbox.remove(0));
        let (handled, inbound) =
            next.map_or((None, None), |(id, inbound)| (Some(id), Some(inbound)));
        let mut handled = handled;
        if let Err(fault) = replica.poll(now, &mut machine.disk, inbound.clone()) {
            let text = fault.to_string();
            machine.calls.push(json!({
                "call": "fault", "fatal": true, "message": "Unexpected error in raft IO thread", "cause": text,
            }));
            machine.doomed = true;
        }
        let replica = machine.replica.as_mut().unwrap();
        if !replica.is_running() {
            // Kafka's poll returns before it looks at its messages.
            if let (Some(id), Some(inbound)) = (handled.take(), inbound) {
                machine.inbox.insert(0, (id, inbound));
            }
        }
        if replica.is_running() {
            machine.timeout_ms = replica.next_poll_within_ms();
        }
        self.collect(node);
        Ok(handled)
    }

    /// Takes what a replica has to say.
    fn collect(&mut self, node: i32) {
        let machine = self.machines.get_mut(&node).unwrap();
        let Some(replica) = &mut machine.replica else {
            return;
        };
        for draw in replica.draws_mut().take_log() {
            machine
                .draws
                .push(format!("raft {} {}", draw.bound, draw.value).into());
        }
        while let Some(event) = replica.poll_listener(ListenerId(0)) {
            machine.calls.push(call(&event));
        }
        if let Some(violation) = replica.take_violation() {
            machine
                .calls
                .push(json!({ "violation": violation.to_string() }));
        }
        let mut launched = Vec::new();
        while let Some(outbound) = replica.poll_message() {
            let life = machine.life;
            match outbound {
                Outbound::Request {
                    to,
                    correlation_id,
                    request,
                } => {
                    let version = request.api().latest_version(&self.rules.raft);
                    launched.push(Flight {
                        from: node,
                        to: i32::from(to.address.port) - 9000,
                        from_life: life,
                        to_life: 0,
                        version,
                        correlation: correlation_id,
                        destination: to,
                        payload: Payload::Request(request.at_version(version).unwrap()),
                        in_reply_to: None,
                    });
                }
                Outbound::Reply { token, response } => match machine.asked.remove(&token) {
                    Some(Asked::Flight {
                        id,
                        from,
                        from_life,
                        version,
                        correlation,
                        to,
                    }) => {
                        launched.push(Flight {
                            from: node,
                            to: from,
                            from_life: life,
                            to_life: from_life,
                            version,
                            correlation,
                            destination: to,
                            payload: Payload::Response(response),
                            in_reply_to: Some(id),
                        });
                    }
                    Some(Asked::Client { op, version }) => {
                        let result = bodies::response(&response, version);
                        machine.ops.push(json!({ "op": op, "result": result }));
                    }
                    None => {}
                },
            }
        }
        for flight in launched {
            self.launch(flight);
        }
    }

    fn launch(&mut self, flight: Flight) {
        let id = self.next_flight;
        self.next_flight += 1;
        self.fresh.push(self.describe(id, &flight));
        self.flights.insert(id, flight);
    }

    fn describe(&self, id: u64, flight: &Flight) -> Value {
        let (kind, api, body, batches) = match &flight.payload {
            Payload::Request(request) => {
                let body = bodies::request(request, flight.version, &self.rules);
                ("request", request.api(), body, Vec::new())
            }
            Payload::Response(response) => {
                let body = bodies::response(response, flight.version);
                ("response", response.api(), body, bodies::batches(response))
            }
        };
        let mut told = json!({
            "id": id, "kind": kind, "api": api.name(), "from": flight.from, "to": flight.to,
            "version": flight.version, "correlation": flight.correlation, "body": body,
        });
        if let Some(request) = flight.in_reply_to {
            told["in_reply_to"] = request.into();
        }
        if !batches.is_empty() {
            told["batches"] = batches.into();
        }
        told
    }

    fn deliver(&mut self, command: &Value, answer: &mut Map<String, Value>) -> Result<(), String> {
        let id = command["id"].as_u64().unwrap_or(0);
        let flight = self.flights.remove(&id).ok_or("not in flight")?;
        let machine = self.machines.get_mut(&flight.to).ok_or("no such node")?;
        let is_up = machine.replica.is_some() && !machine.doomed;
        match flight.payload {
            _ if !is_up => drop(answer.insert("lost".into(), true.into())),
            Payload::Request(Request::ApiVersions) => {
                let response = machine.replica.as_ref().unwrap().answer_api_versions();
                let life = machine.life;
                self.launch(Flight {
                    from: flight.to,
                    to: flight.from,
                    from_life: life,
                    to_life: flight.from_life,
                    payload: Payload::Response(Response::ApiVersions(response)),
                    in_reply_to: Some(id),
                    ..flight
                });
            }
            Payload::Request(request) => {
                let asked = Asked::Flight {
                    id,
                    from: flight.from,
                    from_life: flight.from_life,
                    version: flight.version,
                    correlation: flight.correlation,
                    to: flight.destination,
                };
                machine.asked.insert(id, asked);
                let inbound = InboundRequest {
                    token: id,
                    listener_name: listener_name(),
                    api_version: flight.version,
                    request,
                };
                machine.inbox.push((id, Inbound::Request(inbound)));
            }
            Payload::Response(_) if machine.life != flight.to_life => {
                answer.insert("lost".into(), true.into());
            }
            Payload::Response(response) => {
                let inbound = Inbound::Response {
                    source: flight.destination,
                    correlation_id: flight.correlation,
                    response,
                };
                machine.inbox.push((id, inbound));
            }
        }
        Ok(())
    }

    fn fail(&mut self, command: &Value, answer: &mut Map<String, Value>) -> Result<(), String> {
        let id = command["id"].as_u64().unwrap_or(0);
        let flight = self.flights.remove(&id).ok_or("not in flight")?;
        let (asker, life, api) = match &flight.payload {
            Payload::Request(request) => (flight.from, flight.from_life, request.api()),
            Payload::Response(response) => (flight.to, flight.to_life, response.api()),
        };
        let machine = self.machines.get_mut(&asker).ok_or("no such node")?;
        if machine.replica.is_none() || machine.life != life {
            answer.insert("lost".into(), true.into());
            return Ok(());
        }
        let response = Response::failed(api, Errors::BROKER_NOT_AVAILABLE);
        let inbound = Inbound::Response {
            source: flight.destination,
            correlation_id: flight.correlation,
            response,
        };
        machine.inbox.push((id, inbound));
        Ok(())
    }

    fn request(
        &mut self,
        node: i32,
        command: &Value,
        answer: &mut Map<String, Value>,
    ) -> Result<(), String> {
        let request = bodies::client_request(command)?;
        let api = request.api();
        let version = api.latest_version(&self.rules.raft);
        self.running(node)?;
        let op = self.next_op;
        self.next_op += 1;
        answer.insert("op".into(), op.into());
        let machine = self.machines.get_mut(&node).unwrap();
        // Tokens of clients do not meet those of flights.
        let token = 1_000_000 + op;
        machine.asked.insert(token, Asked::Client { op, version });
        let inbound = InboundRequest {
            token,
            listener_name: listener_name(),
            api_version: version,
            request,
        };
        machine.inbox.push((0, Inbound::Request(inbound)));
        Ok(())
    }

    fn snapshot(
        &mut self,
        node: i32,
        command: &Value,
        answer: &mut Map<String, Value>,
    ) -> Result<(), String> {
        let now = self.now();
        self.running(node)?;
        let machine = self.machines.get_mut(&node).unwrap();
        let replica = machine.replica.as_mut().unwrap();
        let high_watermark = Replica::high_watermark(replica).unwrap_or(-1);
        let offset = command["offset"].as_i64().unwrap_or(high_watermark);
        let epoch = command["epoch"].as_i64().unwrap_or(0) as i32;
        let id = OffsetAndEpoch::new(offset, epoch);
        let writer = replica.create_snapshot(now, &mut machine.disk, id, self.now_ms);
        let writer = writer.map_err(|error| error.to_string())?;
        answer.insert("created".into(), writer.is_some().into());
        if let Some(mut writer) = writer {
            let records = noops(command["noops"].as_i64().unwrap_or(0));
            writer
                .append(&mut machine.disk, &records, self.now_ms)
                .map_err(|e| e.to_string())?;
            replica
                .freeze_snapshot(now, &mut machine.disk, writer)
                .map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}

fn without_news(state: &Value) -> Value {
    let mut state = state.clone();
    for key in ["calls", "ops", "draws"] {
        state[key] = json!([]);
    }
    state
}

fn voter(id: i32) -> Voter {
    Voter {
        voter_id: id,
        voter_directory_id: directory_id(id),
        endpoints: vec![VoterEndpoint {
            name: "CONTROLLER".to_owned(),
            host: "localhost".to_owned(),
            port: address(id).port,
            ..Default::default()
        }],
        kraft_version_feature: KRaftVersionFeature {
            min_supported_version: 0,
            max_supported_version: SupportedVersionRange { min: 0, max: 1 }.max,
            ..Default::default()
        },
        ..Default::default()
    }
}

fn call(event: &Event) -> Value {
    match event {
        Event::LoadSnapshot(reader) | Event::LoadBootstrap(reader) => {
            let name = if matches!(event, Event::LoadSnapshot(_)) {
                "handleLoadSnapshot"
            } else {
                "handleLoadBootstrap"
            };
            let id = reader.snapshot_id;
            json!({ "call": name, "snapshot": format!("{}-{}", id.offset, id.epoch) })
        }
        Event::Commit(committed) => {
            let batches: Vec<Value> = committed
                .batches
                .iter()
                .map(|batch| {
                    json!({ "base": batch.base_offset(), "last": batch.last_offset(), "epoch": batch.leader_epoch() })
                })
                .collect();
            let last = match committed.source {
                CommitSource::Memory => committed.last_offset(),
                CommitSource::Log => -1,
            };
            json!({ "call": "handleCommit", "base": committed.base_offset, "last": last, "batches": batches })
        }
        Event::LeaderChange(leader) => json!({
            "call": "handleLeaderChange", "leader": leader.leader.map_or(-1, |id| id.0), "epoch": leader.epoch,
        }),
        Event::BeginShutdown => json!({ "call": "beginShutdown" }),
    }
}
