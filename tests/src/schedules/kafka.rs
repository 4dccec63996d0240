use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use releases::Release;
use serde_json::Value;

use crate::repository;

/// The driver of Kafka's own classes: one JVM that takes many schedules (`tests/step-by-step/many.py`). A JVM that ends in
/// the middle of a schedule is followed by a new one.
#[derive(Debug)]
pub struct Kafka {
    release: Release,
    jvm: Option<Jvm>,
}

/// Answers of real Kafka, and whether there is one to every command.
#[derive(Clone, Debug)]
pub struct Answered {
    /// To the first commands, or all.
    pub answers: Vec<Value>,
    /// How it came out.
    pub end: End,
}

/// How a schedule came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An answer to every command.
    Whole,
    /// The last answer says that its command does not end: Kafka's own code loops.
    Endless,
    /// The JVM died.
    Died,
}

/// Real Kafka could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum KafkaError {
    /// The process, or the pipes to it.
    #[error("the driver of Kafka's classes: {0}")]
    Io(#[from] std::io::Error),
    /// It answered no JSON.
    #[error("the driver of Kafka's classes answered {0}")]
    Json(String),
    /// A JVM that answers nothing at all.
    #[error(
        "the driver of Kafka's classes ended before its first answer (KAFKA_ORACLE_LOG=FILE keeps its log)"
    )]
    Ended,
}

impl Kafka {
    /// Starts the JVM.
    pub fn start(release: Release) -> Result<Self, KafkaError> {
        Ok(Kafka {
            release,
            jvm: Some(Jvm::start(release)?),
        })
    }

    /// What it answers to a schedule.
    pub fn run(&mut self, schedule: &[Value]) -> Result<Answered, KafkaError> {
        let mut jvm = match self.jvm.take() {
            Some(jvm) => jvm,
            None => Jvm::start(self.release)?,
        };
        let answered = jvm.run(schedule)?;
        if answered.end == End::Whole && jvm.waits {
            self.jvm = Some(jvm);
        }
        if answered.answers.is_empty() {
            return Err(KafkaError::Ended);
        }
        Ok(answered)
    }
}

#[derive(Debug)]
struct Jvm {
    child: Child,
    answers: BufReader<ChildStdout>,
    /// For the next schedule.
    waits: bool,
}

impl Jvm {
    fn start(release: Release) -> Result<Self, KafkaError> {
        let root = repository::root();
        let mut child = Command::new("python3")
            .arg(root.join("tests/step-by-step/many.py"))
            .arg(root.join("oracle"))
            .arg(release.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let answers = child.stdout.take().ok_or(KafkaError::Ended)?;
        Ok(Jvm {
            child,
            answers: BufReader::new(answers),
            waits: true,
        })
    }

    fn run(&mut self, schedule: &[Value]) -> Result<Answered, KafkaError> {
        let stdin = self.child.stdin.as_mut().ok_or(KafkaError::Ended)?;
        let (answers, waits) = (&mut self.answers, &mut self.waits);
        thread::scope(|scope| {
            // Its answers are read while it is written to: neither pipe holds a whole schedule.
            let writer = scope.spawn(move || write(stdin, schedule));
            let answers = read(answers, schedule.len(), waits);
            let written = writer.join().map_err(|_| KafkaError::Ended)?;
            let answers = answers?;
            let end = match answers.last() {
                Some(last) if is_endless(last) => End::Endless,
                _ if answers.len() < schedule.len() => End::Died,
                _ => End::Whole,
            };
            if end == End::Whole && *waits {
                written?;
            }
            Ok(Answered { answers, end })
        })
    }
}

/// Whether an answer says that its command does not end.
pub fn is_endless(answer: &Value) -> bool {
    answer["error"]
        .as_str()
        .is_some_and(|error| error.starts_with("endless"))
}

fn write(stdin: &mut ChildStdin, schedule: &[Value]) -> Result<(), KafkaError> {
    for command in schedule {
        writeln!(stdin, "{command}")?;
    }
    writeln!(stdin, "---")?;
    Ok(stdin.flush()?)
}

fn read(
    answers: &mut BufReader<ChildStdout>,
    count: usize,
    waits: &mut bool,
) -> Result<Vec<Value>, KafkaError> {
    let mut found = Vec::with_capacity(count);
    loop {
        let mut line = String::new();
        if answers.read_line(&mut line)? == 0 {
            *waits = false;
            return Ok(found);
        }
        if line.trim_end() == "---" {
            return Ok(found);
        }
        let answer = serde_json::from_str(&line).map_err(|_| KafkaError::Json(line.clone()))?;
        if found.len() < count {
            found.push(answer);
        }
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
