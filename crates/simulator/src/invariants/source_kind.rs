use std::fmt;

/// Where activation took the bootstrap records from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// `bootstrap.checkpoint`
    LegacyFile,
    /// `00000000000000000000-0000000000.checkpoint`
    ZeroCheckpoint,
    /// Nothing on disk: the release's default metadata.version.
    Default,
    /// 3.9: `inter.broker.protocol.version`, or its default.
    Configured,
    /// The log was not empty: nothing was written.
    None,
}

impl SourceKind {
    /// Every source, with its name in scenarios and reports.
    pub const NAMES: [(&str, SourceKind); 5] = [
        ("legacy-file", SourceKind::LegacyFile),
        ("zero-checkpoint", SourceKind::ZeroCheckpoint),
        ("default", SourceKind::Default),
        ("configured", SourceKind::Configured),
        ("none", SourceKind::None),
    ];

    /// The name in scenarios and reports.
    pub fn name(self) -> &'static str {
        let mut names = Self::NAMES.iter();
        let found = names.find(|(_, source)| *source == self);
        found.map_or("none", |(name, _)| name)
    }
}

impl fmt::Display for SourceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
