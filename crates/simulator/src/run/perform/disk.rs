//! `format`, `load`, `copy`, `put`, `remove`, `truncate`, `corrupt`, `wipe`, `swap`, `clone`.

use bytes::Bytes;
use config::meta_properties::{self, MetaProperties};
use disk::path;
use node::NodeConfig;
use raft_log::batch::{Batch, BatchBuilder, read_batches};
use raft_log::log::METADATA_LOG_DIR_NAME;
use records::{NodeId, Uuid};
use releases::Release;
use storage_tool::{AlreadyFormatted, FormatRequest, Prescribed, QuorumFlag, SeededDraws};

use crate::SimDisk;
use crate::run::action::{DiskAction, FileRef, Format, FormatVoters, Formatted, Keep};
use crate::run::nearest;
use crate::run::setting::{CLUSTER_ID, DIRECTORY, address};
use crate::run::{Problem, Run, Span, Spanned};
use crate::world::{EPOCH_MS, Machine};

impl Run {
    pub(in crate::run) fn disk(&mut self, disk: &DiskAction, span: &Span) -> Result<(), Problem> {
        match disk {
            DiskAction::Format(format) => self.format(format, span),
            DiskAction::Load { node, path } => self.load(node.value, path, span),
            DiskAction::Copy { file, name } => {
                let content = self.content(file)?;
                self.copies.insert(name.value.clone(), content);
                Ok(())
            }
            DiskAction::Put { name, file } => {
                let content = self.copies.get(&name.value).cloned().unwrap_or_default();
                self.change(file, span, |disk, path| disk.put(path, content))
            }
            DiskAction::Remove(file) => self.remove(file, span),
            DiskAction::Truncate { file, keep } => {
                let content = self.content(file)?;
                let kept = kept(&content, *keep, file)?;
                self.change(file, span, |disk, path| disk.put(path, kept))
            }
            DiskAction::Corrupt { file, byte } => {
                let mut content = self.content(file)?.to_vec();
                let size = content.len();
                let at = usize::try_from(*byte).ok();
                let Some(found) = at.and_then(|at| content.get_mut(at)) else {
                    return Err(Problem::new(
                        file.span.clone(),
                        format!("{} has {size} bytes, counted from 0", file.value),
                    ));
                };
                *found ^= 0xff;
                self.change(file, span, |disk, path| disk.put(path, content.into()))
            }
            DiskAction::Wipe(nodes) => {
                for id in self.chosen(nodes, span) {
                    self.replace_disk(id, SimDisk::new(), span)?;
                }
                Ok(())
            }
            DiskAction::Swap(a, b) => {
                let (one, other) = (self.disk_of(a.value), self.disk_of(b.value));
                self.replace_disk(a.value, other, span)?;
                self.replace_disk(b.value, one, span)
            }
            DiskAction::Clone { from, to } => {
                let disk = self.disk_of(from.value);
                self.replace_disk(to.value, disk, span)
            }
        }
    }

    fn disk_of(&self, id: NodeId) -> SimDisk {
        self.world()
            .machine(id)
            .map(|machine| machine.disk().clone())
            .unwrap_or_default()
    }

    fn replace_disk(&mut self, id: NodeId, disk: SimDisk, span: &Span) -> Result<(), Problem> {
        self.must_be_down(id, span)?;
        if let Some(own) = self.world_mut().disk_mut(id) {
            *own = disk;
        }
        self.changed(id);
        Ok(())
    }

    /// Disks are changed from outside while nobody uses them.
    fn must_be_down(&self, id: NodeId, span: &Span) -> Result<(), Problem> {
        if self.is_up(id) {
            return Err(
                Problem::new(span.clone(), format!("node {id} runs, and uses this disk"))
                    .suggesting(format!("`stop {id}` or `crash {id}` comes first")),
            );
        }
        Ok(())
    }

    /// A disk is not as the node left it.
    fn changed(&mut self, id: NodeId) {
        let now = self.now();
        self.observer_mut().disk_replaced(now, id);
        self.learn_ids(id);
    }

    /// Finds out which ids a node's `meta.properties` names, so that they are printed by role.
    pub(super) fn learn_ids(&mut self, id: NodeId) {
        let Some(machine) = self.world().machine(id) else {
            return;
        };
        let path = path::join(machine.metadata_dir(), meta_properties::FILE_NAME);
        let Some(file) = machine.disk().look(&path) else {
            return;
        };
        let Ok(meta) = MetaProperties::parse(meta_properties::FILE_NAME, &file) else {
            return;
        };
        if let Some(cluster) = &meta.cluster_id {
            self.roles.cluster(cluster);
        }
        if let Some(directory) = meta.directory_id {
            self.roles.directory(id, directory);
        }
    }

    fn owner(&self, file: &Spanned<FileRef>) -> Result<NodeId, Problem> {
        self.select(file.value.node)
            .first()
            .copied()
            .ok_or_else(|| {
                Problem::new(
                    file.span.clone(),
                    format!("nobody is `{}` now", file.value.node),
                )
            })
    }

