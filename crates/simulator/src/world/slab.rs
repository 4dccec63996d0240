/// Values under small numbers that are given out again: messages in flight, without an allocation each.
#[derive(Clone, Debug)]
pub(super) struct Slab<T> {
    slots: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(super) fn new() -> Self {
        Slab {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(super) fn insert(&mut self, value: T) -> u32 {
        if let Some(key) = self.free.pop() {
            self.slots[key as usize] = Some(value);
            return key;
        }
        self.slots.push(Some(value));
        u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 messages are in flight")
    }

    pub(super) fn remove(&mut self, key: u32) -> T {
        self.free.push(key);
        self.slots[key as usize]
            .take()
            .expect("a key is taken out once")
    }
}

#[cfg(test)]
mod tests {
    use super::Slab;

    #[test]
    fn keys_are_given_out_again() {
        let mut slab = Slab::new();
        let (a, b) = (slab.insert("a"), slab.insert("b"));
        assert_eq!(slab.remove(a), "a");
        assert_eq!(slab.insert("c"), a);
        assert_eq!((slab.remove(b), slab.remove(a)), ("b", "c"));
    }
}
