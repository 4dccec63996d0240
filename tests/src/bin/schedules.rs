//! `schedules`: does kraftsim take the same steps as Kafka's own classes, on random schedules? Needs Java and `oracle/`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kraftsim_tests::cli::asks_for_usage;
use kraftsim_tests::repository::{self, files};
use kraftsim_tests::schedules::{
    Difference, End, Family, Generator, Kafka, Profile, Recording, first_difference, is_endless,
    ours, shrink,
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
  --family NAME     only such things happen (late, voters, snapshots, kraft-version, features, brokers, clock, large,
                    refused, odd, crashes); may be given several times
  --replay PATH     obey this schedule (or recording) instead, or all of a folder
  --record FOLDER   keep what real Kafka answered, packed with gzip
  --recorded FOLDER compare with what is kept there (files of lines {\"c\": COMMAND, \"a\": ANSWER}, NAME@RELEASE.jsonl or
                    .jsonl.gz); no Java, and no other option but --differing
  --differing DIR   keep the schedules that differ
  --shrink N        take commands away in up to N tries (0)
Exit status: 0 all agree, 1 some differ or do not end, 2 bad usage, or Kafka could not be asked.
";

struct Request {
    releases: Vec<Release>,
    seeds: std::ops::Range<u64>,
    steps: usize,
    voters: Option<i32>,
    families: Vec<Family>,
    replay: Option<PathBuf>,
    record: Option<PathBuf>,
    recorded: Option<PathBuf>,
    differing: Option<PathBuf>,
    tries: usize,
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut request = Request {
        releases: Vec::new(),
        seeds: 0..20,
        steps: 300,
        voters: None,
        families: Vec::new(),
        replay: None,
        record: None,
        recorded: None,
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
            "--family" => {
                let name = value()?;
                let known = Family::ALL.into_iter().find(|family| family.name() == name);
                request
                    .families
                    .push(known.ok_or(format!("there is no family {name}"))?);
            }
            "--replay" => request.replay = Some(value()?.into()),
            "--record" => request.record = Some(value()?.into()),
            "--recorded" => request.recorded = Some(value()?.into()),
            "--differing" => request.differing = Some(value()?.into()),
            "--shrink" => request.tries = number(&value()?)? as usize,
            other => return Err(format!("unknown argument {other}")),
        }
    }
    if request.releases.is_empty() && request.recorded.is_none() {
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

/// Writes a recording, where there is a folder for it.
fn keep(folder: Option<&PathBuf>, name: &str, recording: &Recording) -> Result<(), String> {
    let Some(folder) = folder else {
        return Ok(());
    };
    fs::create_dir_all(folder)
        .and_then(|()| recording.write(&folder.join(format!("{name}.jsonl.gz"))))
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
        keep(self.request.record.as_ref(), name, &recording)?;
        if difference.is_some() {
            keep(self.request.differing.as_ref(), name, &recording)?;
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
        let mut count = Count::default();
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
            let schedule = if let Some(path) = replayed.get(seed as usize) {
                commands(path)?
            } else {
                let profile = Profile::of(seed, &request.families);
                let profile = match request.voters {
                    Some(count) => profile.with_voters(count),
                    None => profile,
                };
                Generator::schedule(*release, profile, seed, request.steps).0
            };
            count.commands += schedule.len();
            let (difference, end) = side.compare(&format!("{seed}@{release}"), &schedule)?;
            if end != End::Whole {
                count.unended += 1;
                writeln!(
                    out,
                    "{release} seed {seed}: real Kafka did not get to the end"
                )
                .map_err(|e| e.to_string())?;
            }
            let Some(difference) = difference else {
                count.agreed += usize::from(end == End::Whole);
                continue;
            };
            count.differed += 1;
            let command = shortened(schedule.get(difference.index).unwrap_or(&Value::Null));
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
        all_agree &= count.differed == 0 && count.unended == 0;
        writeln!(out, "{}", count.line(*release)).map_err(|error| error.to_string())?;
    }
    Ok(all_agree)
}

/// How many recordings of a release agree, differ, or do not go to the end.
#[derive(Default)]
struct Count {
    agreed: usize,
    differed: usize,
    unended: usize,
    commands: usize,
}

impl Count {
    fn line(&self, release: Release) -> String {
        format!(
            "{release}: {} schedules agree, {} differ, {} did not end; {} commands",
            self.agreed, self.differed, self.unended, self.commands
        )
    }
}

/// Compares with all recordings of a folder.
fn compare_recorded(
    folder: &Path,
    differing: Option<&PathBuf>,
    out: &mut impl io::Write,
) -> Result<bool, String> {
    let mut counts: BTreeMap<Release, Count> = BTreeMap::new();
    for path in repository::files(folder, &[".jsonl", ".jsonl.gz"]) {
        let shown = path.display();
        let recordings = Recording::read_all(&path).map_err(|error| format!("{shown}: {error}"))?;
        for (index, recording) in recordings.iter().enumerate() {
            let found = ours(recording.release, &recording.schedule);
            let count = counts.entry(recording.release).or_default();
            count.commands += recording.schedule.len();
            count.unended += usize::from(recording.answers.last().is_some_and(is_endless));
            let Some(difference) = first_difference(&recording.answers, &found) else {
                count.agreed += 1;
                continue;
            };
            count.differed += 1;
            let command = shortened(&recording.schedule[difference.index]);
            writeln!(out, "{shown}, recording {index}: {command}\n{difference}")
                .map_err(|error| error.to_string())?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.split(['@', '.']).next().unwrap_or_default();
            let name = format!("{name}-{index}@{}", recording.release);
            keep(differing, &name, recording)?;
        }
    }
    for (release, count) in &counts {
        writeln!(out, "{}", count.line(*release)).map_err(|error| error.to_string())?;
    }
    Ok(counts.values().all(|count| count.differed == 0))
}

/// A command may hold thousands of records.
fn shortened(command: &Value) -> String {
    const SHOWN: usize = 300;
    let text = command.to_string();
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

fn main() -> ExitCode {
    if asks_for_usage() {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let outcome = parse(std::env::args().skip(1)).and_then(|request| match &request.recorded {
        Some(folder) => compare_recorded(folder, request.differing.as_ref(), &mut io::stdout()),
        None => run(&request, &mut io::stdout()),
    });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = write!(io::stderr(), "error: {error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
