use bytes::Bytes;
use kraftsim::recorded;
use serde_json::Value;
use simulator::scenario::run::{Files, Session};

use super::align::{Step, align, same};
use super::header::header;
use super::log::{Entry, Log};
use super::player::Player;
use super::recording::Recording;
use crate::agree::list;

/// What became of one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionVerdict {
    /// Its number, from 1.
    pub number: u64,
    /// What is not as recorded; nothing if all is.
    pub differences: Vec<String>,
}

/// What became of one lived-in cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivedVerdict {
    /// Each action.
    pub actions: Vec<ActionVerdict>,
    /// What is not as recorded in the whole: checkpoints, directories, how processes ended.
    pub whole: Vec<String>,
    /// Records that were given, and those that the simulated cluster made, registrations included.
    pub given: usize,
    /// See `given`.
    pub made: usize,
    /// How many checkpoints were compared.
    pub checkpoints: usize,
    /// The scenario, with its output.
    pub scenario: String,
}

impl LivedVerdict {
    /// How many actions went as recorded.
    pub fn agreeing(&self) -> usize {
        let agree = self.actions.iter().filter(|one| one.differences.is_empty());
        agree.count()
    }

    /// Whether everything was as recorded.
    pub fn agrees(&self) -> bool {
        self.agreeing() == self.actions.len() && self.whole.is_empty()
    }
}

/// Lives a recorded life again, and compares.
pub fn judge(recording: &Recording) -> LivedVerdict {
    let mut load = |path: &str| given(recording, path);
    let begun = Session::begin(&header(recording), &mut load);
    let session = match begun {
        Ok(session) => session,
        Err(problem) => return failed(problem.to_string()),
    };
    let mut player = Player::new(recording, session);
    let mut verdicts = Vec::new();
    let mut whole = Vec::new();
    let mut ends = Vec::new();
    for entry in recording.actions() {
        let number = entry["n"].as_u64().unwrap_or(0);
        player
            .session
            .remark(&format!("{number}. {}", words(&entry["action"])));
        if let Err(problem) = player.act(entry) {
            player.differ(format!("cannot be said: {problem}"));
        }
        player.follow(list(&entry["records"]));
        player.compare_voters();
        if let Some(label) = entry["action"]["save"].as_str() {
            whole.extend(player.compare_directories(label));
        }
        ends.push(player.theirs.entries.len());
        verdicts.push(ActionVerdict {
            number,
            differences: std::mem::take(&mut player.differences),
        });
    }
    compare_logs(
        &player.theirs,
        &player.ours,
        &ends,
        &mut verdicts,
        &mut whole,
    );
    whole.extend(player.compare_directories("final"));
    let (checkpoints, unlike) =
        player
            .checkpoints
            .differences(recording, &player.names, &player.theirs, &player.ours);
    whole.extend(unlike);
    let given = recording.actions().iter().flat_map(|entry| {
        let updates = entry["action"]["tool"] == "features";
        list(&entry["records"])
            .iter()
            .filter(move |batch| super::recording::is_given(batch, updates))
            .flat_map(recorded::given)
    });
    let given = given.count();
    let registrations: usize = player.ours.registrations.values().map(Vec::len).sum();
    LivedVerdict {
        actions: verdicts,
        whole,
        given,
        made: (player.ours.entries.len() + registrations).saturating_sub(given),
        checkpoints,
        scenario: player.session.text().to_owned(),
    }
}

fn failed(why: String) -> LivedVerdict {
    LivedVerdict {
        actions: Vec::new(),
        whole: vec![why],
        given: 0,
        made: 0,
        checkpoints: 0,
        scenario: String::new(),
    }
}

/// The batches that a path of the scenario names within the recording.
fn given(recording: &Recording, path: &str) -> Result<Files, String> {
    let (_, within) = path
        .split_once("result.json/")
        .ok_or_else(|| format!("`{path}` is not within the recording"))?;
    let files: Vec<(String, Bytes)> = recorded::batches(&recording.result, within)?;
    Ok(files)
}

/// An action in a line.
fn words(action: &Value) -> String {
    let mut words = Vec::new();
    for (key, value) in action.as_object().into_iter().flatten() {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) => {
                let each = items.iter();
                let each = each.map(|item| {
                    item.as_str()
                        .map_or_else(|| item.to_string(), str::to_owned)
                });
                each.collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        };
        words.push(match key.as_str() {
            "args" => value,
            key => format!("{key} {value}"),
        });
    }
    words.join(", ")
}

/// Compares the whole of both logs, and counts each difference to the action that wrote the recorded record.
fn compare_logs(
    theirs: &Log,
    ours: &Log,
    ends: &[usize],
    verdicts: &mut [ActionVerdict],
    whole: &mut Vec<String>,
) {
    let mut say = |place: usize, what: String| {
        let action = ends.iter().position(|end| place < *end);
        match action.and_then(|action| verdicts.get_mut(action)) {
            Some(verdict) => verdict.differences.push(what),
            None => whole.push(what),
        }
    };
    // How far offsets are apart, and how far records that only one side has explain that.
    let (mut apart, mut explained) = (0, 0);
    for step in align(&theirs.entries, &ours.entries) {
        match step {
            Step::Both(place, found) => {
                let (expected, found) = (&theirs.entries[place], &ours.entries[found]);
                if !same(expected, found) {
                    say(
                        place,
                        format!("{} there, {} here", told(expected), told(found)),
                    );
                }
                let now = found.offset - expected.offset - explained;
                if now != apart {
                    say(place, format!("offsets differ by {now} from here on"));
                    apart = now;
                }
            }
            Step::OnlyThere(place) => {
                explained -= 1;
                say(
                    place,
                    format!("only there: {}", told(&theirs.entries[place])),
                );
            }
            Step::OnlyHere(place, found) => {
                explained += 1;
                say(place, format!("only here: {}", told(&ours.entries[found])));
            }
        }
    }
    compare_registrations(theirs, ours, whole);
    if apart == 0 && explained == 0 {
        compare_sizes(theirs, ours, whole);
    }
}

fn told(entry: &Entry) -> String {
    format!("{} in epoch no. {}", entry.record, entry.epoch)
}

/// Every process of a controller registered as often, with the same endpoints and features.
fn compare_registrations(theirs: &Log, ours: &Log, whole: &mut Vec<String>) {
    let nothing = Vec::new();
    let names = theirs.registrations.keys().chain(ours.registrations.keys());
    let names: std::collections::BTreeSet<&String> = names.collect();
    for name in names {
        let said = |log: &Log| -> Vec<Value> {
            let some = log.registrations.get(name).unwrap_or(&nothing);
            some.iter().map(|(_, said)| said.clone()).collect()
        };
        let (expected, found) = (said(theirs), said(ours));
        if expected.len() != found.len() {
            whole.push(format!(
                "controller {name} registers {} times there, {} here",
                expected.len(),
                found.len()
            ));
        } else if expected != found {
            let unlike = expected
                .iter()
                .zip(&found)
                .find(|(one, other)| one != other);
            whole.push(format!("controller {name} registers otherwise: {unlike:?}"));
        }
    }
}

/// The bytes of batches that nothing by chance is in.
fn compare_sizes(theirs: &Log, ours: &Log, whole: &mut Vec<String>) {
    for (offset, size) in &theirs.sizes {
        match ours.sizes.get(offset) {
            Some(found) if found != size => {
                whole.push(format!(
                    "the batch of offset {offset} has {size} bytes there, {found} here"
                ));
            }
            Some(_) => {}
            None => whole.push(format!("no batch begins at offset {offset} here")),
        }
    }
}
