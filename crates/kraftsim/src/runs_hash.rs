//! One number for several runs.

use determinism::Digest;

/// The hash of one run as it is; of several, a digest of their hashes in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunsHash {
    runs: u64,
    first: u64,
    digest: Digest,
}

impl RunsHash {
    /// Takes in the hash of the next run.
    pub(crate) fn take(&mut self, hash: u64) {
        if self.runs == 0 {
            self.first = hash;
        }
        self.runs += 1;
        self.digest.write_u64(hash);
    }

    pub(crate) fn value(&self) -> u64 {
        if self.runs == 1 {
            self.first
        } else {
            self.digest.value()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RunsHash;

    #[test]
    fn one_run_keeps_its_hash_and_the_order_of_several_counts() {
        let of = |hashes: &[u64]| {
            let mut all = RunsHash::default();
            for hash in hashes {
                all.take(*hash);
            }
            all.value()
        };
        assert_eq!(of(&[7]), 7);
        assert_ne!(of(&[7, 8]), of(&[8, 7]));
    }
}
