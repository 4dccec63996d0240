//! The order in which a Java `HashMap` hands out its keys.

/// Java's `String.hashCode`, over UTF-16 units.
pub fn java_string_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    })
}

/// How many buckets a `HashMap` made with the default constructor has once `entries` are in it: it starts with 16 and
/// doubles when more than three quarters of the buckets' number are in it.
pub fn java_hash_buckets(entries: usize) -> usize {
    let mut buckets = 16;
    while entries > buckets / 4 * 3 {
        buckets *= 2;
    }
    buckets
}

/// `names` in the order in which a Java hash map or set of so many `buckets` (a power of two) iterates over them.
///
/// Names of the same bucket stay in the order given, which must be that of their insertion; Java keeps it too, as
/// long as no bucket holds more than eight.
pub fn java_hash_order<'a>(
    names: impl IntoIterator<Item = &'a str>,
    buckets: usize,
) -> Vec<&'a str> {
    let mut ordered: Vec<&str> = names.into_iter().collect();
    ordered.sort_by_key(|name| {
        let hash = java_string_hash(name).cast_unsigned();
        (hash ^ (hash >> 16)) & (buckets as u32 - 1)
    });
    ordered
}
