//! How a problem in a scenario's text is shown: the line, a mark, what is wrong, what to do.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use simulator::describe::visible;
use simulator::scenario::Problem;

use super::scenarios::ScenarioText;
use crate::Style;

/// A problem, with the text that it is about.
pub(crate) struct LocatedProblem {
    name: String,
    text: String,
    problem: Problem,
}

impl LocatedProblem {
    pub(crate) fn new(source: &ScenarioText, problem: Problem) -> Self {
        LocatedProblem {
            name: source.name.clone(),
            text: source.text.clone(),
            problem,
        }
    }

    /// Some lines, with a line end.
    pub(crate) fn rendered(&self, style: Style) -> String {
        rendered(&self.name, &self.text, &self.problem, style)
    }
}

/// A problem as it is shown on a terminal or in a file, with a line end.
pub(crate) fn rendered(name: &str, text: &str, problem: &Problem, style: Style) -> String {
    let length = text.len();
    let span = problem.span.start.min(length)..problem.span.end.min(length);
    let mark = AnnotationKind::Primary.span(span);
    let snippet = Snippet::source(text)
        .line_start(1)
        .path(name)
        .annotation(mark);
    let mut report = vec![
        Level::ERROR
            .primary_title(visible(&problem.message).into_owned())
            .element(snippet),
    ];
    if let Some(suggestion) = &problem.suggestion {
        report.push(Group::with_title(
            Level::HELP.secondary_title(visible(suggestion).into_owned()),
        ));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let mut out = renderer.render(&report);
    out.push('\n');
    out
}
