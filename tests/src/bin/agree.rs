//! `agree [OPTIONS] DIR…`: does kraftsim say what real Kafka did, on any folders of cells?
//! `agree --lived [OPTIONS] DIR…`: does a simulated cluster live as clusters of real Kafka did?

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use kraftsim_tests::agree::{Cell, Differences, Kraftsim, Place, Verdict, cells_in, judge, page};
use kraftsim_tests::cli::asks_for_usage;
use kraftsim_tests::lived::{self, KnownDifferences, LivedVerdict, Recording};
use kraftsim_tests::recorded::ReadError;
use rayon::prelude::*;

const USAGE: &str = "\
usage: agree [--table] [--verbose] [--only TEXT]... [--binary PROGRAM] [--seed N] DIR...
       agree --lived [--table] [--verbose] [--only TEXT]... [--write DIR] DIR...

Judges every cell below each DIR and prints those that differ with the first difference, and the count.
  --table           print docs/agreement.md instead
  --verbose         name the cells that agree, too
  --only TEXT       only cells whose name contains TEXT
  --binary PROGRAM  ask this kraftsim; without it, the one that this program was built with
  --seed N          let its rehearsals draw from another seed
  --lived           the cells are lived-in clusters: each life is lived again, action by action
  --write DIR       write the scenarios that come of it there
Exit status: 0 all agree (or differ as tests/lived-differences.tsv says), 1 some differ, 2 bad usage or input.
";

#[derive(Default)]
struct Request {
    table: Option<()>,
    verbose: Option<()>,
    only: Vec<String>,
    binary: Option<PathBuf>,
    seed: Option<u64>,
    lived: Option<()>,
    write: Option<PathBuf>,
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
            "--lived" => request.lived = Some(()),
            "--write" => request.write = Some(value()?.into()),
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
    if asks_for_usage() {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let asked = parse(std::env::args().skip(1))
        .and_then(|request| cells(&request).map(|cells| (request, cells)));
    let (request, cells) = match asked {
        Ok(asked) => asked,
        Err(problem) => {
            eprint!("error: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if request.lived.is_some() {
        return lived(&request, &cells);
    }
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

/// Every cell is lived again.
fn lived(request: &Request, cells: &[Cell]) -> ExitCode {
    let judged: Result<Vec<_>, ReadError> = cells
        .par_iter()
        .map(|cell| {
            let recording = Recording::read(cell.folder())?;
            Ok((cell.id(), lived::judge(&recording)))
        })
        .collect();
    let verdicts = match judged {
        Ok(verdicts) => verdicts,
        Err(problem) => {
            eprintln!("error: {problem}");
            return ExitCode::from(2);
        }
    };
    for (id, verdict) in &verdicts {
        let Some(folder) = &request.write else {
            break;
        };
        let path = folder.join(format!("{id}.scenario"));
        if let Err(error) = std::fs::write(&path, &verdict.scenario) {
            eprintln!("error: {}: {error}", path.display());
            return ExitCode::from(2);
        }
    }
    // A reader that went away has seen enough.
    let _ = report_lived(request, &verdicts);
    let known = KnownDifferences::of_repository();
    let stand = |(id, verdict): &(String, LivedVerdict)| known.stand_by(id, verdict).is_ok();
    ExitCode::from(u8::from(!verdicts.iter().all(stand)))
}

fn report_lived(request: &Request, verdicts: &[(String, LivedVerdict)]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if request.table.is_some() {
        return out.write_all(lived::page(verdicts, &KnownDifferences::of_repository()).as_bytes());
    }
    for (id, verdict) in verdicts {
        let (actions, agreeing) = (verdict.actions.len(), verdict.agreeing());
        if !verdict.agrees() || request.verbose.is_some() {
            writeln!(out, "{id}: {agreeing} of {actions} actions agree")?;
        }
        for what in verdict.differences() {
            writeln!(out, "  {what}")?;
        }
    }
    let agree = verdicts.iter().filter(|(_, verdict)| verdict.agrees());
    let actions: usize = verdicts.iter().map(|(_, one)| one.actions.len()).sum();
    let agreeing: usize = verdicts.iter().map(|(_, one)| one.agreeing()).sum();
    writeln!(
        out,
        "{} of {} clusters agree in everything, {agreeing} of {actions} actions",
        agree.count(),
        verdicts.len()
    )
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
