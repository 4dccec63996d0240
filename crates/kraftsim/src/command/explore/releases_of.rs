use std::fmt;
use std::str::FromStr;

use releases::{Release, UnknownRelease};

/// The releases that run together in one cluster: `4.3.1,4.4.0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseSet(pub Vec<Release>);

impl ReleaseSet {
    /// The last patch of each line, the drafts, and an upgrade on its way.
    pub(super) fn usual() -> Vec<ReleaseSet> {
        let alone = [
            Release::V3_9_2,
            Release::V4_0_2,
            Release::V4_1_2,
            Release::V4_2_1,
            Release::V4_3_1,
            Release::V4_4_0,
            Release::Kip1170,
        ];
        let mixed = ReleaseSet(vec![Release::V4_3_1, Release::V4_4_0]);
        let alone = alone.into_iter().map(|one| ReleaseSet(vec![one]));
        alone.chain([mixed]).collect()
    }
}

impl fmt::Display for ReleaseSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|one| one.name()).collect();
        f.write_str(&names.join(","))
    }
}

impl FromStr for ReleaseSet {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, UnknownRelease> {
        let names = text.split(',').map(str::trim);
        Ok(ReleaseSet(names.map(str::parse).collect::<Result<_, _>>()?))
    }
}
