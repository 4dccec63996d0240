//! Schedules for `drive`: real lines with values changed.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::Dice;
use crate::repository::{files, root};

static REAL: LazyLock<(Vec<Value>, Vec<Value>)> = LazyLock::new(|| {
    let mut paths = files(&root().join("oracle/schedules"), &[".jsonl"]);
    paths.extend(files(&root().join("tests/fixtures/schedules"), &[".jsonl"]));
    let texts = paths.iter().map(std::fs::read_to_string);
    let texts = texts.map(|text| text.expect("a schedule can be read"));
    let lines: Vec<Value> = texts
        .flat_map(|text| {
            let lines = text.lines().take(400);
            let commands = lines.filter_map(|line| serde_json::from_str(line).ok());
            commands.collect::<Vec<Value>>()
        })
        .filter(|line| line["cmd"].is_string())
        .collect();
    lines.into_iter().partition(|line| line["cmd"] == "init")
});

fn odd_value(dice: &mut Dice<'_>) -> Value {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(1e308),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(i32::MIN),
        json!(""),
        json!("x"),
        json!("1"),
        json!("\u{1b}[2J"),
        json!([]),
        json!({}),
        json!([[[[1]]]]),
        json!([1, 2, 3, 1]),
        json!({"1": [0], "x": 3}),
        json!("AAAA"),
        json!("FETCH"),
    ];
    dice.one(&odd).clone()
}

/// Replaces, adds or removes one value somewhere.
fn change(dice: &mut Dice<'_>, value: &mut Value) {
    if dice.once_in(3) {
        *value = odd_value(dice);
        return;
    }
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = dice.one(&names).clone();
            if dice.once_in(6) {
                fields.remove(&name);
            } else if let Some(field) = fields.get_mut(&name) {
                change(dice, field);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let at = dice.below(items.len());
            change(dice, &mut items[at]);
        }
        other => *other = odd_value(dice),
    }
}

/// Runs that are allowed and take long are for other tests.
fn shorten(line: &mut Value) {
    for key in ["ms", "step"] {
        if line["cmd"] == "run"
            && let Some(ms) = line[key].as_f64()
            && (5_000.0..1e9).contains(&ms)
        {
            line[key] = json!(100);
        }
    }
}

/// The lines of a schedule.
pub fn schedule(dice: &mut Dice<'_>) -> Vec<String> {
    let (inits, others) = &*REAL;
    let mut lines = vec![dice.one(inits).clone()];
    if dice.once_in(4) {
        change(dice, &mut lines[0]);
    }
    lines.push(json!({"cmd": "run", "ms": 2000, "step": 50}));
    for _ in 0..dice.below(12) {
        let mut line = dice.one(others).clone();
        for _ in 0..dice.below(3) {
            change(dice, &mut line);
        }
        shorten(&mut line);
        lines.push(line);
    }
    let mut lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    if dice.once_in(4) {
        let raw = String::from_utf8_lossy(dice.raw(64)).into_owned();
        let at = dice.below(lines.len());
        lines.insert(at, raw.replace(['\n', '\r'], " "));
    }
    lines
}
