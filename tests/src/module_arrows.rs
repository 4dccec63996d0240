//! Which module of a crate uses which, by the paths in its source, and where they run in circles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, ItemMod, ItemUse, UseTree, Visibility};

/// A module by its path below the crate: `["controller", "replay"]`; the crate's root is empty.
type Module = Vec<String>;

/// The modules of a crate, one a file, with their arrows.
#[derive(Debug, Default)]
pub struct ModuleArrows {
    arrows: BTreeMap<Module, BTreeSet<Module>>,
}

/// A module's source, read.
struct Source {
    /// Paths that it uses, from the crate's root on. Those of its tests are left out.
    used: Vec<Module>,
    /// Names that it hands on, with the path that each stands for.
    handed_on: BTreeMap<String, Module>,
}

impl ModuleArrows {
    /// Reads the files below `src`.
    ///
    /// # Panics
    ///
    /// If a file cannot be read or is no Rust.
    pub fn of_crate(src: &Path) -> Self {
        let mut files = Vec::new();
        collect(src, &mut Vec::new(), &mut files);
        Self::of_sources(files.iter().map(|(at, text)| (at.clone(), text.as_str())))
    }

    fn of_sources<'a>(files: impl IntoIterator<Item = (Module, &'a str)>) -> Self {
        let sources: BTreeMap<Module, Source> = files
            .into_iter()
            .map(|(at, text)| {
                let file = syn::parse_file(text);
                let file = file.unwrap_or_else(|error| panic!("{}: {error}", at.join("::")));
                let source = Source::of(&at, &file);
                (at, source)
            })
            .collect();
        let mut arrows = BTreeMap::new();
        for (at, source) in &sources {
            let used = source.used.iter().map(|path| owner(&sources, path, 0));
            arrows.insert(at.clone(), used.filter(|used| used != at).collect());
        }
        ModuleArrows { arrows }
    }

    /// How many modules were read.
    pub fn len(&self) -> usize {
        self.arrows.len()
    }

    /// Whether none was read.
    pub fn is_empty(&self) -> bool {
        self.arrows.is_empty()
    }

    /// The modules that can reach themselves, each with those in the same circle.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let mut circles = BTreeSet::new();
        for at in self.arrows.keys() {
            let reached = self.reached_from(at);
            if reached.contains(at) {
                let back = |other: &&Module| self.reached_from(other).contains(at);
                let circle = reached.iter().filter(back).map(name);
                circles.insert(circle.collect::<Vec<_>>());
            }
        }
        circles.into_iter().collect()
    }

    fn reached_from(&self, start: &Module) -> BTreeSet<Module> {
        let mut reached = BTreeSet::new();
        let mut next = vec![start];
        while let Some(at) = next.pop() {
            for used in self.arrows.get(at).into_iter().flatten() {
                if reached.insert(used.clone()) {
                    next.push(used);
                }
            }
        }
        reached
    }
}

fn name(module: &Module) -> String {
    if module.is_empty() {
        "lib".to_owned()
    } else {
        module.join("::")
    }
}

fn collect(folder: &Path, at: &mut Module, files: &mut Vec<(Module, String)>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("the folder can be listed").path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            at.push(stem.into_owned());
            collect(&path, at, files);
            at.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut module = at.clone();
            if !matches!(&*stem, "lib" | "main" | "mod") {
                module.push(stem.into_owned());
            }
            let text = fs::read_to_string(&path);
            let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            files.push((module, text));
        }
    }
}

/// The module that a path leads into: the longest part that names a module, through names that modules hand on.
fn owner(sources: &BTreeMap<Module, Source>, path: &Module, depth: usize) -> Module {
    let longest = (0..=path.len()).rev();
    let module = longest
        .map(|length| path[..length].to_vec())
        .find(|part| sources.contains_key(part))
        .unwrap_or_default();
    let handed_on = path.get(module.len()).and_then(|name| {
        let source = sources.get(&module)?;
        source.handed_on.get(name)
    });
    match handed_on {
        // A name handed on in a circle is no Rust; the depth only guards this walk.
        Some(target) if depth < 9 && *target != *path => owner(sources, target, depth + 1),
        _ => module,
    }
}

