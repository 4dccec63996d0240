//! Ten situations, after the nine of Kafka's own simulation of raft (`4.4:raft/src/test/…/RaftEventSimulationTest.java`).

use std::fmt;
use std::str::FromStr;

use determinism::Rng;

/// What a quorum that works is brought into.
///
/// Kafka's simulation has nine; in its second the leader is either killed or shut down, which are two here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Situation {
    /// A leader is elected, and its controller becomes active.
    FirstElection,
    /// The leader is killed; the others go on; it comes back.
    LeaderKilled,
    /// The leader is shut down cleanly; the others go on; it comes back.
    LeaderStopped,
    /// All are killed; a majority comes back and goes on.
    AllKilled,
    /// No message of or to the leader arrives; the others go on.
    LeaderCutOff,
    /// The minority is split from the majority, which goes on; then all go on together.
    Split,
    /// Links are missing before there is a leader; the first leader stays.
    CutFromTheStart,
    /// Links around a leader are cut, and it still reaches a majority: it stays.
    CutWhileLed,
    /// The leader is cut off, then the next one.
    TwoLeadersInARow,
    /// A node comes back with an empty disk, and catches up.
    DiskLost,
}

/// A situation, its name on the command line, how many voters it is drawn with and for, and in words.
struct Row {
    situation: Situation,
    name: &'static str,
    /// What a seed draws from.
    drawn: &'static [u64],
    /// What can be asked for.
    taken: &'static [u64],
    words: &'static str,
}

const fn row(
    situation: Situation,
    name: &'static str,
    drawn: &'static [u64],
    taken: &'static [u64],
    words: &'static str,
) -> Row {
    Row {
        situation,
        name,
        drawn,
        taken,
        words,
    }
}

const ANY: &[u64] = &[1, 2, 3, 4, 5];
const MOSTLY_THREE: &[u64] = &[3, 3, 5];
const FROM_THREE: &[u64] = &[3, 4, 5];
const FIVE: &[u64] = &[5];
const THREE_AND_FIVE: &[u64] = &[3, 5];

#[rustfmt::skip]
const ROWS: [Row; 10] = [
    row(Situation::FirstElection, "first-election", ANY, ANY, "first election"),
    row(Situation::LeaderKilled, "leader-killed", MOSTLY_THREE, FROM_THREE, "the leader is killed, and comes back"),
    row(Situation::LeaderStopped, "leader-stopped", MOSTLY_THREE, FROM_THREE, "the leader is shut down, and comes back"),
    row(Situation::AllKilled, "all-killed", MOSTLY_THREE, FROM_THREE, "all are killed, and a majority comes back"),
    row(Situation::LeaderCutOff, "leader-cut-off", MOSTLY_THREE, FROM_THREE, "the leader is cut off"),
    row(Situation::Split, "split", FIVE, FROM_THREE, "a minority is split from the majority, and joins it again"),
    row(Situation::CutFromTheStart, "cut-from-the-start", FIVE, THREE_AND_FIVE, "links missing from the start"),
    row(Situation::CutWhileLed, "cut-while-led", FIVE, THREE_AND_FIVE, "links cut around a leader"),
    row(Situation::TwoLeadersInARow, "two-leaders-in-a-row", MOSTLY_THREE, FROM_THREE, "two leaders are lost in a row"),
    row(Situation::DiskLost, "disk-lost", MOSTLY_THREE, FROM_THREE, "a node loses its disk"),
];

impl Situation {
    /// All situations, in the order of Kafka's simulation.
    pub const ALL: [Situation; ROWS.len()] = {
        let mut all = [Situation::FirstElection; ROWS.len()];
        let mut at = 0;
        while at < ROWS.len() {
            all[at] = ROWS[at].situation;
            at += 1;
        }
        all
    };

    fn row(self) -> &'static Row {
        let mut rows = ROWS.iter();
        rows.find(|row| row.situation == self)
            .expect("every situation has its row")
    }

    /// Its name on the command line: `leader-killed`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What happens, in a few words.
    pub fn words(self) -> &'static str {
        self.row().words
    }

    /// Whether a quorum of so many voters can be in it.
    pub fn takes(self, voters: u64) -> bool {
        self.row().taken.contains(&voters)
    }

    /// How many voters a seed draws, where nobody says how many.
    pub(super) fn drawn_sizes(self) -> &'static [u64] {
        self.row().drawn
    }

    /// The situation of a seed, one of these.
    pub(super) fn drawn(seed: u64, among: &[Situation]) -> Situation {
        let mut rng = Rng::from_seed(seed).fork("situation");
        let drawn = rng.pick(among).copied();
        drawn.expect("a seed of profile quorum has a situation")
    }
}

impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// No such situation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown situation `{found}`: perhaps {nearest}; there are {}", Situation::ALL.map(Situation::name).join(", "))]
pub struct UnknownSituation {
    found: String,
    nearest: String,
}

impl FromStr for Situation {
    type Err = UnknownSituation;

    fn from_str(text: &str) -> Result<Self, UnknownSituation> {
        let found = Situation::ALL.into_iter().find(|one| one.name() == text);
        found.ok_or_else(|| UnknownSituation {
            found: text.to_owned(),
            nearest: releases::nearest(text, Situation::ALL.iter().map(|one| one.name()))
                .to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Situation;

    #[test]
    fn every_situation_is_found_by_its_name() {
        for situation in Situation::ALL {
            assert_eq!(situation.name().parse(), Ok(situation));
        }
        let unknown = "leader-kiled".parse::<Situation>().unwrap_err();
        assert!(
            unknown.to_string().contains("perhaps leader-killed"),
            "{unknown}"
        );
    }

    #[test]
    fn three_and_five_voters_can_be_in_any() {
        assert!(
            Situation::ALL
                .iter()
                .all(|one| one.takes(3) && one.takes(5))
        );
    }
}
