//! How fast it is: the same work every time, on one core.

mod process;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use determinism::Digest;
use serde_json::{Value, json};
use simulator::explore::Workload;

use crate::output_args::{OutputArgs, OutputForm};
use crate::{CommandError, Console, Exit};

/// Arguments of `kraftsim bench`.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "One line a workload; with --json each line is a document. A workload is the same work on \
                        every machine: its hash says so. Only the time and the memory differ."
)]
pub struct BenchArgs {
    /// Which workloads; all unless given
    #[arg(value_name = "WORKLOAD", value_parser = workload_parser())]
    pub workloads: Vec<Workload>,
    /// How many runs of each, with the seeds 1 to N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: Option<u64>,
    /// How it is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

fn workload_parser() -> impl clap::builder::TypedValueParser<Value = Workload> {
    PossibleValuesParser::new(Workload::ALL.map(Workload::name)).map(|name| {
        let mut all = Workload::ALL.into_iter();
        all.find(|one| one.name() == name)
            .expect("the possible values are workloads")
    })
}

/// The sums over the runs of one workload.
struct Measurement {
    workload: Workload,
    runs: u64,
    events: u64,
    messages: u64,
    simulated_us: u64,
    cpu_us: u64,
    peak_rss_bytes: Option<u64>,
    hash: u64,
}

/// Runs the command.
pub fn run(args: &BenchArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let workloads = match args.workloads.as_slice() {
        [] => &Workload::ALL[..],
        named => named,
    };
    for workload in workloads {
        let runs = args.runs.unwrap_or_else(|| usual_runs(*workload));
        let line = measured(*workload, runs);
        match args.output.form() {
            OutputForm::Json => writeln!(console.out, "{}", document(&line))?,
            OutputForm::Text => writeln!(console.out, "{}", text(&line))?,
        }
        console.out.flush()?;
    }
    Ok(Exit::Held)
}

/// Enough for some seconds.
fn usual_runs(workload: Workload) -> u64 {
    match workload {
        Workload::Activate3 => 2_000,
        Workload::Chaos3 => 50,
    }
}

fn measured(workload: Workload, runs: u64) -> Measurement {
    let mut line = Measurement {
        workload,
        runs,
        events: 0,
        messages: 0,
        simulated_us: 0,
        cpu_us: 0,
        peak_rss_bytes: None,
        hash: 0,
    };
    let mut digest = Digest::new();
    process::forget_peak();
    let clock = process::CpuClock::started();
    for seed in 1..=runs {
        let measured = workload.run(seed);
        line.events += measured.events;
        line.messages += measured.messages;
        line.simulated_us += measured.simulated.as_micros();
        digest.write_u64(measured.hash);
    }
    line.cpu_us = clock.elapsed_us();
    line.peak_rss_bytes = process::peak_bytes();
    line.hash = digest.value();
    line
}

fn document(line: &Measurement) -> Value {
    json!({
        "workload": line.workload.name(),
        "runs": line.runs,
        "events": line.events,
        "messages": line.messages,
        "simulated_us": line.simulated_us,
        "cpu_us": line.cpu_us,
        "peak_rss_bytes": line.peak_rss_bytes,
        "hash": format!("{:016x}", line.hash),
    })
}

fn text(line: &Measurement) -> String {
    let cpu = line.cpu_us.max(1);
    let peak = line
        .peak_rss_bytes
        .map_or_else(|| "?".to_owned(), |bytes| (bytes >> 20).to_string());
    format!(
        "{:<10} {} runs, {} events, {} messages, {} ms of CPU, {} MiB at most: {} runs/s, {} events/s, {} x real time, \
         hash {:016x}",
        line.workload.name(),
        line.runs,
        line.events,
        line.messages,
        line.cpu_us / 1_000,
        peak,
        line.runs * 1_000_000 / cpu,
        line.events * 1_000_000 / cpu,
        line.simulated_us / cpu,
        line.hash
    )
}
