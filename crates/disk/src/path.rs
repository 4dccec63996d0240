//! Paths as text: `/` between names, nothing resolved.

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
    match dir {
        "" => name.to_owned(),
        _ if dir.ends_with('/') => format!("{dir}{name}"),
        _ => format!("{dir}/{name}"),
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
}
