//! The invariants of the code base that can be seen by reading its files.

mod crates;
mod files;
mod one_place;
mod pages;
mod tables;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A source file: its path from the root, its text, and its text without tests and comments.
struct Source {
    path: String,
    text: String,
    code: String,
}

const CRATES: &[&str] =
    &["model", "queue", "caseload", "app", "frontend", "server", "migration", "testkit", "xtask", "bundler"];

/// What nobody runs who uses the product.
const TOOLS: &[&str] = &["testkit/", "xtask/", "bundler/"];

/// Of these files, those that are the product's.
fn of_the_product(files: BTreeSet<String>) -> BTreeSet<String> {
    files.into_iter().filter(|file| !TOOLS.iter().any(|of| file.starts_with(of))).collect()
}

/// The Rust sources of the product's crates, tests in folders of their own left out.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for name in CRATES {
        collect(&root().join(name).join("src"), &mut found);
    }
    assert!(found.len() > 100, "the sources are where this test looks for them");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let code =
                product.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
            let path = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            found.push(Source { path, text, code });
        }
    }
}

/// The files whose code holds one of these.
fn files_with(words: &[&str]) -> BTreeSet<String> {
    sources()
        .into_iter()
        .filter(|source| words.iter().any(|word| source.code.contains(word)))
        .map(|source| source.path)
        .collect()
}

fn set(files: &[&str]) -> BTreeSet<String> {
    files.iter().map(|file| (*file).to_owned()).collect()
}

/// The texts of all Rust files below a folder.
fn texts(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => found.push(fs::read_to_string(&entry).unwrap()),
            _ if entry.is_dir() => found.extend(texts(&entry)),
            _ => {}
        }
    }
    found
}
