//! Numbers in the order of Java's hash maps; it decides how voters stand in a record.

/// Items by their numbers, in the order of a map of so many `buckets` into which they were put in the order given.
/// Java's hash of an `Integer` is its value.
pub(crate) fn integer_order<T>(
    mut items: Vec<T>,
    buckets: usize,
    number: impl Fn(&T) -> i32,
) -> Vec<T> {
    items.sort_by_key(|item| {
        let hash = number(item).cast_unsigned();
        (hash ^ (hash >> 16)) & (buckets as u32 - 1)
    });
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_by_bucket() {
        assert_eq!(integer_order(vec![1, 8, 9], 8, |id| *id), [8, 1, 9]);
        assert_eq!(integer_order(vec![1, 2, 3], 8, |id| *id), [1, 2, 3]);
        assert_eq!(integer_order(vec![65_536, 2], 4, |id| *id), [65_536, 2]);
    }
}
