//! What a script orders a replica to do.

use listener::{RaftClient as _, UpgradeMode};
use raft::message::{AddRaftVoterRequest, RemoveRaftVoterRequest, Request};
use raft::{Endpoints, Replica};
use records::OffsetAndEpoch;
use records::metadata::{NoOpRecord, VersionedRecord};

use super::{Cluster, START_MS, machines::address, machines::listener_name};

fn no_op() -> VersionedRecord {
    VersionedRecord::new(0, NoOpRecord::default())
}

impl Cluster {
    pub(super) fn append(&mut self, node: i32, count: i32) -> Result<(), String> {
        let records: Vec<VersionedRecord> = (0..count).map(|_| no_op()).collect();
        let prepared = self.replica(node, |replica, now, _| {
            let offset = replica.prepare_append(now, replica.epoch(), &records)?;
            replica.schedule_prepared_append(now).map(|()| offset)
        })?;
        let offset = prepared.map_err(|error| error.to_string())?;
        self.said.push(format!(
            "{:>5} {node} prepares up to offset {offset}",
            self.now_ms
        ));
        Ok(())
    }

    pub(super) fn snapshot(&mut self, node: i32) -> Result<(), String> {
        let now_ms = self.now_ms;
        let said = self.replica(node, |replica, now, disk| {
            let offset = Replica::high_watermark(replica).ok_or("no high watermark is known")?;
            let epoch = replica.log().epochs().epoch_at(offset - 1).unwrap_or(0);
            let id = OffsetAndEpoch::new(offset, epoch);
            let writer = replica.create_snapshot(now, disk, id, START_MS);
            let Some(mut writer) = writer.map_err(|error| error.to_string())? else {
                return Ok(format!("{now_ms:>5} {node} has checkpoint {id} already"));
            };
            writer
                .append(disk, &[no_op()], START_MS)
                .map_err(|error| error.to_string())?;
            replica
                .freeze_snapshot(now, disk, writer)
                .map_err(|error| error.to_string())?;
            Ok::<String, String>(format!("{now_ms:>5} {node} writes checkpoint {id}"))
        })??;
        self.said.push(said);
        Ok(())
    }

    pub(super) fn upgrade(&mut self, level: i16, node: i32) -> Result<(), String> {
        let now_ms = self.now_ms;
        let upgraded = self.replica(node, |replica, now, _| {
            let epoch = replica.epoch();
            replica.upgrade_kraft_version(now, epoch, level, UpgradeMode::Apply)
        })?;
        self.said.push(match upgraded {
            Ok(()) => format!("{now_ms:>5} {node} writes kraft.version {level}"),
            Err(error) => format!("{now_ms:>5} {node} refuses: {error}"),
        });
        Ok(())
    }

    pub(super) fn change_voters(
        &mut self,
        what: &str,
        node: i32,
        leader: i32,
    ) -> Result<(), String> {
        let (voter_id, voter_directory_id) = (node, self.seat(node)?.directory);
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
        self.ask(leader, request)
    }
}
