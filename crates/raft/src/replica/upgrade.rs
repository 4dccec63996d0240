use determinism::Time;
use listener::{UpgradeError, UpgradeMode};
use releases::raft::KRaftVersionUpgrade as Rule;

use super::Replica;
use crate::control_batch;
use crate::role::{KRaftVersionUpgrade, State};

impl Replica {
    /// Raises kraft.version: one control batch with the version and, where it changed, the voter set.
    ///
    /// Source: `maybeAppendUpgradedKRaftVersion` in `4.4:raft/…/LeaderState.java`.
    pub(super) fn maybe_append_upgraded_kraft_version(
        &mut self,
        now: Time,
        epoch: i32,
        version: i16,
        mode: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        if self.rules.raft.kraft_version_upgrade == Rule::Absent {
            return Err(UpgradeError::Unsupported);
        }
        let now_ms = self.config.clock.millis(now);
        let from = self.partition.last_kraft_version();
        let persisted = self.partition.last_voter_set().clone();
        let State::Leader(leader) = &mut self.state else {
            return Err(UpgradeError::NotLeader { epoch });
        };
        let current = leader.epoch();
        if epoch < current {
            return Err(UpgradeError::NotLeader { epoch });
        } else if epoch > current {
            return Err(UpgradeError::FutureEpoch { epoch, current });
        }
        let to = version;
        let invalid = |reason: &str| {
            let reason = reason.to_owned();
            Err(UpgradeError::Invalid { from, to, reason })
        };
        let illegal = |reason: &str| {
            let reason = reason.to_owned();
            Err(UpgradeError::IllegalState { from, to, reason })
        };
        let voters = match &leader.kraft_version_upgrade {
            KRaftVersionUpgrade::Requested(requested) if *requested == version => return Ok(()),
            KRaftVersionUpgrade::Requested(_) => return invalid("another upgrade is under way"),
            _ if from == version => return Ok(()),
            _ if from > version => return invalid("kraft.version never goes down"),
            KRaftVersionUpgrade::Nothing => return invalid("there is no such upgrade"),
            KRaftVersionUpgrade::CollectsVoters(voters) => voters.clone(),
        };
        if !voters.voter_ids().eq(persisted.voter_ids()) {
            return illegal("some voters have not told their endpoints yet");
        }
        if !voters.supports_version(version) {
            return invalid("not all voters support it");
        }
        if voters.voter_keys().any(|key| key.directory_id.is_none()) {
            return illegal("the directory ids of some voters are not known");
        }
        if mode == UpgradeMode::ValidateOnly {
            return Ok(());
        }
        leader.kraft_version_upgrade = KRaftVersionUpgrade::Requested(version);
        leader
            .accumulator
            .append_control(now_ms, &mut self.buffers, |builder| {
                control_batch::append(builder, &control_batch::kraft_version(version));
                if voters != persisted {
                    control_batch::append(builder, &control_batch::voters(&voters));
                }
            });
        Ok(())
    }
}
