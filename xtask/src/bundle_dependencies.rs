//! Holds the browser's dependencies to what belongs in a browser.

use crate::{bundle_names, cargo, setup};
use anyhow::{Result, ensure};

/// Crates that only the server may have.
const SERVER_ONLY: [&str; 5] = ["sea-orm", "sqlx", "sqlx-core", "tokio", "utoipa"];

/// # Errors
/// When the bundle would contain a crate of the server's; the message names it.
pub fn check() -> Result<()> {
    let tree =
        ["tree", "--package", bundle_names::PACKAGE, "--target", setup::WASM, "--edges", "normal", "--prefix", "none"];
    let tree = cargo::output(cargo::command().args(tree))?;
    let found: Vec<_> = SERVER_ONLY.into_iter().filter(|name| contains(&tree, name)).collect();
    ensure!(
        found.is_empty(),
        "the browser bundle depends on {}: see `cargo tree -p frontend -i NAME`",
        found.join(", ")
    );
    println!("the browser bundle depends on none of {}", SERVER_ONLY.join(", "));
    Ok(())
}

fn contains(tree: &str, name: &str) -> bool {
    tree.lines().any(|line| line.split_whitespace().next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_found_by_its_whole_name() {
        let tree = "frontend v0.1.0 (/docket/frontend)\ntokio-stream v0.1.17\nserde v1.0.228 (*)";
        assert!(contains(tree, "serde"));
        assert!(!contains(tree, "tokio"));
    }
}
