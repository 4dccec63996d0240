//! Timeline tables in a timeline table.

use imbl::OrdMap;

use crate::timeline_table::TimelineTable;

/// Tables by key. One that went and came again under its key is another table: with two slots, and nothing to go back to.
///
/// In which order the keys come is not kept: Kafka asks for one table at a time.
#[derive(Clone, Debug)]
pub(crate) struct TimelineTables<K: Ord, I: Ord, V> {
    tables: OrdMap<K, Member<I, V>>,
    /// Tables that went, by when they came.
    went: OrdMap<u64, Gone<I, V>>,
    next_age: u64,
}

#[derive(Clone, Debug)]
struct Member<I: Ord, V> {
    since: u64,
    table: TimelineTable<I, V>,
}

#[derive(Clone, Debug)]
struct Gone<I: Ord, V> {
    when: u64,
    table: TimelineTable<I, V>,
}

impl<K: Ord, I: Ord, V> Default for TimelineTables<K, I, V> {
    fn default() -> Self {
        TimelineTables {
            tables: OrdMap::new(),
            went: OrdMap::new(),
            next_age: 0,
        }
    }
}

impl<K: Ord + Clone, I: Ord + Clone, V: Clone> TimelineTables<K, I, V> {
    pub(crate) fn get(&self, key: &K) -> Option<&TimelineTable<I, V>> {
        self.tables.get(key).map(|member| &member.table)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut TimelineTable<I, V>> {
        self.tables.get_mut(key).map(|member| &mut member.table)
    }

    /// The table of a key, or `new` that becomes it.
    pub(crate) fn get_or_insert(
        &mut self,
        key: K,
        new: impl FnOnce() -> TimelineTable<I, V>,
    ) -> &mut TimelineTable<I, V> {
        let next_age = &mut self.next_age;
        let member = self.tables.entry(key).or_insert_with(|| {
            let since = *next_age;
            *next_age += 1;
            let table = new();
            Member { since, table }
        });
        &mut member.table
    }

    pub(crate) fn remove(&mut self, key: &K) {
        if let Some(Member { since, table }) = self.tables.remove(key) {
            let when = self.next_age;
            self.next_age += 1;
            self.went.insert(since, Gone { when, table });
        }
    }

    /// The tables that were there, each with all changes since then undone.
    pub(crate) fn reverted_to(&self, earlier: &Self) -> Self {
        let revert = |(key, then): (&K, &Member<I, V>)| {
            let member = self.tables.get(key).filter(|now| now.since == then.since);
            let went = self.went.get(&then.since).map(|gone| &gone.table);
            let now = member.map(|now| &now.table).or(went);
            let table = now.unwrap_or(&then.table).reverted_to(&then.table);
            let since = then.since;
            (key.clone(), Member { since, table })
        };
        TimelineTables {
            tables: earlier.tables.iter().map(revert).collect(),
            ..self.clone()
        }
    }

    /// No state before `earliest` will be taken again.
    pub(crate) fn forget(&mut self, earliest: &Self) {
        if !self.went.is_empty() {
            let went = self
                .went
                .iter()
                .filter(|(_, gone)| gone.when >= earliest.next_age);
            self.went = went.map(|(since, gone)| (*since, gone.clone())).collect();
        }
        let changed = self.tables.iter().filter(|(_, of)| of.table.has_gone());
        let changed: Vec<K> = changed.map(|(key, _)| key.clone()).collect();
        for key in changed {
            let then = earliest.tables.get(&key);
            if let (Some(member), Some(then)) = (self.tables.get_mut(&key), then)
                && member.since == then.since
            {
                member.table.forget(&then.table);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new() -> TimelineTable<i32, char> {
        TimelineTable::new(|number| *number)
    }

    #[test]
    fn a_table_that_went_comes_back_and_one_that_came_goes() {
        let mut tables = TimelineTables::default();
        for key in 0..9 {
            tables.get_or_insert('a', new).insert(key, 'x');
        }
        let earlier = tables.clone();
        for key in (0..9).rev() {
            tables.get_or_insert('a', new).remove(&key);
        }
        tables.remove(&'a');
        tables.get_or_insert('a', new).insert(1, 'y');
        tables.get_or_insert('b', new).insert(1, 'y');
        let reverted = tables.reverted_to(&earlier);
        assert!(reverted.get(&'b').is_none());
        let order = |of: &TimelineTables<char, i32, char>| -> Vec<i32> {
            let table = of.get(&'a').unwrap();
            table.in_order().into_iter().map(|(key, _)| *key).collect()
        };
        let (mut was, mut is) = (order(&earlier), order(&reverted));
        assert_ne!(was, is, "each slot is the other way round");
        was.sort_unstable();
        is.sort_unstable();
        assert_eq!(was, is);
    }

    #[test]
    fn what_no_state_holds_any_more_is_forgotten() {
        let mut tables = TimelineTables::default();
        tables.get_or_insert('a', new).insert(1, 'x');
        tables.get_or_insert('b', new).insert(1, 'x');
        tables.get_or_insert('b', new).insert(1, 'y');
        tables.remove(&'a');
        let earliest = tables.clone();
        tables.forget(&earliest);
        assert!(tables.went.is_empty());
        tables.remove(&'b');
        tables.forget(&earliest);
        assert_eq!(tables.went.len(), 1, "the earliest state holds it");
    }
}
