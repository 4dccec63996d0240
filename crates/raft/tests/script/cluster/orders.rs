//! What a script orders a replica to do.

use listener::{RaftClient, UpgradeMode};
use raft::message::{AddRaftVoterRequest, RemoveRaftVoterRequest, Request};
use raft::{Endpoints, Replica};
use records::OffsetAndEpoch;
use records::metadata::{NoOpRecord, VersionedRecord};

use super::{
    Asker, Cluster, START_MS, machines::address, machines::listener_name, network::inbound,
};

impl Cluster {
    pub(super) fn append(&mut self, node: i32, count: i32) -> Result<(), String> {
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

    pub(super) fn snapshot(&mut self, node: i32) -> Result<(), String> {
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

    pub(super) fn upgrade(&mut self, level: i16, node: i32) -> Result<(), String> {
        let (now, now_ms) = (self.now(), self.now_ms);
        let replica = self.replica(node)?;
        let epoch = replica.epoch();
        let said = match replica.upgrade_kraft_version(now, epoch, level, UpgradeMode::Apply) {
            Ok(()) => format!("{now_ms:>5} {node} writes kraft.version {level}"),
            Err(error) => format!("{now_ms:>5} {node} refuses: {error}"),
        };
        self.said.push(said);
        Ok(())
    }

    pub(super) fn change_voters(
        &mut self,
        what: &str,
        node: i32,
        leader: i32,
    ) -> Result<(), String> {
        let (voter_id, voter_directory_id) = (node, self.machine(node)?.directory);
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
}
