//! Two logs side by side.

use super::log::Entry;

/// One step along two logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A record of each, which may differ.
    Both(usize, usize),
    /// A record that only the recording has.
    OnlyThere(usize),
    /// A record that only ours has, in front of this one of the recording.
    OnlyHere(usize, usize),
}

/// As many records as one side may have more before the logs go on together.
const WINDOW: usize = 12;
/// So many records must be the same for the logs to go on together.
const TOGETHER: usize = 3;

/// Whether two records are the same, in epochs with the same number.
pub fn same(one: &Entry, other: &Entry) -> bool {
    one.record == other.record && one.epoch == other.epoch
}

/// Walks along both logs: where they part, past the fewest records after which they go on together.
pub fn align(theirs: &[Entry], ours: &[Entry]) -> Vec<Step> {
    let mut steps = Vec::new();
    let (mut there, mut here) = (0, 0);
    while there < theirs.len() || here < ours.len() {
        if let (Some(one), Some(other)) = (theirs.get(there), ours.get(here))
            && same(one, other)
        {
            steps.push(Step::Both(there, here));
            (there, here) = (there + 1, here + 1);
            continue;
        }
        let together = |there: usize, here: usize| {
            let (rest, other) = (
                &theirs[there.min(theirs.len())..],
                &ours[here.min(ours.len())..],
            );
            let pairs = rest.iter().zip(other).take(TOGETHER);
            let ended = rest.is_empty() == other.is_empty();
            ended && pairs.into_iter().all(|(one, other)| same(one, other))
        };
        let skips = (1..=WINDOW).flat_map(|sum| (0..=sum).map(move |there| (there, sum - there)));
        let skip = skips
            .into_iter()
            .find(|(more, others)| together(there + more, here + others));
        match skip {
            Some((more, others)) => {
                steps.extend((0..more).map(|at| Step::OnlyThere(there + at)));
                steps.extend((0..others).map(|at| Step::OnlyHere(there, here + at)));
                (there, here) = (there + more, here + others);
            }
            None if there < theirs.len() && here < ours.len() => {
                steps.push(Step::Both(there, here));
                (there, here) = (there + 1, here + 1);
            }
            None if there < theirs.len() => {
                steps.push(Step::OnlyThere(there));
                there += 1;
            }
            None => {
                steps.push(Step::OnlyHere(there, here));
                here += 1;
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn log(names: &str) -> Vec<Entry> {
        let entry = |(offset, name): (usize, char)| Entry {
            at: offset as i64,
            offset: offset as i64,
            epoch: 1,
            record: json!(name.to_string()),
        };
        names.chars().enumerate().map(entry).collect()
    }

    #[test]
    fn what_only_one_side_has_is_found() {
        assert_eq!(
            align(&log("abcdefg"), &log("abdefg"))[2..4],
            [Step::OnlyThere(2), Step::Both(3, 2)]
        );
        assert_eq!(
            align(&log("abc"), &log("abcx")),
            [
                Step::Both(0, 0),
                Step::Both(1, 1),
                Step::Both(2, 2),
                Step::OnlyHere(3, 3)
            ]
        );
        let other = align(&log("abcdef"), &log("abxyzdef"));
        assert_eq!(other[2..4], [Step::OnlyThere(2), Step::OnlyHere(2, 2)]);
        assert_eq!(align(&log(""), &log("")), []);
    }
}
