//! The mathematics of majorities, apart from any state.

/// The smallest number of voters that is more than half.
pub(crate) fn majority(voters: usize) -> usize {
    voters / 2 + 1
}

/// The largest offset that a majority of voters has reached. A voter that never told its end offset counts as having
/// nothing; `None` while so many are silent that there is no such offset. Of voters at that offset it is the one in
/// question by the order given.
///
/// Source: `maybeUpdateHighWatermark` in `4.4:raft/…/LeaderState.java`.
pub(crate) fn replicated_to_majority<T: Copy>(
    ends: &mut [Option<T>],
    offset: impl Fn(T) -> i64,
) -> Option<T> {
    ends.sort_by_key(|end| std::cmp::Reverse(end.map(&offset)));
    ends.get(ends.len() / 2).copied().flatten()
}

/// What became of a computed high watermark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HighWatermark {
    /// It moved to this offset.
    Advanced(i64),
    /// It stays, or is not known yet.
    Unchanged,
}

/// The high watermark that follows from `candidate`, which a majority has.
///
/// A leader commits a record of its own epoch before it tells of anything from earlier ones (KIP-595), so an offset
/// that does not pass the start of the epoch says nothing. A smaller one than before is possible only when the voter
/// set changes, and is ignored.
pub(crate) fn next_high_watermark(
    candidate: Option<i64>,
    current: Option<i64>,
    epoch_start_offset: i64,
) -> HighWatermark {
    match candidate {
        Some(offset) if offset > epoch_start_offset && current.is_none_or(|hw| offset > hw) => {
            HighWatermark::Advanced(offset)
        }
        _ => HighWatermark::Unchanged,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Counts voters offset by offset.
    fn naive(end_offsets: &[Option<i64>]) -> Option<i64> {
        (0..=50).rev().find(|offset| {
            end_offsets
                .iter()
                .filter(|end| end.is_some_and(|end| end >= *offset))
                .count()
                >= majority(end_offsets.len())
        })
    }

    proptest! {
        #[test]
        fn equals_counting(ends in proptest::collection::vec(proptest::option::of(0..50_i64), 1..8)) {
            let expected = naive(&ends);
            let mut ends = ends;
            prop_assert_eq!(replicated_to_majority(&mut ends, |end| end), expected);
        }

        #[test]
        fn two_majorities_share_a_voter(voters in 1_usize..20) {
            prop_assert!(majority(voters) * 2 > voters);
            prop_assert!((majority(voters) - 1) * 2 <= voters);
        }

        #[test]
        fn never_goes_down_and_never_says_an_earlier_epoch(
            offsets in proptest::collection::vec(proptest::option::of(0..50_i64), 0..30), start in 0..20_i64,
        ) {
            let mut current = None;
            for candidate in offsets {
                if let HighWatermark::Advanced(to) = next_high_watermark(candidate, current, start) {
                    prop_assert!(current.is_none_or(|hw| to > hw) && to > start);
                    current = Some(to);
                }
            }
        }
    }
}
