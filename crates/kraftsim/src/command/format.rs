//! What `kafka-storage format` does.

mod arguments;

use std::ffi::OsString;
use std::path::Path;
use std::str::FromStr;

use clap::Args;
use config::ServerConfig;
use disk::{Disk as _, StdDisk};
use records::Uuid;
use records::metadata::MetadataRecord;
use releases::Rules;
use releases::storage::BootstrapListing;
use serde_json::{Value, json};
use storage_tool::{
    AlreadyFormatted, Draws, FormatError, FormatPlan, FormatRequest, PlannedDirectory, Prescribed,
    QuorumFlag, plan,
};

use crate::config_file::read_config;
use crate::json::Secrets;
use crate::output_args::{OutputArgs, OutputForm};
use crate::release_args::ReleaseArgs;
use crate::system_draws::SystemDraws;
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim format`.
#[derive(Clone, Debug, Args)]
pub struct FormatArgs {
    /// The server's properties file
    #[arg(short, long, value_name = "FILE")]
    pub config: String,
    /// Id of the cluster
    #[arg(short = 't', long, value_name = "ID")]
    pub cluster_id: String,
    /// The release whose kafka-storage is meant.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// First voters of a dynamic quorum.
    #[command(flatten)]
    pub quorum: QuorumArgs,
    /// Start with the features of this Kafka version, such as 4.0 or 4.0-IV3
    #[arg(short, long, value_name = "VERSION")]
    pub release_version: Option<String>,
    /// Start with this level of a feature
    #[arg(short, long = "feature", value_name = "NAME=LEVEL")]
    pub features: Vec<String>,
    /// Add a credential: 'SCRAM-SHA-256=[name=alice,password=…]', with salt="…" and iterations=N if wanted, or
    /// saltedpassword="…" and salt="…"
    #[arg(short = 'S', long = "add-scram", value_name = "CREDENTIAL")]
    pub scram: Vec<String>,
    /// Leave directories that are formatted already as they are, and format the others
    #[arg(short = 'g', long)]
    pub ignore_formatted: bool,
    /// Id of a directory, which is random otherwise; without PATH the next directory's (with --standalone the metadata
    /// directory's first, then in ascending order)
    #[arg(
        long = "directory-id",
        value_name = "[PATH=]ID",
        allow_hyphen_values = true
    )]
    pub directory_ids: Vec<DirectoryId>,
    /// One reading of the clock; repeat for the next ones, of which the last stays. A reading is taken for each time
    /// that ends up in a file: each batch of bootstrap.checkpoint; the header of the zero checkpoint and each of its
    /// batches; the date in meta.properties
    #[arg(long = "timestamp-ms", value_name = "MS")]
    pub timestamps_ms: Vec<i64>,
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// At most one of three options.
#[derive(Clone, Debug, Args)]
#[group(multiple = false)]
pub struct QuorumArgs {
    /// This controller is the only voter of a new dynamic quorum
    #[arg(short, long)]
    pub standalone: bool,
    /// These are the voters of a new dynamic quorum
    #[arg(short = 'I', long, value_name = "ID@HOST:PORT:DIRECTORY-ID,…")]
    pub initial_controllers: Option<String>,
    /// Name no voters: this node belongs to a dynamic quorum that others form
    #[arg(short = 'N', long)]
    pub no_initial_controllers: bool,
}

/// `[PATH=]ID`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryId {
    path: Option<String>,
    id: Uuid,
}

impl FromStr for DirectoryId {
    type Err = records::ParseUuidError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.rsplit_once('=') {
            Some((path, id)) if !id.is_empty() => Ok(DirectoryId {
                path: Some(path.to_owned()),
                id: id.parse()?,
            }),
            _ => Ok(DirectoryId {
                path: None,
                id: text.parse()?,
            }),
        }
    }
}

impl FormatArgs {
    /// What the options ask for.
    pub fn request(&self) -> FormatRequest {
        let quorum = match &self.quorum {
            QuorumArgs {
                standalone: true, ..
            } => QuorumFlag::Standalone,
            QuorumArgs {
                no_initial_controllers: true,
                ..
            } => QuorumFlag::NoInitialControllers,
            QuorumArgs {
                initial_controllers: Some(voters),
                ..
            } => QuorumFlag::InitialControllers(voters.clone()),
            QuorumArgs { .. } => QuorumFlag::None,
        };
        FormatRequest {
            cluster_id: self.cluster_id.clone(),
            quorum,
            release_version: self.release_version.clone(),
            features: self.features.clone(),
            scram: self.scram.clone(),
            already_formatted: if self.ignore_formatted {
                AlreadyFormatted::Skipped
            } else {
                AlreadyFormatted::Refused
            },
        }
    }

    fn draws(&self) -> Prescribed<SystemDraws> {
        let mut draws = Prescribed::over(SystemDraws);
        for DirectoryId { path, id } in &self.directory_ids {
            match path {
                Some(path) => draws.directory(path, *id),
                None => draws.next_directory(*id),
            }
        }
        for reading in &self.timestamps_ms {
            draws.reading(*reading);
        }
        draws
    }
}

/// A whole command line with the options of kafka-storage in one form, if it is one of `format`; an error is what the
/// tool says of its arguments, and is an answer, as a refusal is.
pub fn canonical(line: Vec<OsString>) -> Result<Vec<OsString>, String> {
    if line.get(1).is_none_or(|command| command != "format") {
        return Ok(line);
    }
    let mut line = line.into_iter();
    let mut canonical: Vec<OsString> = line.by_ref().take(2).collect();
    let given = line.map(|argument| argument.to_string_lossy().into_owned());
    canonical.extend(
        arguments::canonical(given.collect())?
            .into_iter()
            .map(OsString::from),
    );
    Ok(canonical)
}

/// Runs the command.
pub fn run(args: &FormatArgs, console: &mut Console) -> Result<Exit, CommandError> {
    let rules = args.release.rules()?;
    let config = match read_config(&rules, Path::new(&args.config))? {
        Ok(config) => config,
        Err(error) => {
            let told = format!("{}: {error}", args.config);
            return refused(args, console, &told);
        }
    };
    let mut disk = StdDisk::new();
    let mut draws = args.draws();
    match format(&rules, &config, &args.request(), &mut disk, &mut draws)? {
        Ok(plan) => tell(args, &rules, &plan, &mut disk, console),
        Err(error) => refused(args, console, &error.to_string()),
    }
}

/// Formats; an id that is given but not needed is a mistake that is found before anything is written.
fn format(
    rules: &Rules,
    config: &ServerConfig,
    request: &FormatRequest,
    disk: &mut StdDisk,
    draws: &mut Prescribed<impl Draws>,
) -> Result<Result<FormatPlan, FormatError>, CommandError> {
    let plan = match plan(rules, config, request, disk, draws) {
        Ok(plan) => plan,
        Err(error) => return Ok(Err(error)),
    };
    if let Some((path, id)) = draws.unused_ids().next() {
        let given = path.map_or_else(|| id.to_string(), |path| format!("{path}={id}"));
        let paths: Vec<&str> = plan
            .directories
            .iter()
            .map(|directory| directory.path.as_str())
            .collect();
        return Err(
            Diagnosis::new("an id is given for a directory that needs none")
                .found(format!("--directory-id {given}"))
                .expected(format!(
                    "ids for directories about to be formatted: {}",
                    paths.join(", ")
                ))
                .advice("a voter named by --initial-controllers has its id from there")
                .into(),
        );
    }
    Ok(plan
        .write(disk, draws)
        .map(|()| plan)
        .map_err(FormatError::from))
}

fn refused(args: &FormatArgs, console: &mut Console, why: &str) -> Result<Exit, CommandError> {
    match args.output.form() {
        OutputForm::Json => {
            let document = json!({ "release": args.release.kafka.name(), "refusal": why });
            crate::json::print(console, &document)?;
        }
        OutputForm::Text => writeln!(console.err, "not formatted: {why}")?,
    }
    Ok(Exit::Failed)
}

fn tell(
    args: &FormatArgs,
    rules: &Rules,
    plan: &FormatPlan,
    disk: &mut StdDisk,
    console: &mut Console,
) -> Result<Exit, CommandError> {
    for (directory, problem) in &plan.unreadable {
        writeln!(console.err, "{directory} is left alone: {problem}")?;
    }
    match args.output.form() {
        OutputForm::Json => crate::json::print(console, &document(rules, plan, disk))?,
        OutputForm::Text if plan.directories.is_empty() => {
            writeln!(console.out, "every directory is formatted already")?;
        }
        OutputForm::Text => {
            if rules.storage.bootstrap_listing == BootstrapListing::Printed {
                tell_records(plan, console)?;
            }
            for PlannedDirectory { path, kind, .. } in &plan.directories {
                writeln!(
                    console.out,
                    "formatted {} {path} at metadata.version {}",
                    kind.name(),
                    plan.version.name
                )?;
            }
        }
    }
    Ok(Exit::Held)
}

fn tell_records(plan: &FormatPlan, console: &mut Console) -> Result<(), CommandError> {
    writeln!(console.out, "bootstrap records:")?;
    for record in &plan.bootstrap_records {
        match &record.record {
            MetadataRecord::FeatureLevel(feature) => {
                writeln!(
                    console.out,
                    "  {} = {}",
                    feature.name, feature.feature_level
                )?;
            }
            MetadataRecord::UserScramCredential(credential) => {
                writeln!(console.out, "  SCRAM credential of {}", credential.name)?;
            }
            other => writeln!(console.out, "  {}", other.name())?,
        }
    }
    Ok(())
}

fn document(rules: &Rules, plan: &FormatPlan, disk: &mut StdDisk) -> Value {
    let records: Vec<Value> = plan
        .bootstrap_records
        .iter()
        .map(|record| crate::json::record(record, Secrets::Redacted))
        .collect();
    let directories: Vec<Value> = plan
        .directories
        .iter()
        .map(|PlannedDirectory { path, kind, meta }| {
            let files: Vec<Value> = plan
                .files_of(path)
                .into_iter()
                .map(|name| {
                    let size = disk.size(&format!("{path}/{name}")).ok().flatten();
                    json!({ "name": name, "size": size })
                })
                .collect();
            let id = meta.directory_id.map(|id| id.to_string());
            json!({ "path": path, "kind": kind.name(), "directory_id": id, "files": files })
        })
        .collect();
    json!({
        "release": rules.release.name(),
        "metadata_version": { "name": plan.version.name, "level": plan.version.version.0 },
        "bootstrap_records": records,
        "directories": directories,
        "unreadable": plan.unreadable.iter().map(|(path, why)| json!({ "path": path, "problem": why })).collect::<Vec<_>>(),
    })
}
