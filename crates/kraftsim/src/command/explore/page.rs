use std::io;

use simulator::explore::SeedOutcome;

use super::arguments::ExploreArgs;
use super::summary::Summary;
use crate::Console;
use crate::console::Tone;

/// How many failing seeds are told in full.
const TOLD: usize = 10;

/// Prints the failing seeds and the sum of all.
pub(super) fn print(
    console: &mut Console,
    args: &ExploreArgs,
    summary: &Summary,
) -> io::Result<()> {
    for outcome in summary.failures.iter().take(TOLD) {
        failure(console, args, outcome)?;
    }
    let more: Vec<String> = summary
        .failures
        .iter()
        .skip(TOLD)
        .map(|outcome| outcome.seed.to_string())
        .collect();
    if !more.is_empty() {
        writeln!(console.out, "… and of seeds {}\n", more.join(" "))?;
    }
    if args.seeds.count() == 1
        && let Some(outcome) = &summary.last
    {
        one(console, outcome)?;
    }
    sum(console, args, summary)
}

fn failure(console: &mut Console, args: &ExploreArgs, outcome: &SeedOutcome) -> io::Result<()> {
    let bad = console.paint(Tone::Bad, &format!("seed {}", outcome.seed));
    for violation in &outcome.violations {
        writeln!(console.out, "{bad}: {violation}")?;
        let context = format!("  at {}: {}", violation.at, violation.sentence);
        writeln!(console.out, "{}", console.paint(Tone::Faint, &context))?;
    }
    writeln!(console.out, "  drawn: {}", outcome.drawn)?;
    writeln!(console.out, "  hash {:016x}", outcome.hash)?;
    writeln!(
        console.out,
        "  again: {}\n",
        args.again(&args.releases(), &args.selection(), outcome.seed)
    )
}

/// What happened in a single seed.
fn one(console: &mut Console, outcome: &SeedOutcome) -> io::Result<()> {
    writeln!(console.out, "seed {}: {}", outcome.seed, outcome.drawn)?;
    for command in &outcome.script {
        writeln!(console.out, "  {command}")?;
    }
    if let Some(took) = outcome.recovered_in {
        writeln!(console.out, "  works again {took} after the last fault")?;
    }
    writeln!(console.out)
}

fn sum(console: &mut Console, args: &ExploreArgs, summary: &Summary) -> io::Result<()> {
    let failed = summary.failed;
    let verdict = if failed == 0 {
        console.paint(Tone::Good, "all held")
    } else {
        let counts = summary.by_invariant.iter();
        let counts: Vec<String> = counts.map(|(id, count)| format!("{id}: {count}")).collect();
        let text = format!("{failed} failed ({})", counts.join(", "));
        console.paint(Tone::Bad, &text)
    };
    let interrupted = if summary.interrupted {
        format!(" of {}, then interrupted", args.seeds.count())
    } else {
        String::new()
    };
    writeln!(
        console.out,
        "{}, {}: {} seeds{interrupted}: {verdict}",
        args.profile,
        args.releases(),
        summary.ran
    )?;
    writeln!(
        console.out,
        "{} events, {} messages, {} faults, {} simulated seconds, hash {:016x}",
        summary.events,
        summary.messages,
        summary.faults,
        summary.simulated_us / 1_000_000,
        summary.hash()
    )?;
    if let Some((took, seed)) = summary.slowest {
        writeln!(console.out, "the slowest recovery took {took}: seed {seed}")?;
    }
    Ok(())
}
