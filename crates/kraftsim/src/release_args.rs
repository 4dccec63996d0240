//! Which release's rules, with which known bugs.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use releases::{QUIRKS, Release, Rules};

use crate::{CommandError, Diagnosis};

/// The options of a command that follows one release's rules.
#[derive(Clone, Debug, Args)]
pub struct ReleaseArgs {
    /// The release whose rules are followed
    #[arg(long, value_name = "RELEASE", value_parser = release_parser())]
    pub kafka: Release,
    /// Plant a known bug that the release does not have
    #[arg(long = "with", value_name = "QUIRK", value_parser = quirk_parser())]
    pub planted: Vec<String>,
    /// Mend a known bug that the release has
    #[arg(long = "without", value_name = "QUIRK", value_parser = quirk_parser())]
    pub mended: Vec<String>,
}

impl ReleaseArgs {
    /// The rules of the release, its quirks planted and mended as asked.
    pub fn rules(&self) -> Result<Rules, CommandError> {
        rules(self.kafka, &self.planted, &self.mended)
    }
}

/// The rules of a release, quirks planted and mended as asked.
pub fn rules(
    release: Release,
    planted: &[String],
    mended: &[String],
) -> Result<Rules, CommandError> {
    if let Some(both) = planted.iter().find(|quirk| mended.contains(quirk)) {
        let what = format!("--with {both} and --without {both} contradict each other");
        return Err(Diagnosis::new(what).advice("keep one of them").into());
    }
    let unknown = |error: releases::UnknownQuirk| Diagnosis::new(error.to_string());
    let mut rules = release.rules();
    for quirk in planted {
        rules = rules.with(quirk).map_err(unknown)?;
    }
    for quirk in mended {
        rules = rules.without(quirk).map_err(unknown)?;
    }
    Ok(rules)
}

/// Reads the name of a release; shells complete it, and a wrong one gets the nearest.
pub fn release_parser() -> impl clap::builder::TypedValueParser<Value = Release> {
    PossibleValuesParser::new(Release::ALL.map(Release::name)).map(|name| {
        name.parse::<Release>()
            .expect("the possible values are releases")
    })
}

/// Reads the name of a quirk.
pub fn quirk_parser() -> impl clap::builder::TypedValueParser<Value = String> {
    PossibleValuesParser::new(QUIRKS.iter().map(|quirk| quirk.id))
}
