//! Every cell of real Kafka is a test, and the page that claims how many agree is what the run says.

use std::fs;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use kraftsim_tests::agree::{Cell, Differences, Kraftsim, Verdict, cells_in, judge, page};
use kraftsim_tests::repository::{golden, root};
use libtest_mimic::{Arguments, Trial};

/// A cell and its verdict, found out once by whoever needs it first.
struct Judged {
    cell: Cell,
    verdict: OnceLock<Verdict>,
}

impl Judged {
    fn verdict(&self) -> &Verdict {
        self.verdict
            .get_or_init(|| judge(&Kraftsim::in_process(), &self.cell))
    }
}

fn main() -> ExitCode {
    let cells = cells_in(&golden()).expect("the repository carries its cells");
    let cells: Arc<Vec<Judged>> = Arc::new(
        cells
            .into_iter()
            .map(|cell| Judged {
                cell,
                verdict: OnceLock::new(),
            })
            .collect(),
    );
    let mut trials: Vec<Trial> = (0..cells.len())
        .map(|at| {
            let cells = Arc::clone(&cells);
            Trial::test(cells[at].cell.id(), move || {
                let judged = &cells[at];
                Ok(Differences::known().stand_by(&judged.cell.id(), judged.verdict())?)
            })
        })
        .collect();
    // Last, so that the verdicts are there already.
    trials.push(Trial::test(
        "docs/agreement.md is the output of agree --table",
        move || {
            let verdicts: Vec<(String, Verdict)> = cells
                .iter()
                .map(|judged| (judged.cell.id(), judged.verdict().clone()))
                .collect();
            let expected = page(&verdicts, &Differences::known());
            let found = fs::read_to_string(root().join("docs/agreement.md")).unwrap_or_default();
            if expected == found {
                Ok(())
            } else {
                Err("the page is out of date".into())
            }
        },
    ));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
