use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPool;
use rayon::prelude::*;
use simulator::explore::{Exploration, SeedOutcome};

use super::interrupt::Interrupt;
use super::seeds::Seeds;
use super::summary::Summary;
use crate::Diagnosis;

/// Seeds that each job is given before the next are handed out: enough that no job waits long for another.
const SEEDS_A_JOB: usize = 32;

/// Runs seeds, some at once, until Ctrl-C.
pub(super) struct Runner {
    jobs: ThreadPool,
    interrupt: Interrupt,
}

impl Runner {
    /// So many at once, or as many as there are processors.
    pub(super) fn new(jobs: Option<u16>) -> Result<Self, Diagnosis> {
        let mut pool = rayon::ThreadPoolBuilder::new();
        if let Some(count) = jobs {
            pool = pool.num_threads(usize::from(count));
        }
        let jobs = pool
            .build()
            .map_err(|error| Diagnosis::new(format!("the jobs cannot be started: {error}")))?;
        Ok(Runner {
            jobs,
            interrupt: Interrupt::awaited(),
        })
    }

    /// A bar on standard error, if that is a terminal.
    #[expect(clippy::unused_self, reason = "the bar shows what this runner does")]
    pub(super) fn progress(&self, seeds: u64) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(seeds), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} seeds, {eta} left {msg}");
        bar.with_style(style.expect("the template is well formed"))
    }

    /// Runs the seeds, and takes them in by number.
    pub(super) fn run(
        &self,
        exploration: &Exploration,
        seeds: Seeds,
        progress: &ProgressBar,
    ) -> Summary {
        let mut summary = Summary::default();
        for at_once in seeds.portions(SEEDS_A_JOB * self.jobs.current_num_threads()) {
            let outcomes: Vec<Option<SeedOutcome>> = self.jobs.install(|| {
                let seeds = at_once.into_par_iter();
                seeds
                    .map(|seed| (!self.interrupt.came()).then(|| exploration.seed(seed)))
                    .collect()
            });
            // Drawn by the thread that holds standard error: another would wait for it for ever.
            progress.inc(outcomes.len() as u64);
            for outcome in outcomes.into_iter().flatten() {
                summary.take(outcome);
            }
            if summary.failed > 0 {
                progress.set_message(format!("{} failed", summary.failed));
            }
            if self.interrupt.came() {
                summary.interrupted = summary.ran < seeds.count();
                break;
            }
        }
        summary
    }
}