    fn path_of(&self, id: NodeId, file: &Spanned<FileRef>) -> String {
        let machine = self.world().machine(id);
        let folder = machine.map_or(DIRECTORY, Machine::metadata_dir);
        path::join(folder, &file.value.path)
    }

    fn content(&self, file: &Spanned<FileRef>) -> Result<Bytes, Problem> {
        let id = self.owner(file)?;
        let machine = self.world().machine(id);
        let content = machine.and_then(|machine| {
            let path = path::join(machine.metadata_dir(), &file.value.path);
            machine.disk().look(&path)
        });
        content.ok_or_else(|| {
            let there = machine
                .map(|machine| machine.disk().files_in(machine.metadata_dir()))
                .unwrap_or_default();
            let problem = Problem::new(file.span.clone(), format!("{} does not exist", file.value));
            let names = there.iter().map(|(name, _)| name.as_str());
            match nearest(&file.value.path, names) {
                Some(near) => {
                    problem.suggesting(format!("did you mean `{}:{near}`?", file.value.node))
                }
                None => problem,
            }
        })
    }

    fn change(
        &mut self,
        file: &Spanned<FileRef>,
        span: &Span,
        change: impl FnOnce(&mut SimDisk, &str),
    ) -> Result<(), Problem> {
        let id = self.owner(file)?;
        self.must_be_down(id, span)?;
        let path = self.path_of(id, file);
        if let Some(disk) = self.world_mut().disk_mut(id) {
            change(disk, &path);
        }
        self.changed(id);
        Ok(())
    }

    fn remove(&mut self, file: &Spanned<FileRef>, span: &Span) -> Result<(), Problem> {
        let id = self.owner(file)?;
        self.must_be_down(id, span)?;
        let path = self.path_of(id, file);
        let Some(disk) = self.world_mut().disk_mut(id) else {
            return Ok(());
        };
        let below = disk.files_in(&path);
        if disk.look(&path).is_none() && below.is_empty() {
            self.warn(span, format!("{} does not exist", file.value));
            return Ok(());
        }
        let gone = if below.is_empty() {
            disk::Disk::remove(disk, &path)
        } else {
            disk::Disk::remove_dir(disk, &path)
        };
        if let Err(error) = gone {
            return Err(Problem::new(span.clone(), error.to_string()));
        }
        disk.settle();
        self.changed(id);
        Ok(())
    }

    /// What a machine has, unless another release reads it.
    fn config_read_by(&self, id: NodeId, release: Release) -> Result<NodeConfig, Problem> {
        let own = self.world().machine(id).map(Machine::config);
        match own.filter(|config| config.server().release == release) {
            Some(config) => Ok(config.clone()),
            None => self.setting().config(id, release),
        }
    }

    fn format(&mut self, format: &Format, span: &Span) -> Result<(), Problem> {
        let release = self.setting().tool_release(format.release);
        for id in self.chosen(&format.nodes, span) {
            self.must_be_down(id, span)?;
            if format.formatted == Some(Formatted::Again) {
                self.replace_disk(id, SimDisk::new(), span)?;
            }
            self.formats += 1;
            let config = self.config_read_by(id, release)?;
            let request = self.request(format);
            let rng = self.world().stream(&format!("format {}", self.formats));
            let mut draws = Prescribed::over(SeededDraws::new(rng, EPOCH_MS));
            if format.voters == Some(FormatVoters::Standalone) {
                draws.next_directory(self.directory_id(id));
            }
            let rules = self.setting().rules(release);
            let Some(disk) = self.world_mut().disk_mut(id) else {
                continue;
            };
            let said = match storage_tool::plan(&rules, config.server(), &request, disk, &mut draws)
            {
                Ok(plan) if plan.directories.is_empty() => {
                    "all its directories are formatted already".to_owned()
                }
                Ok(plan) => match plan.write(disk, &mut draws) {
                    Ok(()) => format!("formatted with metadata.version {}", plan.version.name),
                    Err(error) => format!("formatting failed: {error}"),
                },
                Err(error) => format!("format refused: {error}"),
            };
            disk.recover();
            disk.settle();
            self.changed(id);
            self.say(format!("node {id}: {said}"));
        }
        Ok(())
    }

    fn request(&self, format: &Format) -> FormatRequest {
        FormatRequest {
            quorum: match format.voters {
                None => QuorumFlag::None,
                Some(FormatVoters::Standalone) => QuorumFlag::Standalone,
                Some(FormatVoters::NoInitialControllers) => QuorumFlag::NoInitialControllers,
                Some(FormatVoters::InitialControllers) => {
                    QuorumFlag::InitialControllers(self.initial_controllers())
                }
            },
            release_version: format.metadata_version.clone(),
            features: format
                .features
                .iter()
                .map(|(name, level)| format!("{name}={level}"))
                .collect(),
            scram: format.scram.iter().map(|user| credential(user)).collect(),
            already_formatted: match format.formatted {
                Some(Formatted::IgnoreFormatted) => AlreadyFormatted::Skipped,
                Some(Formatted::Again) | None => AlreadyFormatted::Refused,
            },
            ..FormatRequest::new(CLUSTER_ID)
        }
    }

