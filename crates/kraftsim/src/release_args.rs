//! Which release's rules, with which known bugs: the one place that reads `--kafka`, `--with` and `--without`.

use std::ffi::OsStr;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use releases::{QUIRKS, Quirk, Release, Rules};
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

/// The options that plant and mend known bugs.
#[derive(Clone, Debug, Default, Args)]
pub struct QuirkArgs {
    /// Plant a known bug into every release that does not have it (kraftsim explain lists them)
    #[arg(long = "with", value_name = "QUIRK", value_parser = QuirkParser, hide_possible_values = true)]
    pub planted: Vec<&'static str>,
    /// Mend a known bug in every release that has it
    #[arg(long = "without", value_name = "QUIRK", value_parser = QuirkParser, hide_possible_values = true)]
    pub mended: Vec<&'static str>,
}

impl QuirkArgs {
    /// The quirks, none of them both planted and mended.
    pub fn quirks(&self) -> Result<Quirks, Diagnosis> {
        let mut planted = self.planted.iter();
        if let Some(both) = planted.find(|quirk| self.mended.contains(quirk)) {
            let what = format!("--with {both} and --without {both} contradict each other");
            return Err(Diagnosis::new(what).advice("keep one of them"));
        }
        let named = |quirks: &[&'static str]| quirks.iter().map(|one| (*one).to_owned()).collect();
        Ok(Quirks {
            with: named(&self.planted),
            without: named(&self.mended),
        })
    }
}

/// Reads the name of a release; shells complete it, and a wrong one gets the nearest.
pub fn release_parser() -> impl TypedValueParser<Value = Release> {
    PossibleValuesParser::new(Release::ALL.map(Release::name)).map(|name| {
        name.parse::<Release>()
            .expect("the possible values are releases")
    })
}

/// Reads the name of a quirk, with or without `KAFKA-`; shells complete it, and a wrong one gets the nearest.
#[derive(Clone, Copy, Debug)]
struct QuirkParser;

impl TypedValueParser for QuirkParser {
    type Value = &'static str;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let given = value.to_string_lossy();
        let unknown = match Quirk::named(&given) {
            Ok(quirk) => return Ok(quirk.id),
            Err(unknown) => unknown,
        };
        let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
        let text = |text: &str| ContextValue::String(text.to_owned());
        if let Some(arg) = arg {
            error.insert(ContextKind::InvalidArg, text(&arg.to_string()));
        }
        error.insert(ContextKind::InvalidValue, text(&given));
        let known = QUIRKS.iter().map(|quirk| quirk.id.to_owned());
        error.insert(
            ContextKind::ValidValue,
            ContextValue::Strings(known.collect()),
        );
        error.insert(ContextKind::SuggestedValue, text(unknown.nearest));
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            QUIRKS.iter().map(|quirk| PossibleValue::new(quirk.id)),
        ))
    }
}
