//! The browser tests, on a `docket` that they start themselves.

use crate::{cargo, setup};
use anyhow::Result;
use std::{path::Path, process::Command};

/// A program among the modules of the browser tests.
pub fn module(name: &str) -> Command {
    let end2end = cargo::root().join("end2end");
    let mut command = Command::new(end2end.join("node_modules/.bin").join(name));
    command.current_dir(&end2end);
    command
}

/// Fails at types that do not fit, at what does not wait for a page, and when the rules for that let something pass.
///
/// # Errors
/// When anything is found.
pub fn lint() -> Result<()> {
    // What runs the tests takes the types away and looks at none.
    cargo::run(&mut module("tsc"))?;
    cargo::run(module("oxlint").args(["delivered", "measured", "other-browsers", "support", "tests"]))?;
    let end2end = cargo::root().join("end2end");
    cargo::run(Command::new("node").args(["--test", "lint/reads.test.mjs"]).current_dir(end2end))
}

/// Playwright on this binary; which tests is to be added.
pub fn tests_of(docket: &Path) -> Command {
    let mut tests = module("playwright");
    tests.arg("test").env("CHROMIUM", setup::chromium()).env("DOCKET_BIN", docket);
    tests
}
