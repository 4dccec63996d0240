/// The generator of a run: xoshiro256++, seeded by splitmix64.
///
/// Ours, so that no dependency's release changes what a seed means; the tests compare it with `rand_xoshiro`.
/// Each purpose forks its own stream by name: a new draw in one place does not shift another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// The stream of a seed.
    pub fn from_seed(seed: u64) -> Self {
        let mut s = seed;
        Rng {
            state: std::array::from_fn(|_| splitmix64(&mut s)),
        }
    }

    /// A stream of its own for a purpose. Depends on this stream's present state and on `label`; draws nothing.
    #[must_use]
    pub fn fork(&self, label: &str) -> Rng {
        let mut s = self.state[0] ^ self.state[2].rotate_left(17);
        for byte in label.bytes() {
            s = (s ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            s ^= s >> 29;
        }
        Rng::from_seed(s)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A value in `0..bound`, without bias; 0 where `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        let reject_above = u64::MAX - (u64::MAX % bound + 1) % bound;
        loop {
            let x = self.next_u64();
            if x <= reject_above {
                return x % bound;
            }
        }
    }

    /// A value in `low..high`; `low` where the range is empty.
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low))
    }

    /// True `numerator` times out of `denominator`.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }

    /// One of `items`, or `None` of none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }

    /// Shuffles in place, by the algorithm of Fisher and Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }

    /// Sixteen random bytes.
    pub fn bytes16(&mut self) -> [u8; 16] {
        let mut out = [0; 16];
        out[..8].copy_from_slice(&self.next_u64().to_be_bytes());
        out[8..].copy_from_slice(&self.next_u64().to_be_bytes());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;
    use rand_core::{Rng as _, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn equals_rand_xoshiro() {
        for seed in [0, 1, 42, u64::MAX] {
            let mut ours = Rng::from_seed(seed);
            let mut theirs = Xoshiro256PlusPlus::seed_from_u64(seed);
            for _ in 0..1000 {
                assert_eq!(ours.next_u64(), theirs.next_u64());
            }
        }
    }

    #[test]
    fn forks_differ_and_draw_nothing() {
        let mut rng = Rng::from_seed(3);
        let before = rng.clone();
        assert_ne!(rng.fork("a").next_u64(), rng.fork("b").next_u64());
        assert_eq!(rng, before);
        let drawn: Vec<u64> = (0..1000).map(|_| rng.range(5, 9)).collect();
        assert!(drawn.iter().all(|x| (5..9).contains(x)) && (5..9).all(|x| drawn.contains(&x)));
    }
}
