//! `agree [OPTIONS] DIR…`: does kraftsim say what real Kafka did, on any folders of cells?

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use kraftsim_tests::agree::{Cell, Differences, Kraftsim, Place, Verdict, cells_in, judge, page};
use rayon::prelude::*;

const USAGE: &str = "\
usage: agree [--table] [--verbose] [--only TEXT]... [--binary PROGRAM] [--seed N] DIR...

Judges every cell below each DIR and prints those that differ with the first difference, and the count.
  --table           print docs/agreement.md instead
  --verbose         name the cells that agree, too
  --only TEXT       only cells whose name contains TEXT
  --binary PROGRAM  ask this kraftsim; without it, the one that this program was built with
  --seed N          let its rehearsals draw from another seed
Exit status: 0 all agree, 1 some differ, 2 bad usage or input.
";

#[derive(Default)]
struct Request {
    table: Option<()>,
    verbose: Option<()>,
    only: Vec<String>,
    binary: Option<PathBuf>,
    seed: Option<u64>,
    folders: Vec<PathBuf>,
}

fn parse(args: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut request = Request::default();
    let mut args = args;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--table" => request.table = Some(()),
            "--verbose" | "-v" => request.verbose = Some(()),
            "--only" => request.only.push(value()?),
            "--binary" => request.binary = Some(value()?.into()),
            "--seed" => {
                let seed = value()?;
                request.seed = Some(seed.parse().map_err(|_| format!("{seed} is no seed"))?);
            }
            _ if arg.starts_with('-') => return Err(format!("unknown option {arg}")),
            _ => request.folders.push(arg.into()),
        }
    }
    if request.folders.is_empty() {
        return Err("no folder of cells is given".to_owned());
    }
    Ok(request)
}

fn cells(request: &Request) -> Result<Vec<Cell>, String> {
    let mut cells = Vec::new();
    for folder in &request.folders {
        cells.extend(cells_in(folder).map_err(|error| error.to_string())?);
    }
    cells.retain(|cell| {
        request.only.is_empty() || request.only.iter().any(|text| cell.id().contains(text))
    });
    if cells.is_empty() {
        return Err("there is no such cell".to_owned());
    }
    Ok(cells)
}

fn main() -> ExitCode {
    let asked = parse(std::env::args().skip(1))
        .and_then(|request| cells(&request).map(|cells| (request, cells)));
    let (request, cells) = match asked {
        Ok(asked) => asked,
        Err(problem) => {
            eprint!("error: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let kraftsim = Kraftsim {
        place: request
            .binary
            .clone()
            .map_or(Place::InProcess, Place::Program),
        seed: request.seed,
    };
    let verdicts: Vec<(String, Verdict)> = cells
        .par_iter()
        .map(|cell| (cell.id(), judge(&kraftsim, cell)))
        .collect();
    // A reader that went away has seen enough.
    let _ = report(&request, &verdicts);
    let all_agree = !verdicts
        .iter()
        .any(|(_, verdict)| matches!(verdict, Verdict::Differ(_)));
    ExitCode::from(u8::from(!all_agree))
}

fn report(request: &Request, verdicts: &[(String, Verdict)]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if request.table.is_some() {
        return out.write_all(page(verdicts, &Differences::known()).as_bytes());
    }
    for (id, verdict) in verdicts {
        match verdict {
            Verdict::Agree if request.verbose.is_some() => writeln!(out, "agree   {id}")?,
            Verdict::Agree => {}
            Verdict::Differ(what) => writeln!(out, "differ  {id}: {what}")?,
            Verdict::Skip(why) => writeln!(out, "skip    {id}: {why}")?,
        }
    }
    let count = |name| {
        verdicts
            .iter()
            .filter(|(_, verdict)| verdict.name() == name)
            .count()
    };
    writeln!(
        out,
        "{} agree, {} differ, {} not judged",
        count("agree"),
        count("differ"),
        count("skip")
    )
}