impl Source {
    fn of(at: &Module, file: &File) -> Self {
        let children: BTreeSet<String> = file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Mod(child) => Some(child.ident.to_string()),
                _ => None,
            })
            .collect();
        let mut reader = Reader {
            at,
            children: &children,
            used: Vec::new(),
            handed_on: BTreeMap::new(),
        };
        reader.visit_file(file);
        Source {
            used: reader.used,
            handed_on: reader.handed_on,
        }
    }
}

struct Reader<'a> {
    at: &'a Module,
    children: &'a BTreeSet<String>,
    used: Vec<Module>,
    handed_on: BTreeMap<String, Module>,
}

impl Reader<'_> {
    /// A path from the crate's root on; `None` for one into another crate.
    fn absolute(&self, segments: &[String]) -> Option<Module> {
        let (first, mut rest) = segments.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => self.at.clone(),
            "super" => self.at.split_last()?.1.to_vec(),
            child if self.children.contains(child) => {
                let mut base = self.at.clone();
                base.push(first.clone());
                base
            }
            _ => return None,
        };
        while let [next, others @ ..] = rest
            && next == "super"
        {
            base.pop();
            rest = others;
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    fn walk(&mut self, tree: &UseTree, before: &mut Vec<String>, is_handed_on: bool) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.walk(&path.tree, before, is_handed_on);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.walk(tree, before, is_handed_on);
                }
            }
            UseTree::Name(name) => self.leaf(&name.ident, &name.ident, before, is_handed_on),
            UseTree::Rename(name) => self.leaf(&name.ident, &name.rename, before, is_handed_on),
            UseTree::Glob(_) => self.used.extend(self.absolute(before)),
        }
    }

    fn leaf(
        &mut self,
        ident: &syn::Ident,
        known_as: &syn::Ident,
        before: &[String],
        is_handed_on: bool,
    ) {
        let mut segments = before.to_vec();
        if ident != "self" {
            segments.push(ident.to_string());
        }
        let Some(path) = self.absolute(&segments) else {
            return;
        };
        if is_handed_on {
            self.handed_on.insert(known_as.to_string(), path);
        } else {
            self.used.push(path);
        }
    }
}

/// Whether something is there for tests only.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |text: &str| text == "test";
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|path| path.get_ident().is_some_and(|i| is_test(&i.to_string())))
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_for_tests(&item.attrs) {
            let is_handed_on = !matches!(item.vis, Visibility::Inherited);
            self.walk(&item.tree, &mut Vec::new(), is_handed_on);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if segments.len() > 1 {
            self.used.extend(self.absolute(&segments));
        }
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files = files.iter().map(|(at, text)| {
            let at = at.split("::").filter(|part| !part.is_empty());
            (at.map(str::to_owned).collect(), *text)
        });
        ModuleArrows::of_sources(files).circles()
    }

    #[test]
    fn circles_are_found_and_nothing_else() {
        let one_way = [
            ("", "mod a; mod b; pub use a::A;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            (
                "b",
                "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }",
            ),
        ];
        assert!(circles(&one_way).is_empty());
        let by_path = [
            ("", "mod a; mod b;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            ("b", "pub fn f(_: super::a::A) {}"),
        ];
        assert_eq!(circles(&by_path), [["a", "b"]]);
        let by_a_name_handed_on = [
            ("", "mod a; mod b; pub use a::A;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            ("b", "use crate::A; pub struct B(Box<A>);"),
        ];
        assert_eq!(circles(&by_a_name_handed_on), [["a", "b"]]);
        let parent_and_child = [
            ("", "mod a;"),
            ("a", "mod b; use b::B; pub struct A(B);"),
            ("a::b", "use super::A; pub struct B(Box<A>);"),
        ];
        assert_eq!(circles(&parent_and_child), [["a", "a::b"]]);
    }
}
