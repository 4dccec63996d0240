/// Sorts items, given in the order in which they were put in, as `Set.of(…)` iterates. So do the keys of `Map.of(…)`.
///
/// Java begins at another place and goes in another direction in every process; this is the order of a process that
/// begins at the end of the table and goes back. Two items or fewer are handed out as they were given.
///
/// Source: `java.util.ImmutableCollections` of Java 17, `SetN` and `MapN`.
pub fn sort_as_immutable_set<T>(items: &mut Vec<T>, hash: impl Fn(&T) -> i32) {
    if items.len() < 3 {
        return;
    }
    let mut table: Vec<Option<T>> = Vec::new();
    table.resize_with(items.len() * 2, || None);
    for item in items.drain(..) {
        let mut at = hash(&item).rem_euclid(table.len() as i32) as usize;
        while table[at].is_some() {
            at = (at + 1) % table.len();
        }
        table[at] = Some(item);
    }
    items.extend(table.into_iter().rev().flatten());
}
