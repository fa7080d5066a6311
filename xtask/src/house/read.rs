//! The sources of the product, parsed; tests are left out.

use crate::cargo;
use anyhow::{Context, Result};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use syn::{Attribute, Item, Meta};

/// The crates that are the product, from the lowest on.
const CRATES: [&str; 7] = ["model", "queue", "caseload", "migration", "app", "frontend", "server"];

/// A crate.
pub struct Crate {
    pub name: &'static str,
    pub files: Vec<File>,
}

/// A file of a crate.
pub struct File {
    /// From the root of the repository.
    pub path: String,
    /// The names of the modules above what is in it, and its own; none for the root of a crate.
    pub module: Vec<String>,
    pub items: Vec<Item>,
}

pub fn crates() -> Result<Vec<Crate>> {
    CRATES.into_iter().map(|name| Crate::read(name, cargo::root())).collect()
}

impl Crate {
    fn read(name: &'static str, root: &Path) -> Result<Crate> {
        let (source, mut paths) = (root.join(name).join("src"), Vec::new());
        collect(&source, &mut paths)?;
        paths.sort();
        let files = paths.iter().map(|path| {
            let text = fs::read_to_string(path)?;
            let within = path.strip_prefix(&source)?;
            let path = path.strip_prefix(root)?.display().to_string();
            File::parse(path, module(within), &text)
        });
        Ok(Crate { name, files: files.collect::<Result<_>>()? })
    }

    /// How many sources lie in each folder, without the steps of the schema: each is there for ever, and more come.
    pub fn folders(&self) -> BTreeMap<&str, usize> {
        let mut folders = BTreeMap::new();
        for file in self.files.iter().filter(|file| !file.is_step()) {
            *folders.entry(file.path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default() += 1;
        }
        folders
    }
}

impl File {
    fn is_step(&self) -> bool {
        let name = self.path.rsplit('/').next().and_then(|name| name.strip_prefix('m')).unwrap_or_default();
        self.path.starts_with("migration/") && name.starts_with(|digit: char| digit.is_ascii_digit())
    }

    pub fn parse(path: String, module: Vec<String>, text: &str) -> Result<File> {
        let parsed = syn::parse_file(text).with_context(|| format!("{path} cannot be parsed"))?;
        let items = parsed.items.into_iter().filter(|item| !is_for_tests(item)).collect();
        Ok(File { path, module, items })
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn module(within: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        within.iter().map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
    if names.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        names.pop();
    }
    names
}

fn is_for_tests(item: &Item) -> bool {
    let attributes: &[Attribute] = match item {
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    };
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}
