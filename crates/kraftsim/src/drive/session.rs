use releases::Rules;
use serde_json::{Map, Value, json};
use simulator::drive::Drive;

use super::{answers, commands, setup};

/// A schedule that is being driven: each command gets its answer.
#[derive(Clone, Debug)]
pub struct Session {
    rules: Rules,
    drive: Option<Drive>,
}

impl Session {
    /// Nothing is set up yet.
    pub fn new(rules: Rules) -> Self {
        Session { rules, drive: None }
    }

    /// Obeys one line; nothing is answered to an empty one and to a comment.
    pub fn line(&mut self, line: &str) -> Option<Value> {
        if line.trim().is_empty() || line.starts_with('#') {
            return None;
        }
        Some(match serde_json::from_str(line) {
            Ok(command) => self.obey(&command),
            Err(error) => json!({ "ok": false, "error": error.to_string() }),
        })
    }

    /// Obeys one command.
    pub fn obey(&mut self, command: &Value) -> Value {
        let mut answer = Map::new();
        let name = command["cmd"].as_str().unwrap_or_default();
        answer.insert("cmd".into(), name.into());
        answer.insert("ok".into(), true.into());
        if name == "init" {
            self.init(command, &mut answer);
            return Value::Object(answer);
        }
        let Some(drive) = &mut self.drive else {
            return refused(answer, "nothing is set up yet");
        };
        match commands::parse(command, &self.rules) {
            Ok(command) => {
                let answered = drive.obey(command);
                answers::fill(&mut answer, &answered, &self.rules);
                Value::Object(answer)
            }
            Err(error) => refused(answer, &error),
        }
    }

    fn init(&mut self, command: &Value, answer: &mut Map<String, Value>) {
        let error = if self.drive.is_some() {
            "something is set up already".to_owned()
        } else {
            match setup::parse(command, &self.rules) {
                Ok(setup) => {
                    let (drive, answered) = Drive::new(setup);
                    self.drive = Some(drive);
                    answers::fill(answer, &answered, &self.rules);
                    return;
                }
                Err(error) => error,
            }
        };
        answer.insert("ok".into(), false.into());
        answer.insert("error".into(), error.into());
    }
}

fn refused(mut answer: Map<String, Value>, error: &str) -> Value {
    answer.insert("ok".into(), false.into());
    answer.insert("error".into(), error.into());
    Value::Object(answer)
}
