//! `schedules`: does kraftsim take the same steps as Kafka's own classes, on random schedules? Needs Java and `oracle/`.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use kraftsim_tests::repository::files;
use kraftsim_tests::schedules::{
    Difference, End, Generator, Kafka, Profile, Recording, first_difference, ours, shrink,
};
use releases::Release;
use serde_json::Value;

const USAGE: &str = "\
usage: schedules --kafka R[,R]... [--seeds A..B] [--steps N] [OPTIONS]

Makes a schedule from every seed, lets kraftsim and real Kafka (through oracle/, which has to have fetched the release) obey
it, and compares answer by answer. Prints the first answer that differs, and a count for each release.
  --seeds A..B      the seeds, without B (0..20)
  --voters N        how many voters (1 to 5, by the seed)
  --steps N         how long a schedule is (300)
  --replay PATH     obey this schedule (or recording) instead, or all of a folder
  --record FOLDER   keep what real Kafka answered
  --differing DIR   keep the schedules that differ
  --shrink N        take commands away in up to N tries (0)
Exit status: 0 all agree, 1 some differ or do not end, 2 bad usage, or Kafka could not be asked.
";

struct Request {
    releases: Vec<Release>,
    seeds: std::ops::Range<u64>,
    steps: usize,
    voters: Option<i32>,
    replay: Option<PathBuf>,
    record: Option<PathBuf>,
    differing: Option<PathBuf>,
    tries: usize,
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut request = Request {
        releases: Vec::new(),
        seeds: 0..20,
        steps: 300,
        voters: None,
        replay: None,
        record: None,
        differing: None,
        tries: 0,
    };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        let number = |text: &str| {
            text.parse::<u64>()
                .map_err(|_| format!("{text} is no number"))
        };
        match arg.as_str() {
            "--kafka" => {
                for name in value()?.split(',') {
                    request
                        .releases
                        .push(name.parse().map_err(|error| format!("{error}"))?);
                }
            }
            "--seeds" => {
                let given = value()?;
                let (from, to) = given.split_once("..").ok_or("--seeds takes A..B")?;
                request.seeds = number(from)?..number(to)?;
            }
            "--voters" => {
                let count = number(&value()?)?;
                request.voters = Some(i32::try_from(count).map_err(|error| error.to_string())?);
            }
            "--steps" => request.steps = number(&value()?)? as usize,
            "--replay" => request.replay = Some(value()?.into()),
            "--record" => request.record = Some(value()?.into()),
            "--differing" => request.differing = Some(value()?.into()),
            "--shrink" => request.tries = number(&value()?)? as usize,
            other => return Err(format!("unknown argument {other}")),
        }
    }
    if request.releases.is_empty() {
        return Err("no release is given".to_owned());
    }
    Ok(request)
}

/// Lines of commands, or of commands with answers.
fn commands(path: &PathBuf) -> Result<Vec<Value>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            Ok(match line.get_mut("c") {
                Some(command) => command.take(),
                None => line,
            })
        })
        .collect()
}

fn keep(
    folder: Option<&PathBuf>,
    name: &str,
    lines: impl Iterator<Item = String>,
) -> Result<(), String> {
    let Some(folder) = folder else {
        return Ok(());
    };
    let text: String = lines.map(|line| line + "\n").collect();
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join(name), text))
        .map_err(|error| format!("{}: {error}", folder.display()))
}

struct Side<'a> {
    request: &'a Request,
    release: Release,
    kafka: Kafka,
}

impl Side<'_> {
    /// Runs one schedule through both; the difference, if there is one.
    fn compare(
        &mut self,
        name: &str,
        schedule: &[Value],
    ) -> Result<(Option<Difference>, End), String> {
        let mut found = ours(self.release, schedule);
        let answered = self.kafka.run(schedule);
        let answered = answered.map_err(|error| format!("{name}: {error}"))?;
        let (answers, end) = (answered.answers, answered.end);
        found.truncate(answers.len());
        let difference = first_difference(&answers, &found);
        let schedule = &schedule[..answers.len()];
        let recording = Recording {
            release: self.release,
            schedule: schedule.to_vec(),
            answers,
        };
        keep(
            self.request.record.as_ref(),
            &format!("{name}.jsonl"),
            recording.lines(),
        )?;
        if difference.is_some() {
            keep(
                self.request.differing.as_ref(),
                &format!("{name}.jsonl"),
                recording.lines(),
            )?;
        }
        Ok((difference, end))
    }

    fn shrunk(&mut self, schedule: &[Value], difference: &Difference) -> Vec<Value> {
        let end = (difference.index + 1).min(schedule.len());
        let (release, kafka) = (self.release, &mut self.kafka);
        shrink(&schedule[..end], self.request.tries, |candidate| {
            let found = ours(release, candidate);
            kafka.run(candidate).is_ok_and(|answered| {
                let answers = &answered.answers;
                first_difference(answers, &found[..answers.len()]).is_some()
            })
        })
    }
}

fn run(request: &Request, out: &mut impl io::Write) -> Result<bool, String> {
    let mut all_agree = true;
    for release in &request.releases {
        let kafka = Kafka::start(*release).map_err(|error| error.to_string())?;
        let mut side = Side {
            request,
            release: *release,
            kafka,
        };
        let (mut agreed, mut differed, mut unended, mut compared) = (0, 0, 0, 0);
        let replayed = match &request.replay {
            Some(path) if path.is_dir() => files(path, &[".jsonl"]),
            Some(path) => vec![path.clone()],
            None => Vec::new(),
        };
        let seeds = match &request.replay {
            Some(_) => 0..replayed.len() as u64,
            None => request.seeds.clone(),
        };
        for seed in seeds {
            let schedule = match replayed.get(seed as usize) {
                Some(path) => commands(path)?,
                None => {
                    let profile = Profile::of(seed);
                    let profile = match request.voters {
                        Some(count) => profile.with_voters(count),
                        None => profile,
                    };
                    Generator::schedule(*release, profile, seed, request.steps).0
                }
            };
            compared += schedule.len();
            let (difference, end) = side.compare(&format!("{release}-{seed}"), &schedule)?;
            if end != End::Whole {
                unended += 1;
                writeln!(
                    out,
                    "{release} seed {seed}: real Kafka did not get to the end"
                )
                .map_err(|e| e.to_string())?;
            }
            let Some(difference) = difference else {
                agreed += usize::from(end == End::Whole);
                continue;
            };
            differed += 1;
            let command = schedule.get(difference.index).unwrap_or(&Value::Null);
            writeln!(out, "{release} seed {seed}: {command}\n{difference}")
                .map_err(|e| e.to_string())?;
            if request.tries > 0 {
                let shrunk = side.shrunk(&schedule, &difference);
                writeln!(out, "  {} commands are enough:", shrunk.len())
                    .map_err(|e| e.to_string())?;
                for command in &shrunk {
                    writeln!(out, "    {command}").map_err(|e| e.to_string())?;
                }
            }
        }
        all_agree &= differed == 0 && unended == 0;
        writeln!(
            out,
            "{release}: {agreed} schedules agree, {differed} differ, {unended} did not end; {compared} commands"
        )
        .map_err(|error| error.to_string())?;
    }
    Ok(all_agree)
}

fn main() -> ExitCode {
    let outcome =
        parse(std::env::args().skip(1)).and_then(|request| run(&request, &mut io::stdout()));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = write!(io::stderr(), "error: {error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
