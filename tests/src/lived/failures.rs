//! What the recorder did to leaders: killed in the middle of writing, kept from finishing an activation.

use records::NodeId;
use simulator::observer::Happening;

use super::deeds::registers;
use super::header::ids;
use super::player::{Player, Said, leader};
use super::recording::{Item, items};
use crate::recorded::lived::{Done, KillDuring};
use crate::recorded::{Batch, Record};

impl Player<'_, '_, '_> {
    /// The leader was killed while it wrote, another one led, and the killed one came back.
    pub(super) fn kill_during(&mut self, entry: &Done, action: &KillDuring) -> Said<()> {
        let n = entry.n;
        let Some(killed) = action.killed.map(NodeId) else {
            self.differ("the recording does not say who was killed");
            return Ok(());
        };
        let parts = items(entry);
        let place = parts
            .iter()
            .position(|item| matches!(item, Item::Leads(..)));
        let (before, after) = parts.split_at(place.unwrap_or(parts.len()));
        self.come_about(before)?;
        let tail = entry.truncated.iter();
        let tail: Vec<i64> = tail
            .filter(|batch| !batch.control && !batch.records.iter().all(Record::is_registration))
            .map(|batch| batch.offset)
            .collect();
        let end = self
            .session
            .node(killed)
            .map(|node| node.replica().log_end_offset());
        if let (Some(first), Some(last)) = (tail.first(), tail.last()) {
            self.say(&format!("isolate {killed}"))?;
            self.write(&format!("{n}/truncated/{first}-{last}"), " uncommitted")?;
        }
        self.say(&format!("crash {killed}"))?;
        self.last_stopped = vec![killed];
        self.forget_held(killed);
        self.heal()?;
        if let Some((Item::Leads(wanted, batch), rest)) = after.split_first() {
            self.steer(*wanted)?;
            if self.led_by(*wanted)? {
                self.led(batch)?;
            }
            self.heal()?;
            let back = rest.iter().position(|item| registers(item, killed));
            let (rest, last) = rest.split_at(back.unwrap_or(rest.len()));
            self.come_about(rest)?;
            self.back(killed, back.is_none() && self.is_held_back(n, killed))?;
            self.come_about(last)?;
        } else {
            self.back(killed, self.is_held_back(n, killed))?;
        }
        self.caught_up()?;
        if !tail.is_empty() {
            self.is_cut(killed, end);
        }
        Ok(())
    }

    fn back(&mut self, killed: NodeId, silent: bool) -> Said<()> {
        self.say(&format!("start {killed}"))?;
        if silent {
            self.hold(killed)?;
        }
        Ok(())
    }

    /// The node's log was cut to where it ended before the records that were never committed.
    fn is_cut(&mut self, id: NodeId, end: Option<i64>) {
        let cut = self.session.journal().iter().rev().find_map(|entry| {
            let Happening::Truncated { to, .. } = entry.what else {
                return None;
            };
            (entry.node == Some(id)).then_some(to)
        });
        if cut != end {
            self.differ(format!(
                "node {id} should cut its log to {end:?}, and last cut it to {cut:?}"
            ));
        }
    }

    /// Batches with data were held back between the controllers until one process became active for the second time.
    pub(super) fn interrupt_activation(&mut self, entry: &Done) -> Said<()> {
        let parts = items(entry);
        let leaders = parts
            .iter()
            .take_while(|item| matches!(item, Item::Leads(..)));
        let count = leaders.count();
        self.say("drop data-fetch-response")?;
        let all = self.recording.voters();
        self.say(&format!("start {}", ids(&all)))?;
        for id in &all {
            self.learn_directory(*id);
        }
        self.hold_unregistered(&parts)?;
        for (place, item) in parts[..count].iter().enumerate() {
            let Item::Leads(wanted, batch) = item else {
                continue;
            };
            // A leader whose epoch began, was never followed, and began again: nothing of it reached the others.
            let again =
                matches!(parts.get(place + 1), Some(Item::Leads(next, _)) if next == wanted);
            let silent = again && !has_data_of(entry, batch);
            if silent {
                self.say("drop fetch-response")?;
            }
            self.steer(*wanted)?;
            if self.led_by(*wanted)? && !silent {
                self.led(batch)?;
            }
            if silent {
                self.until(&format!("no leader {wanted}"), 60, |world| {
                    leader(world) != Some(*wanted)
                })?;
            }
            self.heal()?;
            self.say("drop data-fetch-response")?;
        }
        self.until("active", 10, |world| {
            leader(world)
                .and_then(|id| world.machine(id)?.node())
                .is_some_and(node::Node::is_active)
        })?;
        self.heal()?;
        self.come_about(&parts[count..])?;
        self.say("run 5s").map(|_| ())
    }
}

/// Whether records of the epoch that a batch begins are known, kept or not.
fn has_data_of(entry: &Done, batch: &Batch) -> bool {
    let mut all = entry.records.iter().chain(&entry.truncated);
    all.any(|one| !one.control && one.epoch == batch.epoch)
}
