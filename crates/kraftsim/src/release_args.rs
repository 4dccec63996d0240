//! Which release's rules, with which known bugs.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use releases::{QUIRKS, Release, Rules};
use simulator::run::Quirks;

use crate::{CommandError, Diagnosis};

/// The options of a command that follows one release's rules.
#[derive(Clone, Debug, Args)]
pub struct ReleaseArgs {
    /// The release whose rules are followed
    #[arg(long, value_name = "RELEASE", value_parser = release_parser())]
    pub kafka: Release,
    /// The known bugs.
    #[command(flatten)]
    pub quirks: QuirkArgs,
}

impl ReleaseArgs {
    /// The rules of the release, its quirks planted and mended as asked.
    pub fn rules(&self) -> Result<Rules, CommandError> {
        let rules = self.quirks.quirks()?.rules(self.kafka);
        Ok(rules.map_err(|error| Diagnosis::new(error.to_string()))?)
    }
}

/// Which known bugs are planted, and which are mended.
#[derive(Clone, Debug, Default, Args)]
pub struct QuirkArgs {
    /// Plant a known bug in every release
    #[arg(long = "with", value_name = "QUIRK", value_parser = quirk_parser())]
    pub planted: Vec<String>,
    /// Mend a known bug in every release
    #[arg(long = "without", value_name = "QUIRK", value_parser = quirk_parser())]
    pub mended: Vec<String>,
}

impl QuirkArgs {
    /// The quirks, none of them both planted and mended.
    pub fn quirks(&self) -> Result<Quirks, Diagnosis> {
        if let Some(both) = self
            .planted
            .iter()
            .find(|quirk| self.mended.contains(quirk))
        {
            let what = format!("--with {both} and --without {both} contradict each other");
            return Err(Diagnosis::new(what).advice("keep one of them"));
        }
        Ok(Quirks {
            with: self.planted.clone(),
            without: self.mended.clone(),
        })
    }
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
