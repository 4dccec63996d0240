use records::feature::UnstableFeatureVersions;
use releases::Rules;
use serde_json::{Map, Value, json};
use simulator::drive::{Drive, DriveCommand, RunPlan};
use simulator::invariants::Violation;

use super::exceptions::Exception;
use super::known::ScheduleTerms;
use super::limits::LINE_BYTES;
use super::lines::ScheduleLine;
use super::{answers, commands, setup};

/// A schedule that is being driven: each command gets its answer.
#[derive(Clone, Debug)]
pub struct DrivenSchedule {
    known: ScheduleTerms,
    drive: Option<Drive>,
    /// What the clock shows before anything is set up.
    early_ms: i64,
}

impl DrivenSchedule {
    /// Nothing is set up yet.
    pub fn new(rules: Rules) -> Self {
        DrivenSchedule {
            known: ScheduleTerms {
                rules,
                unstable: UnstableFeatureVersions::Disabled,
            },
            drive: None,
            early_ms: 0,
        }
    }

    /// The invariants that the nodes have broken, in the order in which it showed.
    pub fn violations(&self) -> &[Violation] {
        let observer = self.drive.as_ref().map(Drive::observer);
        observer.map_or(&[], |observer| observer.invariants().violations())
    }

    /// Obeys one line; nothing is answered to an empty one and to a comment.
    pub fn line(&mut self, line: &ScheduleLine) -> Option<Value> {
        let ScheduleLine::Whole(line) = line else {
            let most = LINE_BYTES;
            let text = format!("a line of more than {most} bytes");
            return Some(self.refused_line(&Exception::malformed(text)));
        };
        if line.trim().is_empty() || line.starts_with('#') {
            return None;
        }
        Some(match serde_json::from_str(line) {
            Ok(command) => self.obey(&command),
            Err(error) => {
                let class = "com.fasterxml.jackson.core.JsonParseException";
                self.refused_line(&Exception::new(class, error.to_string()))
            }
        })
    }

    fn refused_line(&mut self, error: &Exception) -> Value {
        let mut answer = Map::from_iter([("ok".to_owned(), Value::Bool(true))]);
        self.refuse(&mut answer, error);
        Value::Object(answer)
    }

    /// Obeys one command.
    pub fn obey(&mut self, command: &Value) -> Value {
        let mut answer = Map::new();
        let name = command["cmd"].as_str().unwrap_or_default();
        answer.insert("cmd".into(), name.into());
        answer.insert("ok".into(), true.into());
        match (&mut self.drive, name) {
            (None, "init") => self.init(command, &mut answer),
            (None, _) => self.obey_early(command, &mut answer),
            (Some(_), "init") => {
                let error = Exception::illegal_argument("something is set up already");
                self.refuse(&mut answer, &error);
            }
            (Some(drive), _) => match commands::parse(command, &self.known) {
                Ok(command) => {
                    let answered = drive.obey(command);
                    answers::fill(&mut answer, &answered, &self.known);
                }
                Err(error) => {
                    let node = commands::must_run(command).filter(|_| !error.is_malformed());
                    let sooner = node.and_then(|node| drive.refusal_of(node));
                    let error = sooner.map_or(error, |refusal| Exception::of(&refusal));
                    self.refuse(&mut answer, &error);
                }
            },
        }
        Value::Object(answer)
    }

    fn init(&mut self, command: &Value, answer: &mut Map<String, Value>) {
        match setup::parse(command, &self.known.rules) {
            Ok(setup) => {
                if command["unstable"] == true {
                    self.known.unstable = UnstableFeatureVersions::Enabled;
                }
                let (drive, answered) = Drive::new(setup);
                self.drive = Some(drive);
                answers::fill(answer, &answered, &self.known);
            }
            Err(error) => self.refuse(answer, &error),
        }
    }

    /// Without nodes there is only the clock.
    fn obey_early(&mut self, command: &Value, answer: &mut Map<String, Value>) {
        let error = match commands::parse(command, &self.known) {
            Ok(DriveCommand::Advance { ms } | DriveCommand::Run(RunPlan { ms, .. })) => {
                self.early_ms = self.early_ms.saturating_add(ms);
                None
            }
            Ok(DriveCommand::State(None)) => {
                answer.insert("nodes".into(), json!([]));
                answer.insert("in_flight".into(), json!([]));
                None
            }
            Err(error) if error.is_malformed() || commands::must_run(command).is_none() => {
                Some(error)
            }
            _ => Some(Exception::illegal_argument("no such node")),
        };
        if let Some(error) = error {
            return self.refuse(answer, &error);
        }
        answer.insert("now".into(), self.early_ms.into());
        answer.insert("sent".into(), json!([]));
    }

    /// The command is not carried out; what else there is to tell is told all the same.
    fn refuse(&mut self, answer: &mut Map<String, Value>, error: &Exception) {
        if let Some(drive) = &mut self.drive {
            answers::fill(answer, &drive.look(), &self.known);
        } else {
            answer.insert("now".into(), self.early_ms.into());
            answer.insert("sent".into(), json!([]));
        }
        answer.insert("ok".into(), false.into());
        answer.insert("error".into(), error.to_string().into());
    }
}
