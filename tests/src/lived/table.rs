use std::fmt::Write as _;

use super::judge::LivedVerdict;

/// The verdicts as a page.
pub fn page(verdicts: &[(String, LivedVerdict)]) -> String {
    let mut text = String::from(
        "| cell | actions | agree | records made | records given | checkpoints | differences |\n|---|--:|--:|--:|--:|--:|---|\n",
    );
    for (id, verdict) in verdicts {
        let mut differences: Vec<String> = Vec::new();
        for action in &verdict.actions {
            for what in &action.differences {
                differences.push(format!("action {}: {what}", action.number));
            }
        }
        differences.extend(verdict.whole.iter().cloned());
        let _ = writeln!(
            text,
            "| {id} | {} | {} | {} | {} | {} | {} |",
            verdict.actions.len(),
            verdict.agreeing(),
            verdict.made,
            verdict.given,
            verdict.checkpoints,
            differences.join("; ").replace('|', "\\|")
        );
    }
    text
}
