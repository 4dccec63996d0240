//! Processes that end and come back, voters that come and go, the clock that jumps.

use raft::message::ApiKey;
use serde_json::{Value, json};

use super::Generator;
use super::crafted::directory_id;

impl Generator {
    pub(super) fn end_a_process(&mut self) {
        let up = self.view.up();
        let all = self.profile.all();
        if up.len() < all.len() && self.rng.chance(1, 2) {
            return self.bring_up();
        }
        let leaders = self.view.leaders();
        let whom = if self.rng.chance(1, 2) { leaders } else { up };
        if let Some(node) = self.pick(&whom) {
            self.end(node);
        }
    }

    /// Ends a process; half of the time it comes back at once, and it may have lost the end of its log, or everything.
    pub(super) fn end(&mut self, node: i32) {
        let back = self.rng.chance(1, 2);
        let mut command = json!({ "cmd": if back { "restart" } else { "crash" }, "node": node });
        match self.rng.below(12) {
            0 if back => command["wipe"] = true.into(),
            1..4 => {
                let end = self.view.of(node).log_end;
                command["keep_below"] = (end - self.rng.below(5) as i64).max(0).into();
            }
            4 => {
                let end = self.view.of(node).log_end.max(0);
                command["keep_below"] = self.rng.below(end as u64 + 1).into();
            }
            _ => {}
        }
        self.tell(command);
    }

    pub(super) fn bring_up(&mut self) {
        let mut down = self.profile.all();
        down.retain(|node| !self.view.is_up(*node));
        if let Some(node) = self.pick(&down) {
            let mut command = json!({ "cmd": "restart", "node": node });
            if self.rng.chance(1, 20) {
                command["wipe"] = true.into();
            }
            self.tell(command);
        }
    }

    pub(super) fn shut_down(&mut self) {
        let up = self.view.up();
        if let (false, Some(node)) = (self.calm, self.pick(&up)) {
            let mut command = json!({ "cmd": "shutdown", "node": node });
            if self.rng.chance(1, 3) {
                command["timeout"] = self.one_of(&[0, 100, 60_000]).into();
            }
            self.tell(command);
        }
    }

    /// A change of voters, or a question about them.
    pub(super) fn change_voters(&mut self) {
        let asked = match (self.rng.chance(1, 10), self.view.leaders()) {
            (true, _) => self.view.up(),
            (false, leaders) => leaders,
        };
        let Some(node) = self.pick(&asked) else {
            return;
        };
        let choice = self.rng.below(100);
        let (api, body) = if choice < 40 && self.profile.is_dynamic {
            ("ADD_RAFT_VOTER", self.addition())
        } else if choice < 75 && self.profile.is_dynamic {
            ("REMOVE_RAFT_VOTER", self.removal())
        } else {
            let partitions = json!([{ "partitionIndex": 0 }]);
            let body = json!({ "topics": [{ "topicName": "__cluster_metadata", "partitions": partitions }] });
            ("DESCRIBE_QUORUM", body)
        };
        self.tell(json!({ "cmd": "request", "node": node, "api": api, "body": body }));
    }

    fn addition(&mut self) -> Value {
        let voter = self.a_voter_or_not(false);
        let timeout = self.one_of(&[1000, 1000, 100, 30_000]);
        let mut body = json!({
            "clusterId": self.cluster_id, "timeoutMs": timeout, "voterId": voter,
            "voterDirectoryId": directory_id(voter),
            "listeners": [{ "name": "CONTROLLER", "host": "localhost", "port": 9000 + voter }],
        });
        if ApiKey::AddRaftVoter.latest_version(&self.rules.raft) >= 1 {
            body["ackWhenCommitted"] = self.rng.chance(1, 2).into();
        }
        body
    }

    fn removal(&mut self) -> Value {
        let voter = self.a_voter_or_not(true);
        json!({ "clusterId": self.cluster_id, "voterId": voter, "voterDirectoryId": directory_id(voter) })
    }

    /// Mostly a node that is a voter, or mostly one that is none.
    fn a_voter_or_not(&mut self, is_voter: bool) -> i32 {
        let leaders = self.view.leaders();
        let voters = leaders.first().map(|node| self.view.of(*node).voters);
        let voters = voters.unwrap_or_default();
        let known: Vec<i32> = voters.split(' ').filter_map(|id| id.parse().ok()).collect();
        let mut all = self.profile.all();
        if self.rng.chance(9, 10) {
            all.retain(|node| known.contains(node) == is_voter);
        }
        match self.pick(&all) {
            Some(node) => node,
            None => self.any_node(),
        }
    }

    /// Several changes, one upon the other, and in the middle of them a process may end.
    pub(super) fn change_voters_quickly(&mut self) {
        for _ in 0..=self.rng.below(3) {
            self.change_voters();
            match self.rng.below(8) {
                0 => {
                    let leaders = self.view.leaders();
                    if let Some(node) = self.pick(&leaders) {
                        self.end(node);
                    }
                }
                1 => {
                    let up = self.view.up();
                    if let Some(node) = self.pick(&up) {
                        self.end(node);
                    }
                }
                2 => self.of_leader("resign"),
                3..6 => {
                    let ms = self.one_of(&[0, 0, 10, 60, 500]);
                    let mut command = json!({ "cmd": "run", "ms": ms, "step": 10 });
                    if self.rng.chance(1, 3) {
                        let api = self.one_of(&[
                            "FETCH",
                            "BEGIN_QUORUM_EPOCH",
                            "VOTE",
                            "UPDATE_RAFT_VOTER",
                        ]);
                        let kind = self.one_of(&["request", "response"]);
                        command["drop"] = json!([{ "api": api, "kind": kind }]);
                    }
                    self.tell(command);
                }
                _ => {}
            }
        }
        if self.rng.chance(1, 3) {
            self.bring_up();
        }
    }

    /// The clock jumps, by far, or back.
    pub(super) fn jump(&mut self) {
        let ms = self.one_of(&[
            3_000,
            10_000,
            30_000,
            60_000,
            60_001,
            300_000,
            3_600_000,
            86_400_000,
            604_800_000,
            -1,
            -50,
            -3_000,
        ]);
        self.move_clock(ms);
    }
}
