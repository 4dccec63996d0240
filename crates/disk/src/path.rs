//! Paths as text: `/` between names, nothing resolved.
//!
//! [`below`] is the one place that decides which names from outside (members of archives, scenarios, configurations) may be
//! joined to a directory.

use std::fmt;

/// The longest path that is accepted from outside, in bytes; that of Linux.
pub const MOST_PATH_BYTES: usize = 4096;
/// The longest name between two `/` that is accepted from outside, in bytes; that of Linux.
pub const MOST_NAME_BYTES: usize = 255;

/// Why a name from outside must not be joined to a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misplaced {
    /// Nothing is left of it.
    Empty,
    /// It begins with `/`.
    Absolute,
    /// It leads upwards with `..`.
    Upwards,
    /// It holds a NUL byte, which ends a name in the file system.
    Nul,
    /// It is longer than a file system takes.
    TooLong,
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misplaced::Empty => "an empty name",
            Misplaced::Absolute => "an absolute path, which leads out of the directory",
            Misplaced::Upwards => "a path with `..`, which leads out of the directory",
            Misplaced::Nul => "a name with a NUL byte",
            Misplaced::TooLong => {
                return write!(
                    f,
                    "a path of more than {MOST_PATH_BYTES} bytes, or a name of more than {MOST_NAME_BYTES}"
                );
            }
        })
    }
}

impl std::error::Error for Misplaced {}

/// `name` as a path below a directory: without `.`, doubled and trailing slashes; refused where it could lead anywhere
/// else.
///
/// ```
/// use disk::path::{Misplaced, below};
/// assert_eq!(below("./node-1//meta.properties").as_deref(), Ok("node-1/meta.properties"));
/// assert_eq!(below("node-1/../../secret"), Err(Misplaced::Upwards));
/// ```
pub fn below(name: &str) -> Result<String, Misplaced> {
    if name.starts_with('/') {
        return Err(Misplaced::Absolute);
    }
    if name.contains('\0') {
        return Err(Misplaced::Nul);
    }
    if name.split('/').any(|part| part == "..") {
        return Err(Misplaced::Upwards);
    }
    let clean = clean(name);
    if clean.is_empty() {
        return Err(Misplaced::Empty);
    }
    let long = |part: &str| part.len() > MOST_NAME_BYTES;
    if clean.len() > MOST_PATH_BYTES || clean.split('/').any(long) {
        return Err(Misplaced::TooLong);
    }
    Ok(clean)
}

/// The path without doubled and trailing slashes; a leading one stays, and `./` in front is dropped.
pub fn clean(path: &str) -> String {
    let mut clean = String::with_capacity(path.len());
    if path.starts_with('/') {
        clean.push('/');
    }
    for name in path
        .split('/')
        .filter(|name| !name.is_empty() && *name != ".")
    {
        if !clean.is_empty() && !clean.ends_with('/') {
            clean.push('/');
        }
        clean.push_str(name);
    }
    clean
}

/// A clean path in which `..` is taken off together with the name before it, whatever that is on the disk: where
/// Java's `Files.createDirectories` makes a path whose outer directories are missing.
pub fn without_dots(path: &str) -> String {
    let path = clean(path);
    let root = if path.starts_with('/') { "/" } else { "" };
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/').filter(|name| !name.is_empty()) {
        match (name, names.last()) {
            ("..", Some(last)) if *last != ".." => {
                names.pop();
            }
            ("..", None) if !root.is_empty() => {}
            _ => names.push(name),
        }
    }
    format!("{root}{}", names.join("/"))
}

/// The directory part of a clean path: `""` for a relative name, `/` for a name in the root.
pub fn parent(path: &str) -> &str {
    match path.rfind('/') {
        None => "",
        Some(0) => "/",
        Some(at) => &path[..at],
    }
}

/// The last name of a path.
pub fn file_name(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path)
}

/// `name` inside `dir`.
pub fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() || dir.ends_with('/') {
        [dir, name].concat()
    } else {
        [dir, "/", name].concat()
    }
}

/// The directories of a clean path from the outermost to the path itself.
pub(crate) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    let ends = path
        .char_indices()
        .filter(|(at, letter)| *letter == '/' && *at > 0)
        .map(|(at, _)| at)
        .chain((path.len() > 1 || !path.starts_with('/')).then_some(path.len()));
    ends.map(|end| &path[..end])
        .filter(|ancestor| !ancestor.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned_split_and_joined() {
        assert_eq!(clean("/a//b/"), "/a/b");
        assert_eq!(clean("./a/./b"), "a/b");
        assert_eq!(clean("/"), "/");
        assert_eq!(without_dots("/a/../b/c/.."), "/b");
        assert_eq!(without_dots("../a/../../b"), "../../b");
        assert_eq!(without_dots("/.."), "/");
        assert_eq!(parent("/a"), "/");
        assert_eq!(parent("a"), "");
        assert_eq!(parent("a/b/c"), "a/b");
        assert_eq!(file_name("a/b/"), "b");
        assert_eq!(join("/", "a"), "/a");
        assert_eq!(join("a", "b"), "a/b");
        assert_eq!(ancestors("/a/b").collect::<Vec<_>>(), ["/a", "/a/b"]);
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a", "a/b"]);
        assert_eq!(ancestors("/").count(), 0);
    }

    #[test]
    fn names_from_outside_stay_below() {
        for (name, expected) in [
            ("a", Ok("a")),
            ("./a//b/", Ok("a/b")),
            ("...", Ok("...")),
            ("..a/b..", Ok("..a/b..")),
            ("", Err(Misplaced::Empty)),
            ("./.", Err(Misplaced::Empty)),
            ("/a", Err(Misplaced::Absolute)),
            ("..", Err(Misplaced::Upwards)),
            ("a/../b", Err(Misplaced::Upwards)),
            ("a/..", Err(Misplaced::Upwards)),
            ("a\0/b", Err(Misplaced::Nul)),
        ] {
            assert_eq!(below(name).as_deref(), expected.as_deref(), "{name:?}");
        }
        assert_eq!(below(&"a".repeat(256)), Err(Misplaced::TooLong));
        assert_eq!(below(&"a/".repeat(2049)), Err(Misplaced::TooLong));
    }
}
