//! What a script is told.

use disk::Disk as _;
use listener::Event;
use raft::Replica;
use raft_log::batch::Batch;
use records::NodeId;

use super::Cluster;
use super::machines::partition;

impl Cluster {
    pub(super) fn tell_states(&mut self) {
        for node in self.seats.keys() {
            let line = match self.running(*node) {
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

    pub(super) fn tell_endpoints(&mut self, node: i32) -> Result<(), String> {
        let replica = self.running(node).ok_or("it is down")?;
        let lines: Vec<String> = replica
            .voters()
            .iter()
            .map(|voter| {
                let addresses = voter.listeners.iter();
                let addresses: Vec<String> =
                    addresses.map(|(_, address)| address.to_string()).collect();
                format!("voter {} at {}", voter.voter_key.id, addresses.join(" "))
            })
            .collect();
        self.said.extend(lines);
        Ok(())
    }

    pub(super) fn tell_files(&mut self, node: i32) -> Result<(), String> {
        let disk = self.world.disk_mut(NodeId(node));
        let disk = disk.ok_or(format!("there is no node {node}"))?;
        let entries = disk.list(&partition()).map_err(|error| error.to_string())?;
        self.said
            .extend(entries.into_iter().map(|entry| entry.name));
        Ok(())
    }

    pub(super) fn tell_log(&mut self, node: i32) -> Result<(), String> {
        let replica = self.running(node).ok_or("it is down")?;
        let lines: Vec<String> = replica.log().batches().map(batch_line).collect();
        self.said.extend(lines);
        Ok(())
    }
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

pub(super) fn told(event: &Event) -> String {
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
