use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether Ctrl-C was pressed. The first time it is noted, the second time it ends the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interrupt(&'static AtomicBool);

static CAME: AtomicBool = AtomicBool::new(false);
static AWAITED: OnceLock<()> = OnceLock::new();

/// What a shell shows of a program that was ended by Ctrl-C.
const ENDED_BY_INTERRUPT: i32 = 130;

impl Interrupt {
    /// From now on Ctrl-C is noted instead of ending the program.
    pub(super) fn awaited() -> Self {
        AWAITED.get_or_init(|| {
            let noted = ctrlc::set_handler(|| {
                if CAME.swap(true, Ordering::Relaxed) {
                    std::process::exit(ENDED_BY_INTERRUPT);
                }
            });
            // Where no handler can be set, Ctrl-C goes on ending the program.
            drop(noted);
        });
        Interrupt(&CAME)
    }

    pub(super) fn came(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
