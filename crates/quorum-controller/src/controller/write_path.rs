//! How the active controller writes (`ControllerWriteEvent` and `appendRecords` in `4.4:…/QuorumController.java`,
//! failures after `4.4:…/controller/errors/EventHandlerExceptionInfo.java`).

use determinism::Time;
use image::FaultPolicy;
use listener::{AppendError, RaftClient};
use records::metadata::VersionedRecord;
use releases::controller::ZkMigration;

use super::Controller;
use super::event::ControllerEvent;
use crate::activation::{self, ActivationInput};
use crate::fault::FatalFault;
use crate::periodic_task::PeriodicTask;
use crate::request::{
    BrokerHeartbeat, BrokerRegistration, ControllerRequest, ControllerResponse, NewTopic,
    RequestError, RequestId,
};
use crate::result::{ControllerResult, RequestResult, Shape, WriteFailure};
use crate::zk_migration::PRE_MIGRATION;
use crate::{
    alter_partition, broker_control, cluster_control, config_control, election, feature_control,
    reassignment_control, topic_control,
};

enum WriteEnd {
    Fatal(FatalFault),
    Failed(WriteFailure),
}

impl From<FatalFault> for WriteEnd {
    fn from(fault: FatalFault) -> Self {
        WriteEnd::Fatal(fault)
    }
}

impl From<WriteFailure> for WriteEnd {
    fn from(failure: WriteFailure) -> Self {
        WriteEnd::Failed(failure)
    }
}

impl Controller {
    pub(super) fn run_write(
        &mut self,
        now: Time,
        event: &ControllerEvent,
        raft: &mut impl RaftClient,
    ) -> Result<(), FatalFault> {
        match self.write(now, event, raft) {
            Ok(()) => Ok(()),
            Err(WriteEnd::Fatal(fault)) => Err(fault),
            Err(WriteEnd::Failed(failure)) => self.handle_failure(event, &failure, raft),
        }
    }

    fn write(
        &mut self,
        now: Time,
        event: &ControllerEvent,
        raft: &mut impl RaftClient,
    ) -> Result<(), WriteEnd> {
        let Some(epoch) = self.claim_epoch else {
            return Err(WriteFailure::NotController.into());
        };
        self.check_pre_migration(event)?;
        let (result, answer) = self.generate(now, epoch, event, raft)?;
        let (waits_for, end) = if result.records.is_empty() {
            // A read of the latest state, which is answered once that is committed.
            let next = self.offsets.next_write_offset().unwrap_or(0);
            (self.deferred.highest_pending_offset(), next - 1)
        } else {
            let last = self.append_records(now, epoch, &result, raft)?;
            (Some(last), last)
        };
        self.after_write(now, event, &answer, end);
        let answer = request_id(event).map(|id| (id, answer));
        match waits_for {
            Some(offset) => {
                self.deferred
                    .add(offset, answer)
                    .map_err(|error| WriteFailure::Unexpected(error.to_string()))?;
            }
            None => {
                if let Some((id, answer)) = answer {
                    self.reply(id, answer);
                }
            }
        }
        Ok(())
    }

    /// What follows from a write that ends at an offset.
    fn after_write(
        &mut self,
        now: Time,
        event: &ControllerEvent,
        answer: &RequestResult,
        end: i64,
    ) {
        if let ControllerEvent::CompleteActivation = event {
            self.start_periodic_tasks(now);
        }
        if let (
            ControllerEvent::Request(_, ControllerRequest::BrokerHeartbeat(beat)),
            Ok(ControllerResponse::Heartbeat(reply)),
        ) = (event, answer)
            && reply.in_controlled_shutdown
            && let Some(beats) = &mut self.heartbeats
        {
            beats.begin_controlled_shutdown(beat.broker_id, end);
        }
        self.schedule_elections(now);
    }

    /// 3.9 serves little while the data of ZooKeeper has not arrived (`RUNS_IN_PREMIGRATION` in
    /// `3.9:…/QuorumController.java`).
    fn check_pre_migration(&self, event: &ControllerEvent) -> Result<(), WriteFailure> {
        let is_served = match event {
            ControllerEvent::CompleteActivation | ControllerEvent::Raft(_) => true,
            ControllerEvent::Task(task) => *task == PeriodicTask::WriteNoOpRecord,
            ControllerEvent::Request(_, request) => matches!(
                request,
                ControllerRequest::RegisterController(_)
                    | ControllerRequest::RegisterBroker(_)
                    | ControllerRequest::UnregisterBroker(_)
                    | ControllerRequest::BrokerHeartbeat(_)
            ),
        };
        match self.rules.controller.zk_migration {
            ZkMigration::Supported
                if !is_served && self.image().features().zk_migration_state() == PRE_MIGRATION =>
            {
                Err(WriteFailure::NotController)
            }
            ZkMigration::Supported | ZkMigration::Gone => Ok(()),
        }
    }

