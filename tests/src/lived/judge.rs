use std::collections::BTreeSet;

use bytes::Bytes;
use kraftsim::recorded;
use simulator::scenario::run::{Files, Session};

use super::align::{Step, align, same};
use super::header::header;
use super::log::{Entry, Log};
use super::player::Player;
use super::processes;
use super::recording::{Recording, is_given, updates_features};
use crate::recorded::Record;
use crate::recorded::lived::Deed;

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
    /// What was done, in words.
    pub title: String,
    pub actions: Vec<ActionVerdict>,
    /// What is not as recorded in the whole: checkpoints, directories, how processes ended.
    pub whole: Vec<String>,
    /// Records that were given, and those that the simulated cluster made, registrations included.
    pub given: usize,
    /// See `given`.
    pub made: usize,
    /// How many recorded checkpoints were made here too, of the same offset and with the same content; and how many at another
    /// offset.
    pub checkpoints: (usize, usize),
    /// The scenario, with its output.
    pub scenario: String,
}

impl LivedVerdict {
    /// How many actions went as recorded.
    pub fn agreeing(&self) -> usize {
        let agree = self.actions.iter().filter(|one| one.differences.is_empty());
        agree.count()
    }

    /// Everything that is not as recorded.
    pub fn differences(&self) -> Vec<String> {
        let actions = self.actions.iter().flat_map(|action| {
            let each = action.differences.iter();
            each.map(|what| format!("action {}: {what}", action.number))
        });
        actions.chain(self.whole.iter().cloned()).collect()
    }

    /// Whether everything was as recorded.
    pub fn agrees(&self) -> bool {
        self.agreeing() == self.actions.len() && self.whole.is_empty()
    }
}

/// Lives a recorded life again, and compares.
pub fn judge(recording: &Recording) -> LivedVerdict {
    judge_against(recording, recording)
}

/// Lives a recorded life again, and compares what comes of it with another recording of the same actions.
pub fn judge_against(recording: &Recording, other: &Recording) -> LivedVerdict {
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
    let mut saved = Vec::new();
    for (entry, recorded) in recording.actions().iter().zip(other.actions()) {
        let number = entry.n;
        let words = &entry.action.words;
        player.session.remark(&format!("{number}. {words}"));
        if let Err(problem) = player.act(entry) {
            player.differ(format!("cannot be said: {problem}"));
        }
        player.follow(&recorded.records);
        player.compare_voters();
        if let Deed::Save(save) = &entry.action.deed {
            saved.push(player.saved(&save.save));
        }
        ends.push(player.theirs.entries.len());
        verdicts.push(ActionVerdict {
            number,
            differences: std::mem::take(&mut player.differences),
        });
    }
    whole.extend(expect_violations(&mut player));
    compare_logs(
        &mut player.theirs,
        &mut player.ours,
        &ends,
        &mut verdicts,
        &mut whole,
    );
    saved.push(player.saved("final"));
    let checkpoints =
        player
            .checkpoints
            .compare(other, &player.names, &player.theirs, &player.ours);
    for saved in saved {
        whole.extend(player.compare_directories(other, saved, &checkpoints.matched));
    }
    whole.extend(checkpoints.differences);
    whole.extend(processes::differences(
        &processes::recorded(other),
        &processes::simulated(player.session.journal()),
    ));
    let given = recording.actions().iter().flat_map(|entry| {
        let updates = updates_features(entry);
        let batches = entry.records.iter();
        let given = batches.filter(move |batch| is_given(batch, updates));
        given.flat_map(|batch| &batch.records)
    });
    let given = given.filter(|record| !record.is_registration()).count();
    let registrations: usize = player.ours.registrations.values().map(Vec::len).sum();
    LivedVerdict {
        title: recording.spec.title.clone(),
        actions: verdicts,
        whole,
        given,
        made: (player.ours.entries.len() + registrations).saturating_sub(given),
        checkpoints: (checkpoints.same, checkpoints.elsewhere),
        scenario: player.session.text().to_owned(),
    }
}

fn failed(why: String) -> LivedVerdict {
    LivedVerdict {
        title: String::new(),
        actions: Vec::new(),
        whole: vec![why],
        given: 0,
        made: 0,
        checkpoints: (0, 0),
        scenario: String::new(),
    }
}

/// Invariants that are broken are broken in the recording too, where it shows a known bug; anywhere else they are a
/// difference. The scenario says which it expects.
fn expect_violations(player: &mut Player<'_, '_, '_>) -> Vec<String> {
    let violated = player.session.violations().iter();
    let ids: BTreeSet<&'static str> = violated.map(|violation| violation.id).collect();
    if ids.is_empty() {
        return Vec::new();
    }
    let interrupted = player.recording.actions().iter();
    let shows_bug = interrupted
        .into_iter()
        .any(|entry| matches!(entry.action.deed, Deed::InterruptActivation(_)));
    let mut differences = Vec::new();
    player.session.remark("What this breaks, there as here.");
    for id in ids {
        if let Err(problem) = player.say(&format!("expect violation {id}")) {
            differences.push(problem.to_string());
        }
        if !shows_bug || id != "BOOT-1" {
            differences.push(format!("the invariant {id} is violated"));
        }
    }
    differences
}

/// The batches that a path of the scenario names within the recording.
fn given(recording: &Recording, path: &str) -> Result<Files, String> {
    let (_, within) = path
        .split_once("result.json/")
        .ok_or_else(|| format!("`{path}` is not within the recording"))?;
    let files: Vec<(String, Bytes)> = recorded::batches(&recording.file, within)?;
    Ok(files)
}

/// Compares the whole of both logs, and counts each difference to the action that wrote the recorded record.
fn compare_logs(
    theirs: &mut Log,
    ours: &mut Log,
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
    let (mut there, mut here) = (Vec::new(), Vec::new());
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
                there.push(theirs.entries[place].at);
                say(
                    place,
                    format!("only there: {}", told(&theirs.entries[place])),
                );
            }
            Step::OnlyHere(place, found) => {
                explained += 1;
                here.push(ours.entries[found].at);
                say(place, format!("only here: {}", told(&ours.entries[found])));
            }
        }
    }
    // What only one side has is told once; nothing else differs because of it.
    for at in there {
        theirs.leave_out(at);
    }
    for at in here {
        ours.leave_out(at);
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
        let said = |log: &Log| -> Vec<Record> {
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
            let mut pairs = expected.iter().zip(&found);
            let unlike = pairs.find(|(one, other)| one != other);
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
