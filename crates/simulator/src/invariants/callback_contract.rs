//! CB-1, CB-2, CB-3: found by `listener::Contract` inside every node, reported here.

use super::logs::Logs;
use super::{Invariant, Observation, Observed};

/// `CB-K`.
#[derive(Clone, Debug, Default)]
pub struct CallbackContract<const K: u8>;

impl<const K: u8> Invariant for CallbackContract<K> {
    fn id(&self) -> &'static str {
        match K {
            1 => "CB-1",
            2 => "CB-2",
            _ => "CB-3",
        }
    }

    fn sentence(&self) -> &'static str {
        match K {
            1 => {
                "Per listener: at most one bootstrap or snapshot load per jump, then gap-free commits; \"you lead \
                 epoch e\" only after the position has passed e's start offset."
            }
            2 => {
                "No snapshot or bootstrap load while active; after a renounce, memory is the last stable committed \
                 state."
            }
            _ => {
                "A raft leader of epoch e on node n implies, in bounded time, that the controller is active at e on \
                 n, or that raft resigned e on n."
            }
        }
    }

    fn source(&self) -> &'static str {
        match K {
            1 | 2 => "4.4:raft/src/main/java/org/apache/kafka/raft/RaftClient.java (Listener)",
            _ => "KIP-631; KAFKA-14155",
        }
    }

    fn observe(&mut self, _: &Logs, seen: &Observation<'_>) -> Result<(), String> {
        match seen.what {
            Observed::Contract(violation) if violation.id() == self.id() => {
                let text = violation.to_string();
                let said = text
                    .strip_prefix(self.id())
                    .map(|rest| rest.trim_start_matches(": "));
                Err(said.unwrap_or(&text).to_owned())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Bench;
    use super::{CallbackContract, Observed};
    use listener::BrokenContract;

    #[test]
    fn each_is_reported_under_its_id() {
        let gap = Observed::Contract(BrokenContract::Gap {
            expected: 4,
            base_offset: 7,
        });
        let load = Observed::Contract(BrokenContract::LoadWhileActive {
            epoch: 2,
            end_offset: 9,
        });
        let idle = Observed::Contract(BrokenContract::LeaderWithoutController { epoch: 2 });
        assert!(Bench::<CallbackContract<1>>::new().see(1, gap).is_err());
        assert!(Bench::<CallbackContract<2>>::new().see(1, load).is_err());
        assert!(Bench::<CallbackContract<3>>::new().see(1, idle).is_err());
        assert_eq!(Bench::<CallbackContract<1>>::new().see(1, load), Ok(()));
    }
}
