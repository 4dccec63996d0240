/// `String.hashCode()`, over UTF-16 units.
pub fn hash_string(text: &str) -> i32 {
    let add = |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    text.encode_utf16().fold(0, add)
}

/// What Java's `Long.hashCode()` gives: both halves, combined by exclusive or.
pub fn hash_long(value: i64) -> i32 {
    (value ^ (value >> 32)) as i32
}

/// What Java's `Boolean.hashCode()` gives.
pub fn hash_bool(value: bool) -> i32 {
    if value { 1231 } else { 1237 }
}

/// `UUID.hashCode()`, which is also that of Kafka's `Uuid`: its four words folded into one.
pub fn hash_uuid(bytes: &[u8; 16]) -> i32 {
    let words = bytes.as_chunks::<4>().0;
    let fold = |hash, word: &[u8; 4]| hash ^ i32::from_be_bytes(*word);
    words.iter().fold(0, fold)
}

/// `Objects.hash(…)` and `List.hashCode()` of values with these hash codes. The hash of `null` is 0.
pub fn hash_all(hashes: impl IntoIterator<Item = i32>) -> i32 {
    let add = |all: i32, hash| all.wrapping_mul(31).wrapping_add(hash);
    hashes.into_iter().fold(1, add)
}

/// The hash that `HashMap` and `ConcurrentHashMap` choose a bucket by.
pub(super) fn bucket(hash: i32, buckets: usize) -> usize {
    let hash = hash.cast_unsigned();
    (hash ^ (hash >> 16)) as usize & (buckets - 1)
}