    /// `ID@HOST:PORT:DIRECTORY,…`, the same for every node that is formatted so.
    fn initial_controllers(&self) -> String {
        let each = self.setting().controllers.iter().map(|id| {
            let configured = self.world().machine(*id).and_then(|machine| {
                let mut endpoints = machine.config().endpoints().iter();
                endpoints.next().map(|(_, at)| at.to_string())
            });
            let at = configured.unwrap_or_else(|| address(*id));
            format!("{id}@{at}:{}", self.directory_id(*id))
        });
        each.collect::<Vec<_>>().join(",")
    }

    fn directory_id(&self, id: NodeId) -> Uuid {
        let mut rng = self.world().stream(&format!("directory {id}"));
        loop {
            if let Some(uuid) = Uuid::generate_from(rng.bytes16()) {
                return uuid;
            }
        }
    }

    fn load(&mut self, id: NodeId, path: &Spanned<String>, span: &Span) -> Result<(), Problem> {
        self.must_be_down(id, span)?;
        let files = self.given.get(&path.value).cloned().unwrap_or_default();
        let folder = match self.world().machine(id) {
            Some(machine) => machine.metadata_dir().to_owned(),
            None => DIRECTORY.to_owned(),
        };
        let mut disk = SimDisk::new();
        let below = metadata_directory(&files);
        let mut count = 0;
        for (name, content) in &files {
            if let Some(inside) = name.strip_prefix(below.as_str()) {
                disk.put(&path::join(&folder, inside), content.clone());
                count += 1;
            }
        }
        self.replace_disk(id, disk, span)?;
        self.say(format!("node {id}: {count} files"));
        Ok(())
    }
}

/// Where in some files the metadata log directory is: the directory that holds `meta.properties`, else the one that
/// holds the metadata log, else the top; with a `/` behind it where it is not the top.
fn metadata_directory(files: &[(String, Bytes)]) -> String {
    let holds = |suffix: &str| {
        files.iter().find_map(|(name, _)| {
            let at = name.find(suffix)?;
            (at == 0 || name.as_bytes()[at - 1] == b'/').then(|| name[..at].to_owned())
        })
    };
    holds("meta.properties")
        .or_else(|| holds(&format!("{METADATA_LOG_DIR_NAME}/")))
        .unwrap_or_default()
}

fn credential(user: &str) -> String {
    format!("SCRAM-SHA-256=[name={user},password={user}-secret]")
}

/// What stays of a file.
fn kept(content: &Bytes, keep: Keep, file: &Spanned<FileRef>) -> Result<Bytes, Problem> {
    let too_short =
        |what: String| Problem::new(file.span.clone(), format!("{} has only {what}", file.value));
    if let Keep::Bytes(bytes) = keep {
        let bytes = usize::try_from(bytes)
            .ok()
            .filter(|bytes| *bytes <= content.len());
        let bytes = bytes.ok_or_else(|| too_short(format!("{} bytes", content.len())))?;
        return Ok(content.slice(..bytes));
    }
    let batches: Vec<Batch> = read_batches("", content, 0).map_while(Result::ok).collect();
    let (wanted, records) = match keep {
        Keep::Batches(batches) => (batches as usize, 0),
        Keep::Records { batches, records } => (batches as usize, records),
        Keep::Bytes(_) | Keep::ControlBatches => {
            let control = batches.iter().filter(|batch| batch.is_control());
            return Ok(control.flat_map(|batch| batch.bytes().to_vec()).collect());
        }
    };
    if batches.len() < wanted {
        return Err(too_short(format!("{} batches", batches.len())));
    }
    let mut out: Vec<u8> = batches[..wanted]
        .iter()
        .flat_map(|batch| batch.bytes().to_vec())
        .collect();
    if records > 0 {
        let next = batches
            .get(wanted)
            .ok_or_else(|| too_short(format!("{wanted} batches")))?;
        if i64::from(next.count()) < i64::from(records) {
            return Err(too_short(format!("{} records in that batch", next.count())));
        }
        out.extend_from_slice(first_records(next, records as usize).bytes());
    }
    Ok(out.into())
}

/// A batch of the first records of another.
fn first_records(batch: &Batch, records: usize) -> Batch {
    let (offset, epoch, at) = (
        batch.base_offset(),
        batch.leader_epoch(),
        batch.base_timestamp(),
    );
    let mut builder = if batch.is_control() {
        BatchBuilder::control(offset, epoch, at)
    } else {
        BatchBuilder::data(offset, epoch, at)
    };
    for record in batch.records().map_while(Result::ok).take(records) {
        builder.append(record.key.as_deref(), record.value.as_deref());
    }
    builder.finish()
}

#[cfg(test)]
mod tests;
