//! A record into the controller's state (`replay` in `4.4:…/controller/QuorumController.java`).

use determinism::Time;
use records::NodeId;
use records::metadata::{MetadataRecord, VersionedRecord};

use super::Controller;
use crate::replay_checks;
use crate::replay_error::ReplayError;

impl Controller {
    /// Replays a record that stands at `offset`; for a record of a snapshot that is the last offset it stands for.
    pub(super) fn replay(
        &mut self,
        now: Time,
        record: &VersionedRecord,
        offset: i64,
    ) -> Result<(), ReplayError> {
        self.has_ever_replayed = true;
        match &record.record {
            MetadataRecord::BeginTransaction(_) => {
                return Ok(self.offsets.begin_transaction(offset)?);
            }
            MetadataRecord::EndTransaction(_) => {
                return Ok(self.offsets.end_transaction(offset)?);
            }
            MetadataRecord::AbortTransaction(_) => {
                return Ok(self.offsets.abort_transaction(offset)?);
            }
            record => replay_checks::check(self.view(), record)?,
        }
        let dialect = self.dialect;
        let was_registered = match &record.record {
            MetadataRecord::RegisterBroker(record) => self.is_registered(record.broker_id),
            _ => false,
        };
        self.offsets.state_mut().apply(record, offset, &dialect)?;
        self.tell_heartbeats(now, &record.record, was_registered);
        Ok(())
    }

    fn is_registered(&self, broker: i32) -> bool {
        self.image().cluster().broker(NodeId(broker)).is_some()
    }

    /// What the active controller learns of brokers from its own records.
    fn tell_heartbeats(&mut self, now: Time, record: &MetadataRecord, was_registered: bool) {
        let Some(mut beats) = self.heartbeats.take() else {
            return;
        };
        let fencing = |id: i32| {
            let known = self.image().cluster().broker(NodeId(id));
            known.is_none_or(|known| known.fenced)
        };
        let mut register = |id: i32| beats.register(now, NodeId(id), fencing(id));
        match record {
            MetadataRecord::RegisterBroker(record) => {
                let id = NodeId(record.broker_id);
                if was_registered {
                    beats.remove(id);
                }
                beats.register(now, id, record.fenced);
            }
            MetadataRecord::UnregisterBroker(record) => beats.remove(NodeId(record.broker_id)),
            MetadataRecord::BrokerRegistrationChange(record) => register(record.broker_id),
            MetadataRecord::FenceBroker(record) => register(record.id),
            MetadataRecord::UnfenceBroker(record) => register(record.id),
            _ => {}
        }
        self.heartbeats = Some(beats);
    }
}
