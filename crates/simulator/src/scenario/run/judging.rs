//! `expect`, `never`, `expect violation`.

use super::executor::Executor;
use crate::invariants::Invariants;
use crate::scenario::span::Span;
use crate::scenario::verbs::judging::Judging;

impl Executor<'_, '_> {
    pub(super) fn judging(&mut self, judging: &Judging, span: &Span) {
        match judging {
            Judging::Expect(condition) => {
                let answer = self.view().answer(condition);
                if !answer.holds {
                    let found = self.roles.replace(&answer.found);
                    self.fail(span, format!("expected {condition}; {found}"));
                }
            }
            Judging::Never(condition) => self.never.push((condition.clone(), span.clone())),
            Judging::Violation(id) => self.violation(&id.value, span),
        }
    }

    /// Expects that an invariant was violated; a KAFKA id stands for the invariants whose source names it.
    fn violation(&mut self, id: &str, span: &Span) {
        let named = Invariants::catalogue();
        let meant: Vec<&str> = named
            .iter()
            .filter(|(known, _, source)| {
                *known == id || (id.starts_with("KAFKA-") && source.contains(id))
            })
            .map(|(known, ..)| *known)
            .collect();
        let violated = self.observer.invariants().violations();
        let seen = violated
            .iter()
            .any(|violation| meant.contains(&violation.id));
        if !seen {
            self.fail(
                span,
                format!("expected a violation of {id}; there was none"),
            );
        }
        self.expected_violations
            .extend(meant.into_iter().map(str::to_owned));
    }
}
