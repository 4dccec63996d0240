//! `docs/museum.md` names every scenario of the museum, and nothing that is not there.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;

use kraftsim_tests::repository;

/// What stands between backquotes.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2)
}

#[test]
fn the_page_and_the_folder_name_the_same_scenarios() {
    let root = repository::root();
    let page = fs::read_to_string(root.join("docs/museum.md")).unwrap();
    let named: BTreeSet<&str> = quoted(&page)
        .filter_map(|name| name.strip_prefix("museum/"))
        .filter(|name| !name.is_empty())
        .collect();
    let paths = repository::files(&root.join("simulations/museum"), &[".scenario"]);
    let there: BTreeSet<&str> = paths
        .iter()
        .filter_map(|path| path.file_name()?.to_str())
        .collect();
    assert_eq!(named, there);
}

#[test]
fn what_the_page_names_is_there() {
    let root = repository::root();
    let page = fs::read_to_string(root.join("docs/museum.md")).unwrap();
    let is_path =
        |name: &&str| name.contains('/') && name.contains('.') && !name.starts_with("museum/");
    for name in quoted(&page).filter(is_path) {
        let path = match name.strip_suffix(".scenario") {
            Some(_) => root.join("simulations").join(name),
            None => root.join(name),
        };
        assert!(
            path.is_file(),
            "docs/museum.md: there is no {}",
            path.display()
        );
    }
}
