/// A rolling 64-bit hash over what happened, in order: the same on every machine and in every build.
///
/// Multiply-and-fold in the manner of wyhash; not for adversaries, only for noticing that two runs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Digest::new()
    }
}

impl Digest {
    /// The digest of nothing.
    pub const fn new() -> Self {
        Digest(0xa076_1d64_78bd_642f)
    }

    /// Takes in one word.
    #[inline]
    pub fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0xe703_7ed1_a0b4_28db)
            * u128::from(self.0.rotate_left(32) | 0x8ebc_6af0_9c88_c6e3);
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }

    /// Takes in one signed word.
    #[inline]
    pub fn write_i64(&mut self, word: i64) {
        self.write_u64(word as u64);
    }

    /// Takes in bytes and their length.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.write_u64(u64::from_le_bytes(last));
        self.write_u64(bytes.len() as u64);
    }

    /// The hash so far.
    pub const fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    fn of(parts: &[&[u8]]) -> u64 {
        let mut d = Digest::new();
        for p in parts {
            d.write_bytes(p);
        }
        d.value()
    }

    #[test]
    fn order_boundaries_and_every_byte_count() {
        assert_ne!(of(&[b"ab", b"c"]), of(&[b"a", b"bc"]));
        assert_ne!(of(&[b"a", b"b"]), of(&[b"b", b"a"]));
        assert_ne!(of(&[b"a"]), of(&[b"a\0"]));
        let data = [7u8; 40];
        for at in 0..40 {
            let mut other = data;
            other[at] ^= 1;
            assert_ne!(of(&[&data]), of(&[&other]), "byte {at}");
        }
    }
}
