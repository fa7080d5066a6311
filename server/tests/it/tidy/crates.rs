//! What each crate may know of the others.

use std::{collections::BTreeSet, fs};

use super::{CRATES, root, set, sources};

/// The product's crates that a crate depends on, outside of tests.
fn depends_on(name: &str) -> BTreeSet<String> {
    let manifest: toml::Table = fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap().parse().unwrap();
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table).cloned().unwrap_or_default();
    dependencies.keys().filter(|key| CRATES.contains(&key.as_str())).cloned().collect()
}

#[test]
fn crates_depend_downwards_only() {
    let allowed: &[(&str, &[&str])] = &[
        ("model", &[]),
        ("migration", &[]),
        ("queue", &["model"]),
        ("caseload", &["model", "queue"]),
        ("app", &["caseload", "model"]),
        ("frontend", &["app"]),
        ("server", &["app", "caseload", "migration", "model", "queue"]),
        ("testkit", &["migration", "queue"]),
        ("xtask", &[]),
        ("bundler", &[]),
    ];
    for (name, below) in allowed {
        assert!(depends_on(name).is_subset(&set(below)), "{name} depends on {:?}", depends_on(name));
    }
}

#[test]
fn no_crate_knows_what_is_above_it() {
    for source in sources() {
        let forbidden: &[&str] = match source.path.split('/').next() {
            Some("model") => &["tokio::", "axum::", "leptos::", "std::fs", "std::net"],
            Some("queue") => &["axum::", "leptos::", "caseload::", "person"],
            Some("caseload") => &["axum::", "leptos::", "http::", "tower"],
            _ => &[],
        };
        for word in forbidden {
            // The ledger of a task may be spoken of; a table or a type of people may not be used.
            let used =
                source.code.lines().any(|line| line.contains(word) && (word.contains("::") || line.contains("FROM ")));
            assert!(!used, "{} uses {word}", source.path);
        }
    }
}

#[test]
fn a_build_never_unifies_what_browser_and_server_need() {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let members = manifest["workspace"]["default-members"].as_array().unwrap();
    assert!(!members.iter().any(|member| member.as_str() == Some("frontend")));
}
