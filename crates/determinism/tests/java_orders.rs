//! The orders of Java's collections, as a real JVM handed them out (`JavaOrders.java` recorded them).

use determinism::java::{
    ConcurrentTable, HashTable, hash_all, hash_bool, hash_long, hash_string, hash_uuid,
    sort_as_immutable_set,
};

const RECORDED: &str = include_str!("java_orders.txt");

/// `hashCode()` of a key: of an `Integer` or a `String`.
fn hash(key: &&str) -> i32 {
    key.parse().unwrap_or_else(|_| hash_string(key))
}

fn items(text: &str) -> Vec<&str> {
    text.split(',').filter(|item| !item.is_empty()).collect()
}

fn sorted<'a>(table: HashTable, items: &[&'a str]) -> Vec<&'a str> {
    let mut items = items.to_vec();
    table.sort(&mut items, hash);
    items
}

/// What `Set.of` hands out in a process that begins at `start`.
fn immutable_set<'a>(items: &[&'a str], start: usize, is_upward: bool) -> Vec<&'a str> {
    let slots = items.len() * 2;
    let mut table = vec![None; slots];
    let mut downward = items.to_vec();
    sort_as_immutable_set(&mut downward, hash);
    // The set says nothing of the slots: they are found again here, in the order of insertion.
    for item in items {
        let mut at = hash(item).rem_euclid(slots as i32) as usize;
        while table[at].is_some() {
            at = (at + 1) % slots;
        }
        table[at] = Some(*item);
    }
    let from_the_end: Vec<&str> = table.iter().rev().flatten().copied().collect();
    assert_eq!(downward, from_the_end);
    let forward = if is_upward { 1 } else { slots - 1 };
    let at = |step: usize| (start + forward * step) % slots;
    (1..=slots).filter_map(|step| table[at(step)]).collect()
}

fn hashes(items: &[&str], hash: impl Fn(&str) -> i32) -> Vec<String> {
    items.iter().map(|item| hash(item).to_string()).collect()
}

fn long(text: &str) -> i64 {
    text.parse().expect("a long was printed")
}

fn uuid(text: &str) -> [u8; 16] {
    u128::from_str_radix(&text.replace('-', ""), 16)
        .expect("a uuid was printed")
        .to_be_bytes()
}

#[test]
fn as_a_jvm_hands_them_out() {
    let mut kinds = std::collections::BTreeSet::new();
    for line in RECORDED.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (kind, argument) = (fields[0], fields[1].parse::<i32>().unwrap());
        let (given, wanted) = (items(fields[2]), items(fields[3]));
        let found = match kind {
            "new" => sorted(HashTable::new(), &given),
            "capacity" => sorted(HashTable::with_capacity(argument as usize), &given),
            "copy" => sorted(HashTable::copy_of_map(given.len()), &given),
            "collection" => sorted(HashTable::copy_of_collection(given.len()), &given),
            "concurrent" => {
                let mut table = ConcurrentTable::new();
                for key in &given {
                    table.insert(hash(key), *key);
                }
                table.iter().copied().collect()
            }
            "set-up" | "set-down" => immutable_set(&given, argument as usize, kind == "set-up"),
            "uuid" | "long" | "bool" => {
                let found = match kind {
                    "uuid" => hashes(&given, |text| hash_uuid(&uuid(text))),
                    "long" => hashes(&given, |text| hash_long(long(text))),
                    _ => hashes(&given, |text| hash_bool(text == "true")),
                };
                assert_eq!(found, wanted, "{kind}");
                wanted.clone()
            }
            "list" => {
                let all = given.iter().map(|text| hash_long(long(text)));
                assert_eq!(hash_all(all), argument);
                wanted.clone()
            }
            other => panic!("{other}"),
        };
        assert_eq!(found, wanted, "{line}");
        kinds.insert(kind);
    }
    assert!(kinds.len() >= 9, "{kinds:?}");
}

#[test]
fn strings_hash_by_utf_16_units() {
    assert_eq!(hash_string("metadata.version"), 1_098_778_905);
    assert_eq!(hash_string("\u{1F600}"), 0xd83d * 31 + 0xde00);
}

#[test]
fn a_table_keeps_the_size_of_its_fullest_time() {
    let mut names = ["a", "q"];
    HashTable::new().sort(&mut names, hash);
    assert_eq!(names, ["a", "q"], "97 and 113: one bucket of 16");
    names.reverse();
    HashTable::new().holding(13).sort(&mut names, hash);
    assert_eq!(
        names,
        ["a", "q"],
        "of 32 buckets, the second and the eighteenth"
    );
}
