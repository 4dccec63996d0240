use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use releases::Release;
use serde_json::Value;

use crate::repository;

/// The driver of Kafka's own classes: one JVM that takes many schedules (`tests/step-by-step/many.py`).
#[derive(Debug)]
pub struct Kafka {
    child: Child,
    answers: BufReader<ChildStdout>,
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
    /// It ended.
    #[error(
        "the driver of Kafka's classes ended in the middle of a schedule (KAFKA_ORACLE_LOG=FILE keeps its log)"
    )]
    Ended,
}

impl Kafka {
    /// Starts the JVM.
    pub fn start(release: Release) -> Result<Self, KafkaError> {
        let root = repository::root();
        let mut child = Command::new("python3")
            .arg(root.join("tests/step-by-step/many.py"))
            .arg(root.join("oracle"))
            .arg(release.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let answers = child.stdout.take().ok_or(KafkaError::Ended)?;
        Ok(Kafka {
            child,
            answers: BufReader::new(answers),
        })
    }

    /// What it answers to a schedule.
    pub fn run(&mut self, schedule: &[Value]) -> Result<Vec<Value>, KafkaError> {
        let stdin = self.child.stdin.as_mut().ok_or(KafkaError::Ended)?;
        let answers = &mut self.answers;
        thread::scope(|scope| {
            // Its answers are read while it is written to: neither pipe holds a whole schedule.
            let writer = scope.spawn(move || write(stdin, schedule));
            let found = read(answers, schedule.len());
            let written = writer.join().map_err(|_| KafkaError::Ended)?;
            let found = found?;
            written?;
            Ok(found)
        })
    }
}

fn write(stdin: &mut ChildStdin, schedule: &[Value]) -> Result<(), KafkaError> {
    for command in schedule {
        writeln!(stdin, "{command}")?;
    }
    writeln!(stdin, "---")?;
    Ok(stdin.flush()?)
}

fn read(answers: &mut BufReader<ChildStdout>, count: usize) -> Result<Vec<Value>, KafkaError> {
    let mut found = Vec::with_capacity(count);
    loop {
        let mut line = String::new();
        if answers.read_line(&mut line)? == 0 {
            return Err(KafkaError::Ended);
        }
        if line.trim_end() == "---" {
            return Ok(found);
        }
        let answer = serde_json::from_str(&line).map_err(|_| KafkaError::Json(line.clone()))?;
        found.push(answer);
    }
}

impl Drop for Kafka {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
