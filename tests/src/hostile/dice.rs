/// Choices out of the bytes of a fuzzer; when they are used up, the first choice is made every time.
pub struct Dice<'a> {
    bytes: &'a [u8],
}

impl<'a> Dice<'a> {
    /// Nothing chosen yet.
    pub fn new(bytes: &'a [u8]) -> Self {
        Dice { bytes }
    }

    /// A number below `end`, which is at least 1.
    pub fn below(&mut self, end: usize) -> usize {
        let mut number = 0;
        let mut width = 1;
        while width < end {
            let Some((first, rest)) = self.bytes.split_first() else {
                return 0;
            };
            self.bytes = rest;
            number = number << 8 | usize::from(*first);
            width <<= 8;
        }
        number % end
    }

    /// One of these.
    pub fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Some bytes of the fuzzer as they are.
    pub fn raw(&mut self, most: usize) -> &'a [u8] {
        let length = self.below(most + 1).min(self.bytes.len());
        let (raw, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        raw
    }
}
