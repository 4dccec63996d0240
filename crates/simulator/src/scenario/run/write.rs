//! `write`: records that somebody else made are given to the active controller.

use std::collections::BTreeMap;

use bytes::Bytes;
use determinism::Time;
use quorum_controller::ControllerRequest;
use records::NodeId;
use records::metadata::VersionedRecord;

use super::executor::Executor;
use crate::run::action::NodeSelector;
use crate::run::condition::{Count, Fact};
use crate::run::{Condition, Problem, Span, Spanned};
use crate::scenario::verbs::time::WriteUntil;
use crate::world::{AdministratorAnswer, Machine, Question};

/// How long one batch may take.
const LIMIT: Time = Time::from_secs(30);

impl Executor<'_, '_> {
    /// Gives the active controller one batch after the other. The loader makes a file of each batch: for every record
    /// four bytes of length, and the record in its frame.
    pub(super) fn write(
        &mut self,
        path: &Spanned<String>,
        until: WriteUntil,
        span: &Span,
    ) -> Result<(), Problem> {
        let Some(active) = self.run.active() else {
            let why = "nobody is active: there is nobody to write it";
            let problem = Problem::new(span.clone(), why);
            self.stage.warn(&self.run, problem);
            return Ok(());
        };
        let problem =
            |why: String| Problem::new(path.span.clone(), format!("cannot be written: {why}"));
        let files = (self.load)(&path.value).map_err(&problem)?;
        let batches = files.iter().map(|(name, bytes)| {
            records_of(bytes).map_err(|why| problem(format!("batch {name}: {why}")))
        });
        let batches = batches.collect::<Result<Vec<_>, _>>()?;
        let first = self.log_end(active);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for records in batches {
            for record in &records {
                *counts.entry(record.record.type_name()).or_default() += 1;
            }
            if !self.write_batch(active, records, until)? {
                self.stage.tell(&self.run);
                self.stage
                    .fail(span, format!("node {active} did not write all of it"));
                break;
            }
        }
        self.stage.tell(&self.run);
        let last = self.log_end(active) - 1;
        let what = counts.iter().map(|(name, count)| format!("{count} {name}"));
        let what = what.collect::<Vec<_>>().join(", ");
        let line = format!("node {active} writes what is given, offsets {first} to {last}: {what}");
        self.stage.print(&self.run, &line);
        Ok(())
    }

    fn write_batch(
        &mut self,
        active: NodeId,
        records: Vec<VersionedRecord>,
        until: WriteUntil,
    ) -> Result<bool, Problem> {
        let end = self.log_end(active) + records.len() as i64;
        let question = Question::Controller(ControllerRequest::WriteRecords(records));
        self.run.ask_quietly(active, question);
        let condition: Condition = match until {
            WriteUntil::Committed => Fact::Answered.into(),
            WriteUntil::Logged => {
                let on = Spanned::made(NodeSelector::Number(active));
                Fact::LogEnd(Count::AtLeast(end), Some(on)).into()
            }
        };
        let done = self.advance(LIMIT, Some(&condition))?;
        let mut is_written = done;
        for answer in self.run.take_quiet_answers() {
            if let AdministratorAnswer::Controller(Err(error)) = answer {
                is_written = false;
                self.stage
                    .print(&self.run, &format!("not written: {error}"));
            }
        }
        Ok(is_written)
    }

    fn log_end(&self, id: NodeId) -> i64 {
        let node = self.run.world().machine(id).and_then(Machine::node);
        node.map_or(0, |node| node.replica().log_end_offset())
    }
}

fn records_of(bytes: &Bytes) -> Result<Vec<VersionedRecord>, String> {
    let mut records = Vec::new();
    let mut rest: &[u8] = bytes;
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let frame = behind
            .get(..length)
            .ok_or_else(|| format!("a record of {length} bytes is cut short"))?;
        records.push(VersionedRecord::decode(frame).map_err(|error| error.to_string())?);
        rest = &behind[length..];
    }
    if rest.is_empty() {
        Ok(records)
    } else {
        Err(format!("{} bytes are left over", rest.len()))
    }
}
