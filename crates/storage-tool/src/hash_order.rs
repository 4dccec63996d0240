//! The order in which Java hands out the keys of a copied `HashMap`: it decides which directory is written first and how
//! voters stand in a record. The order of a map made empty is [`records::feature::java_hash_order`].

/// How many buckets `new HashMap<>(other)` has for another map of `count` keys (Java 17).
pub(crate) fn copied_buckets(count: usize) -> usize {
    if count == 0 {
        return 16;
    }
    // count / 0.75 + 1, cut to a whole number, then the next power of two; never more than three quarters full.
    let mut buckets = (count * 4 / 3 + 1).next_power_of_two();
    while count > buckets * 3 / 4 {
        buckets *= 2;
    }
    buckets
}

/// Numbers in the order of a map of so many `buckets` into which they were put in the order given. Java's hash of an
/// `Integer` is its value.
pub(crate) fn integer_order<T>(
    mut items: Vec<T>,
    buckets: usize,
    key: impl Fn(&T) -> i32,
) -> Vec<T> {
    items.sort_by_key(|item| {
        let hash = key(item).cast_unsigned();
        (hash ^ (hash >> 16)) & (buckets as u32 - 1)
    });
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_as_many_buckets_as_in_java_17() {
        assert_eq!(
            [0, 1, 2, 3, 5, 6, 12].map(copied_buckets),
            [16, 2, 4, 8, 8, 16, 32]
        );
    }

    #[test]
    fn numbers_go_by_bucket() {
        assert_eq!(
            integer_order(vec![1, 8, 9], copied_buckets(3), |id| *id),
            [8, 1, 9]
        );
        assert_eq!(
            integer_order(vec![1, 2, 3], copied_buckets(3), |id| *id),
            [1, 2, 3]
        );
    }
}
