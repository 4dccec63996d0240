use releases::{Release, Rules, UnknownQuirk};

use super::Spanned;
use super::action::Declaration;

/// Known bugs that are planted in every release, and others that are mended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    /// The ids of those that are planted.
    pub with: Vec<String>,
    /// The ids of those that are mended, after that.
    pub without: Vec<String>,
}

impl Quirks {
    /// Whether nothing is planted and nothing mended.
    pub fn is_empty(&self) -> bool {
        self.with.is_empty() && self.without.is_empty()
    }

    /// The rules of a release with these quirks.
    ///
    /// # Errors
    ///
    /// Where there is no such quirk.
    pub fn rules(&self, release: Release) -> Result<Rules, UnknownQuirk> {
        self.applied(release.rules())
    }

    /// The same of rules that have quirks already.
    pub(super) fn applied(&self, rules: Rules) -> Result<Rules, UnknownQuirk> {
        let with = |rules: Rules, quirk: &String| rules.with(quirk);
        let without = |rules: Rules, quirk: &String| rules.without(quirk);
        let planted = self.with.iter().try_fold(rules, with)?;
        self.without.iter().try_fold(planted, without)
    }

    /// The same as declarations of a scenario.
    pub fn declarations(&self) -> impl Iterator<Item = Declaration> {
        let made = |id: &String| Spanned::made(id.clone());
        let with = self.with.iter().map(made).map(Declaration::With);
        let without = self.without.iter().map(made).map(Declaration::Without);
        with.chain(without)
    }
}
