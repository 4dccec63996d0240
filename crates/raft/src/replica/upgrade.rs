use listener::{UpgradeError, UpgradeMode};

use super::shared::Shared;
use crate::control_batch;
use crate::role::{EpochState, KRaftVersionUpgrade, Leader};

impl Leader {
    /// Raises kraft.version: one control batch with the version and, where it changed, the voter set.
    ///
    /// Source: `maybeAppendUpgradedKRaftVersion` in `4.4:raft/…/LeaderState.java`.
    pub(super) fn maybe_append_upgrade(
        &mut self,
        shared: &mut Shared,
        now_ms: i64,
        epoch: i32,
        version: i16,
        mode: UpgradeMode,
    ) -> Result<(), UpgradeError> {
        let current = self.epoch();
        if epoch > current {
            return Err(UpgradeError::FutureEpoch { epoch, current });
        }
        let from = shared.partition.last_kraft_version();
        let persisted = shared.partition.last_voter_set();
        let to = version;
        let invalid = |reason: &str| {
            let reason = reason.to_owned();
            Err(UpgradeError::Invalid { from, to, reason })
        };
        let illegal = |reason: &str| {
            let reason = reason.to_owned();
            Err(UpgradeError::IllegalState { from, to, reason })
        };
        let voters = match &self.kraft_version_upgrade {
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
        self.kraft_version_upgrade = KRaftVersionUpgrade::Requested(version);
        self.accumulator
            .append_control(now_ms, &mut shared.buffers, |builder| {
                control_batch::append(builder, &control_batch::kraft_version(version));
                if voters != *persisted {
                    control_batch::append(builder, &control_batch::voters(&voters));
                }
            });
        Ok(())
    }
}