    fn generate(
        &mut self,
        now: Time,
        epoch: i32,
        event: &ControllerEvent,
        raft: &mut impl RaftClient,
    ) -> Result<(ControllerResult, RequestResult), WriteEnd> {
        let result = match event {
            ControllerEvent::CompleteActivation => {
                let input = ActivationInput {
                    now,
                    epoch,
                    config: &self.config,
                    rules: &self.rules.controller,
                    features: self.rules.features,
                    bootstrap: &self.bootstrap,
                    log: self.log_content(),
                    transaction_start: self.offsets.transaction_start_offset(),
                    current_version: self.metadata_version(),
                    image: self.image(),
                };
                let activation = activation::generate(&input).map_err(FatalFault::Activation)?;
                let result = activation.result();
                self.record_activation(activation);
                result
            }
            ControllerEvent::Task(task) => self.run_task(now, *task)?,
            ControllerEvent::Request(_, request) => {
                return Ok(self.serve(now, epoch, request, raft)?);
            }
            ControllerEvent::Raft(_) => ControllerResult::atomic(Vec::new()),
        };
        Ok((result, Ok(ControllerResponse::Done)))
    }

    fn serve(
        &mut self,
        now: Time,
        epoch: i32,
        request: &ControllerRequest,
        raft: &mut impl RaftClient,
    ) -> Result<(ControllerResult, RequestResult), WriteFailure> {
        let view = self.view();
        let result = match request {
            ControllerRequest::RegisterController(registration) => {
                cluster_control::register_controller(view, registration)?
            }
            ControllerRequest::UpdateFeatures(update) => {
                return feature_control::update_features(view, now, epoch, update, raft);
            }
            ControllerRequest::RegisterBroker(registration) => {
                return self.register_broker(now, registration, raft);
            }
            ControllerRequest::UnregisterBroker(broker) => {
                broker_control::unregister_broker(view, *broker)?
            }
            ControllerRequest::BrokerHeartbeat(beat) => return self.process_heartbeat(now, beat),
            ControllerRequest::CreateTopics(topics) => return self.create_topics(topics),
            ControllerRequest::SetConfigs(change) => {
                return Ok(answered(config_control::set_configs(view, change)));
            }
            ControllerRequest::AllocateProducerIds {
                broker,
                broker_epoch,
            } => {
                let ids = broker_control::allocate_producer_ids(view, *broker, *broker_epoch)?;
                return Ok(answered(ids));
            }
            ControllerRequest::ElectLeaders(asked) => {
                return Ok(answered(election::elect_leaders(view, asked)?));
            }
            ControllerRequest::AlterPartition(told) => {
                return Ok(answered(alter_partition::alter_partition(view, told)?));
            }
            ControllerRequest::Reassign(asked) => {
                return Ok(answered(reassignment_control::reassign(view, asked)?));
            }
            ControllerRequest::AssignReplicas(told) => {
                return Ok(answered(alter_partition::assign_replicas(view, told)?));
            }
            ControllerRequest::UnregisterController(controller) => {
                cluster_control::unregister_controller(view, *controller)?
            }
            ControllerRequest::WriteRecords(records) => ControllerResult::atomic(records.clone()),
        };
        Ok((result, Ok(ControllerResponse::Done)))
    }

    fn register_broker(
        &mut self,
        now: Time,
        registration: &BrokerRegistration,
        raft: &impl RaftClient,
    ) -> Result<(ControllerResult, RequestResult), WriteFailure> {
        let next_offset = self.offsets.next_write_offset();
        let kraft_version = raft.kraft_version();
        let (view, soft) = self.parts()?;
        let done = broker_control::register_broker(
            view,
            soft.heartbeats,
            now,
            registration,
            kraft_version,
            next_offset,
        )?;
        self.reschedule_fencing(now);
        Ok(answered(done))
    }

