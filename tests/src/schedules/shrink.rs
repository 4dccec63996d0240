use serde_json::Value;

/// Takes commands away as long as `still_differs` says that the two sides differ; at most `budget` tries.
///
/// Chunks of half the schedule first, then smaller ones; the first command always stays.
pub fn shrink(
    schedule: &[Value],
    mut budget: usize,
    mut still_differs: impl FnMut(&[Value]) -> bool,
) -> Vec<Value> {
    let mut kept = schedule.to_vec();
    let mut chunk = kept.len() / 2;
    while chunk > 0 && budget > 0 {
        let mut at = 1;
        let mut removed_any = false;
        while at < kept.len() && budget > 0 {
            let end = (at + chunk).min(kept.len());
            let candidate = [&kept[..at], &kept[end..]].concat();
            budget -= 1;
            if still_differs(&candidate) {
                kept = candidate;
                removed_any = true;
            } else {
                at = end;
            }
        }
        if !removed_any || chunk > 1 {
            chunk /= 2;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_matter_goes() {
        let schedule: Vec<Value> = (0..40).map(|n| json!(n)).collect();
        let both = |kept: &[Value]| kept.contains(&json!(7)) && kept.contains(&json!(31));
        let shrunk = shrink(&schedule, 1000, both);
        assert_eq!(shrunk, [json!(0), json!(7), json!(31)]);
        assert_eq!(shrink(&schedule, 0, both).len(), 40);
    }
}
