use std::fmt;

use disk::Operation;

/// Which files a fault is about: a file name, with `*` for any run of characters.
///
/// A name also stands for its temporary: Kafka writes `quorum-state` as `quorum-state.tmp` and renames it, and who
/// says "the third sync of quorum-state" means the sync of that temporary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(String);

impl NamePattern {
    /// The pattern `text`, as a person writes it.
    pub fn new(text: &str) -> Self {
        NamePattern(text.to_owned())
    }

    /// Matches the path of every file.
    pub fn any() -> Self {
        NamePattern::new("*")
    }

    /// Whether the file or directory at `path` is meant.
    pub fn matches(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        glob(self.0.as_bytes(), name.as_bytes())
            || name
                .strip_suffix(".tmp")
                .is_some_and(|whole| glob(self.0.as_bytes(), whole.as_bytes()))
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Takes as many steps as pattern and name have bytes, multiplied: only the last `*` ever takes another run.
fn glob(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut in_name) = (0, 0);
    let mut star = None;
    while in_name < name.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at + 1, in_name));
            at += 1;
        } else if pattern.get(at) == Some(&name[in_name]) {
            at += 1;
            in_name += 1;
        } else if let Some((behind, taken)) = star {
            star = Some((behind, taken + 1));
            (at, in_name) = (behind, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// What happens at the chosen operation, instead of the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultEffect {
    /// The process dies before the operation takes effect.
    Crash,
    /// The file system refuses, with these words.
    Fail(String),
}

/// "At the third sync of quorum-state, crash."
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskFault {
    /// The kind of operation; `None` is every kind that changes the disk.
    pub operation: Option<Operation>,
    /// The files meant.
    pub name: NamePattern,
    /// How many more matching operations pass before it bites; 0 is the next one.
    pub after: u64,
    /// What it does.
    pub effect: FaultEffect,
}

impl DiskFault {
    /// Whether `operation` on `path` is one that this fault counts.
    pub(super) fn concerns(&self, operation: Operation, path: &str) -> bool {
        let kind = match self.operation {
            Some(wanted) => wanted == operation,
            None => !matches!(operation, Operation::Read | Operation::List),
        };
        kind && self.name.matches(path)
    }
}

#[cfg(test)]
mod tests {
    use super::NamePattern;

    #[test]
    fn a_name_stands_for_its_temporary_and_a_star_for_anything() {
        let state = NamePattern::new("quorum-state");
        assert!(state.matches("/d/quorum-state") && state.matches("/d/quorum-state.tmp"));
        assert!(!state.matches("/quorum-state/x") && !state.matches("/d/quorum-state2"));
        let log = NamePattern::new("*.log");
        assert!(log.matches("/d/00000000000000000000.log") && !log.matches("/d/x.logs"));
        assert!(NamePattern::any().matches("/d/anything"));
    }
}
