/// The word of `known` that is nearest to `word`, if any is near enough to be what was meant.
///
/// Distance counts insertions, deletions, replacements and swapped neighbours; near enough is a third of the longer
/// word, and never a word that shares nothing.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    known
        .into_iter()
        .filter_map(|candidate| {
            let other = candidate.chars().count();
            let longest = length.max(other);
            let near_enough = |distance| distance <= longest.div_ceil(3) && distance < longest;
            // The distance is at least the difference of the lengths; a long word is not compared letter by letter.
            let found = near_enough(length.abs_diff(other)).then(|| distance(word, candidate))?;
            near_enough(found).then_some((found, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Damerau-Levenshtein (optimal string alignment), letter case aside.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut two_ago: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swapped {
                row[j] = row[j].min(two_ago[j - 2] + 1);
            }
        }
        two_ago = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("start", "strat", 1),
            ("kitten", "sitting", 3),
            ("A", "a", 0),
            ("", "ab", 2),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn near_enough_or_nothing() {
        let known = ["start", "stop", "restart", "crash"];
        assert_eq!(nearest("strat", known), Some("start"));
        assert_eq!(nearest("crahs", known), Some("crash"));
        assert_eq!(nearest("xyz", known), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