    fn process_heartbeat(
        &mut self,
        now: Time,
        beat: &BrokerHeartbeat,
    ) -> Result<(ControllerResult, RequestResult), WriteFailure> {
        let (view, soft) = self.parts()?;
        let done = broker_control::process_heartbeat(view, soft.heartbeats, now, beat)?;
        self.reschedule_fencing(now);
        Ok(answered(done))
    }

    fn create_topics(
        &mut self,
        topics: &[NewTopic],
    ) -> Result<(ControllerResult, RequestResult), WriteFailure> {
        let (view, soft) = self.parts()?;
        Ok(answered(topic_control::create_topics(
            view,
            soft.heartbeats,
            soft.chance,
            topics,
        )?))
    }

    /// Hands the records to raft in pieces of the size limit, and returns the offset of the last one.
    fn append_records(
        &mut self,
        now: Time,
        epoch: i32,
        result: &ControllerResult,
        raft: &mut impl RaftClient,
    ) -> Result<i64, WriteEnd> {
        let records = &result.records;
        let limit = self.config.max_records_per_batch;
        if result.shape == Shape::Atomic {
            if records.len() > limit {
                let text = format!(
                    "{} records belong into one append, the limit is {limit}",
                    records.len()
                );
                return Err(WriteFailure::Unexpected(text).into());
            }
            return self.append_batch(now, epoch, records, raft);
        }
        // As in Kafka, a count that is a multiple of the limit ends with an append of nothing, which raft refuses
        // (`appendRecords`, 3.9 to 4.4).
        let mut rest = records.as_slice();
        while rest.len() >= limit {
            self.append_batch(now, epoch, &rest[..limit], raft)?;
            rest = &rest[limit..];
        }
        self.append_batch(now, epoch, rest, raft)
    }

    /// Prepares, replays, lets go: the state is ahead of the log by what raft holds back.
    fn append_batch(
        &mut self,
        now: Time,
        epoch: i32,
        records: &[VersionedRecord],
        raft: &mut impl RaftClient,
    ) -> Result<i64, WriteEnd> {
        let last_offset = raft
            .prepare_append(now, epoch, records)
            .map_err(append_failure)?;
        let base_offset = last_offset - records.len() as i64 + 1;
        tracing::debug!(epoch, base_offset, last_offset, "appends records");
        for (index, record) in records.iter().enumerate() {
            let offset = base_offset + index as i64;
            self.replay(now, record, offset)
                .map_err(|reason| FatalFault::OwnRecord {
                    record: record.record.name(),
                    offset,
                    base_offset,
                    reason,
                })?;
            self.after_own_record(now, record);
        }
        raft.schedule_prepared_append(now).map_err(append_failure)?;
        self.offsets
            .handle_schedule_append(last_offset)
            .map_err(|error| WriteFailure::Unexpected(error.to_string()))?;
        Ok(last_offset)
    }

    fn handle_failure(
        &mut self,
        event: &ControllerEvent,
        failure: &WriteFailure,
        raft: &mut impl RaftClient,
    ) -> Result<(), FatalFault> {
        let answer = match failure {
            WriteFailure::NotController | WriteFailure::NotLeader => RequestError::NotController {
                active: raft.leader_and_epoch().leader,
            },
            WriteFailure::Refused(error) => error.clone(),
            WriteFailure::TaskFailed { task, text } => {
                let text = format!("{task}: {text}");
                self.count_fault(event.name(), text.clone());
                RequestError::Unknown(text)
            }
            WriteFailure::Unexpected(text) => {
                self.count_fault(event.name(), text.clone());
                RequestError::Unknown(text.clone())
            }
        };
        let renounced = if failure.causes_failover() && self.is_active() {
            self.renounce(raft)
        } else {
            Ok(())
        };
        // A fault that ends the process leaves nobody to answer.
        if let Some(id) = request_id(event)
            && (renounced.is_ok() || self.config.fatal_faults == FaultPolicy::Logged)
        {
            self.reply(id, Err(answer));
        }
        renounced
    }
}

fn answered(
    (result, response): (ControllerResult, ControllerResponse),
) -> (ControllerResult, RequestResult) {
    (result, Ok(response))
}

fn request_id(event: &ControllerEvent) -> Option<RequestId> {
    match event {
        ControllerEvent::Request(id, _) => Some(*id),
        _ => None,
    }
}

fn append_failure(error: AppendError) -> WriteFailure {
    match error {
        AppendError::NotLeader { .. } => WriteFailure::NotLeader,
        other => WriteFailure::Unexpected(other.to_string()),
    }
}
