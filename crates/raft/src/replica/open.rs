use std::collections::VecDeque;
use std::sync::Arc;

use determinism::Time;
use disk::Disk;
use raft_log::log::{LogConfig, MetadataLog, MissingSnapshot};
use releases::Rules;
use releases::raft::SingleVoterStart;

use super::Replica;
use super::shared::{Cx, PollSchedule, Shared, Waiting};
use crate::buffer_pool::BufferPool;
use crate::message::Node;
use crate::partition_state::PartitionState;
use crate::purgatory::Purgatory;
use crate::request_manager::RequestManager;
use crate::role::{Role, State, Unattached};
use crate::timer::Timer;
use crate::{Draws, RaftConfig, RaftFault, VoterSet};

/// How often checkpoints and segments are cleaned.
pub(super) const CLEANING_INTERVAL_MS: i64 = 60_000;

impl Replica {
    /// Opens the partition, reads all of it, and takes up the role that the stored election state says. The only
    /// voter of a quorum leads when this returns, and its first batch waits for the first poll.
    ///
    /// # Errors
    ///
    /// What would end a real process at start: files that cannot be read, a checkpoint missing, no voters and no
    /// bootstrap servers.
    pub fn open(
        config: RaftConfig,
        rules: &Rules,
        now: Time,
        draws: Draws,
        disk: &mut dyn Disk,
    ) -> Result<Replica, RaftFault> {
        let now_ms = config.clock.millis(now);
        let missing_snapshot = match rules.raft.missing_snapshot {
            releases::raft::MissingSnapshot::Fails => MissingSnapshot::Fails,
            releases::raft::MissingSnapshot::Forgotten => MissingSnapshot::Forgotten,
        };
        let log_config = LogConfig {
            missing_snapshot,
            ..config.log
        };
        let log = MetadataLog::open(disk, &config.partition_dir, log_config, now_ms)?;
        let mut replica = Replica::before_start(config, rules, now, now_ms, draws, log)?;
        let mut cx = Cx { now_ms, disk };
        let shared = &mut replica.shared;
        shared.partition.update_state(&mut shared.log, cx.disk)?;
        replica.initialize(&mut cx)?;
        Ok(replica)
    }

    fn before_start(
        config: RaftConfig,
        rules: &Rules,
        now: Time,
        now_ms: i64,
        draws: Draws,
        log: MetadataLog,
    ) -> Result<Replica, RaftFault> {
        let static_voters = if config.static_voters.is_empty() {
            VoterSet::empty()
        } else {
            VoterSet::from_addresses(&config.listener_name, &config.static_voters)
        };
        let servers = bootstrap_nodes(&config);
        if servers.is_empty() {
            return Err(RaftFault::illegal(
                "no value for controller.quorum.bootstrap.servers, and no static voters",
            ));
        }
        let requests =
            RequestManager::new(servers, config.retry_backoff_ms, config.request_timeout_ms);
        let nothing_known = Unattached {
            epoch: 0,
            leader: None,
            voted_key: None,
            high_watermark: None,
            election_timer: Timer::new(now_ms, i64::MAX),
        };
        let shared = Shared {
            config: Arc::new(config),
            rules: Arc::new(rules.clone()),
            draws,
            log,
            partition: PartitionState::new(static_voters),
            requests,
            waiting_fetches: Purgatory::default(),
            uncommitted: Purgatory::default(),
            buffers: BufferPool::new(),
            listeners: Vec::new(),
            registered: 0,
            shutdown: None,
            cleaner: Timer::new(now_ms, CLEANING_INTERVAL_MS),
            outbox: VecDeque::new(),
            next_correlation_id: 0,
            part_files: 0,
            schedule: PollSchedule {
                waiting: Waiting {
                    woken: false,
                    timeout_ms: None,
                },
                handled_message: false,
                since: now,
            },
        };
        Ok(Replica {
            role: State::Unattached(nothing_known),
            shared,
        })
    }

    fn initialize(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        let log_end = self.shared.end_of_log()?;
        let stored = self.read_election(cx)?;
        let state = self.initial_state(cx, &stored, log_end)?;
        self.durable_transition_to(cx, state)?;
        match self.shared.rules.raft.single_voter_start {
            SingleVoterStart::CandidateAtStart => {
                self.take_up_state(cx)?;
                if self.shared.is_only_voter() && self.role.role() != Role::Candidate {
                    self.transition_to_candidate(cx)?;
                }
            }
            SingleVoterStart::LeaderDuringInitialize => {
                if self.shared.is_only_voter() && self.role.role() != Role::Candidate {
                    self.stand_for_election(cx)?;
                } else {
                    self.take_up_state(cx)?;
                }
            }
        }
        Ok(())
    }

    fn take_up_state(&mut self, cx: &mut Cx<'_>) -> Result<(), RaftFault> {
        match &self.role {
            State::Candidate(candidate) => {
                let order = self.shared.rules.raft.granting_voters_order;
                let elected = candidate.elected(order);
                self.on_become_candidate(cx, elected)
            }
            State::Follower(_) => {
                self.on_become_follower();
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Bootstrap servers get ids from −2 downwards; static voters serve as such under their own ids.
fn bootstrap_nodes(config: &RaftConfig) -> Vec<Node> {
    if config.bootstrap_servers.is_empty() {
        let voters = config.static_voters.iter().map(|(id, address)| Node {
            id: id.0,
            address: address.clone(),
        });
        return voters.collect();
    }
    (0..)
        .zip(&config.bootstrap_servers)
        .map(|(index, address)| Node {
            id: -2 - index,
            address: address.clone(),
        })
        .collect()
}
