use std::fs;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use releases::Release;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::recorded::driven::Answer;

/// A schedule, and what a release of real Kafka answered: a file of lines `{"c": command, "a": answer}`, packed with gzip
/// where its name ends in `.gz`. A file can hold several, with an empty line between them. The first answer names the
/// release; where it is an error, the file's name does: `NAME@RELEASE.jsonl`.
#[derive(Clone, Debug)]
pub struct Recording {
    pub release: Release,
    pub schedule: Vec<Value>,
    /// An answer to each.
    pub answers: Vec<Value>,
}

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("{0}")]
    Read(#[from] io::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Neither the first answer nor the file's name names a release that is known.
    #[error("it does not say which release answered: {0}")]
    Release(String),
    /// One recording was wanted.
    #[error("{0} recordings in one file")]
    NotOne(usize),
    /// Commands and answers do not go together.
    #[error("{commands} commands, {answers} answers")]
    Count {
        /// How many commands.
        commands: usize,
        /// How many answers.
        answers: usize,
    },
}

impl Recording {
    /// The only recording of a file.
    pub fn read(path: &Path) -> Result<Self, RecordingError> {
        let mut all = Self::read_all(path)?;
        let count = all.len();
        match all.pop() {
            Some(recording) if count == 1 => Ok(recording),
            _ => Err(RecordingError::NotOne(count)),
        }
    }

    /// All recordings of a file.
    pub fn read_all(path: &Path) -> Result<Vec<Self>, RecordingError> {
        let bytes = fs::read(path)?;
        let mut text = String::new();
        if path.extension().is_some_and(|extension| extension == "gz") {
            GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
        } else {
            bytes.as_slice().read_to_string(&mut text)?;
        }
        let parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
        parts.map(|part| Self::of_lines(part, path)).collect()
    }

    fn of_lines(text: &str, path: &Path) -> Result<Self, RecordingError> {
        let (mut schedule, mut answers) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let line: Line = serde_json::from_str(line)?;
            schedule.push(line.command);
            answers.push(line.answer);
        }
        Self::of(schedule, answers, path)
    }

    /// A schedule of `oracle/schedules` with one of its answers.
    pub fn of_files(schedule: &Path, answers: &Path) -> Result<Self, RecordingError> {
        Self::of(lines(schedule)?, lines(answers)?, answers)
    }

    fn of(schedule: Vec<Value>, answers: Vec<Value>, path: &Path) -> Result<Self, RecordingError> {
        if schedule.len() != answers.len() || answers.is_empty() {
            return Err(RecordingError::Count {
                commands: schedule.len(),
                answers: answers.len(),
            });
        }
        let answered = Answer::deserialize(&answers[0])?.kafka;
        let named = answered.or_else(|| named_by(path)).unwrap_or_default();
        Ok(Recording {
            release: named.parse().map_err(|_| RecordingError::Release(named))?,
            schedule,
            answers,
        })
    }

    /// Writes it, packed with gzip.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let file = BufWriter::new(fs::File::create(path)?);
        let mut file = GzEncoder::new(file, Compression::best());
        for (command, answer) in self.schedule.iter().zip(&self.answers) {
            let line = Line {
                command: command.clone(),
                answer: answer.clone(),
            };
            serde_json::to_writer(&mut file, &line)?;
            file.write_all(b"\n")?;
        }
        file.finish()?.flush()
    }
}

/// The release in `NAME@RELEASE.jsonl`, packed or not.
fn named_by(path: &Path) -> Option<String> {
    let (_, release) = path.file_name()?.to_str()?.rsplit_once('@')?;
    let release = release.strip_suffix(".gz").unwrap_or(release);
    Some(release.strip_suffix(".jsonl")?.to_owned())
}

/// A line of a recording.
#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(rename = "c")]
    command: Value,
    #[serde(rename = "a")]
    answer: Value,
}

/// The commands or answers of a file, comments left out.
pub(super) fn lines(path: &Path) -> Result<Vec<Value>, RecordingError> {
    let text = fs::read_to_string(path)?;
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| serde_json::from_str(line).map_err(RecordingError::from))
        .collect()
}
