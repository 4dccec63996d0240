//! One module a subcommand. Each has its arguments (a clap struct) and
//! `fn run(&Args, &mut Console) -> Result<Exit, CommandError>`.
//!
//! The main job: [`rehearse`], [`run`], [`explore`]; step by step: [`drive`]; how fast: [`mod@bench`]. Looking: [`matrix`], [`inspect`], [`explain`]. What
//! kafka-storage does: [`mod@format`], [`info`], [`random_uuid`], [`version_mapping`], [`feature_dependencies`]. For shells:
//! [`completions`], [`man`].

pub mod bench;
pub mod completions;
pub mod drive;
pub mod explain;
pub mod explore;
pub mod feature_dependencies;
pub mod format;
pub mod info;
pub mod inspect;
pub mod man;
pub mod matrix;
pub mod random_uuid;
pub mod rehearse;
pub mod run;
pub mod version_mapping;
