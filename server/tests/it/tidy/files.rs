//! What every file says of itself and of others.

use std::{fs, path::Path};

use super::{CRATES, collect, root, set, sources, texts};

#[test]
fn nothing_is_named_for_being_left_over() {
    let vague =
        ["common", "core", "util", "utils", "helper", "helpers", "service", "services", "repository", "dto", "misc"];
    for source in sources() {
        let names = source.path.trim_end_matches(".rs").split('/');
        let vague = names.clone().find(|name| vague.contains(name));
        assert!(vague.is_none(), "{}: a module is named for its idea", source.path);
    }
}

/// A macro of these tests has each end by its name when it hangs; what takes cases does only what its process answers at once.
#[test]
fn no_test_can_hang_without_a_name() {
    let exempt = set(&["server/tests/it/hanging.rs"]);
    for folder in ["queue", "caseload", "server", "migration"] {
        let mut found = Vec::new();
        collect(&root().join(folder).join("tests"), &mut found);
        collect(&root().join(folder).join("src"), &mut found);
        let found = found.iter().filter(|source| {
            !source.path.contains("/endurance/") && !source.path.contains("/tidy/") && !exempt.contains(&source.path)
        });
        for source in found {
            let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
            for pair in lines.windows(2).filter(|pair| pair[1].starts_with("#[tokio::test")) {
                let ends = pair[0].starts_with("#[timeout") || source.path.ends_with("/lock.rs");
                assert!(ends, "{}: name it in testkit::tests! or on_both!, after {}", source.path, pair[0]);
            }
            // What only reads has nothing to wait for.
            let waits = source.text.contains("Command::new") && lines.contains(&"#[test]");
            assert!(!waits, "{}: name its tests in testkit::tests!(without a runtime; …)", source.path);
        }
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for source in sources() {
        assert!(source.text.starts_with("//! "), "{} opens with a paragraph", source.path);
    }
}

#[test]
fn a_file_that_a_comment_refers_to_is_there() {
    for source in sources() {
        let comments = source.text.lines().filter(|line| line.trim_start().starts_with("//"));
        let words = comments.flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || "./_-".contains(c))));
        for name in words.filter(|word| word.len() > 3 && word.ends_with(".md")) {
            let path = root().join(name.trim_start_matches(['.', '/']));
            assert!(path.is_file(), "{}: {name} is no file of this repository", source.path);
        }
    }
}

/// Also of what is no Rust, and of tests.
#[test]
fn a_source_that_is_named_elsewhere_is_there() {
    let mut looked_at = 0;
    for (path, text) in written() {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "./_-".contains(c)));
        let sources = words.filter(|word| {
            CRATES.iter().any(|name| word.strip_prefix(name).is_some_and(|rest| rest.starts_with("/src/")))
        });
        for name in sources.filter(|word| word.ends_with(".rs") || word.ends_with(".js")) {
            looked_at += 1;
            assert!(root().join(name).is_file(), "{path}: {name} is no file of this repository");
        }
    }
    assert!(looked_at > 50, "{looked_at}");
}

/// By its name alone, or with the folders that tell it from others.
#[test]
fn a_source_that_a_comment_names_briefly_is_there() {
    let sources = sources();
    let mut looked_at = 0;
    for source in &sources {
        let comments = source.text.lines().filter(|line| line.trim_start().starts_with("//"));
        for name in comments.flat_map(|line| line.split('`').skip(1).step_by(2)).filter(|name| name.ends_with(".rs")) {
            looked_at += 1;
            let there = |path: &str| path == name || path.ends_with(&format!("/{name}"));
            let is_there = sources.iter().any(|other| there(&other.path)) || root().join(name).is_file();
            assert!(is_there, "{}: {name} is no file of this repository", source.path);
        }
    }
    assert!(looked_at > 20, "{looked_at}");
}

/// What people write and read here, with its path: sources of every sort, tests and documents.
fn written() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            let left_out = ["target", "node_modules", "CHANGELOG.md"].contains(&name.as_str()) || name.starts_with('.');
            match path.is_dir() {
                _ if left_out => {}
                true => walk(&path, found),
                false
                    if ["rs", "md", "js", "ts", "mjs", "css", "toml"]
                        .iter()
                        .any(|end| name.ends_with(&format!(".{end}"))) =>
                {
                    let path_here = path.strip_prefix(root()).unwrap().display().to_string();
                    found.push((path_here, fs::read_to_string(&path).unwrap()));
                }
                false => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(&root(), &mut found);
    found
}

#[test]
fn files_hold_one_idea_each() {
    let mut lengths: Vec<(usize, String)> =
        sources().into_iter().map(|source| (source.text.lines().count(), source.path)).collect();
    lengths.sort();
    let median = &lengths[lengths.len() / 2];
    assert!(median.0 < 120, "the median file has {} lines", median.0);
}

#[test]
fn the_tables_of_tests_name_tests_that_exist() {
    for (readme, folders) in [
        ("queue/tests/README.md", ["queue", "caseload", "migration", "server"]),
        ("caseload/tests/README.md", ["caseload", "model", "server", "queue"]),
    ] {
        let code: String = folders.iter().flat_map(|folder| texts(&root().join(folder))).collect();
        let sources: Vec<String> = sources().into_iter().map(|source| source.path).collect();
        let text = fs::read_to_string(root().join(readme)).unwrap();
        for line in text.lines().filter(|line| line.starts_with('|')) {
            let cell = line.split('|').nth(2).unwrap_or_default();
            for name in cell.split('`').skip(1).step_by(2).filter(|name| name.contains("::") || name.contains('_')) {
                let name = name.rsplit("::").next().unwrap_or_default();
                let known = name.ends_with(".rs") || code.contains(&format!("fn {name}("));
                assert!(known, "{readme}: there is no test {name}");
            }
            // What makes them red is said of a source: `folder/file.rs: what was changed`.
            let all = line.split('|').flat_map(|cell| cell.split(';'));
            let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == '/' || c == '.';
            let named = all.filter_map(|one| one.split_once(": ")).flat_map(|(files, _)| files.split(", "));
            for file in named.map(str::trim).filter(|file| file.ends_with(".rs") && file.chars().all(is_of_path)) {
                let known = sources.iter().any(|source| source.ends_with(&format!("/{file}")));
                assert!(known, "{readme}: there is no source {file}");
            }
        }
    }
}
