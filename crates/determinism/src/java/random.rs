/// The linear congruential generator of `java.util.Random`, as its documentation specifies it.
#[derive(Clone, Debug)]
pub(crate) struct JavaRandom {
    seed: u64,
}

impl JavaRandom {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const MASK: u64 = (1 << 48) - 1;

    pub(crate) fn new(seed: i64) -> Self {
        JavaRandom {
            seed: (seed as u64 ^ Self::MULTIPLIER) & Self::MASK,
        }
    }

    fn next(&mut self, bits: u32) -> i32 {
        self.seed = self.seed.wrapping_mul(Self::MULTIPLIER).wrapping_add(0xB) & Self::MASK;
        (self.seed >> (48 - bits)) as u32 as i32
    }

    pub(crate) fn next_int(&mut self, bound: i32) -> i32 {
        let mut bits = self.next(31);
        let largest = bound - 1;
        if bound & largest == 0 {
            return ((i64::from(bound) * i64::from(bits)) >> 31) as i32;
        }
        loop {
            let value = bits % bound;
            if bits.wrapping_sub(value).wrapping_add(largest) >= 0 {
                return value;
            }
            bits = self.next(31);
        }
    }

    pub(crate) fn next_int_between(&mut self, origin: i32, bound: i32) -> i32 {
        let span = bound - origin;
        let largest = span - 1;
        let mut word = self.next(32);
        if span & largest == 0 {
            return (word & largest) + origin;
        }
        loop {
            let bits = (word as u32 >> 1) as i32;
            let value = bits % span;
            if bits.wrapping_add(largest).wrapping_sub(value) >= 0 {
                return value + origin;
            }
            word = self.next(32);
        }
    }
}
