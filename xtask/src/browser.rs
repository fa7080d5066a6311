//! The browser tests, on a `docket` that they start themselves.

use crate::{cargo, setup};
use std::{path::Path, process::Command};

/// A program among the modules of the browser tests.
pub fn module(name: &str) -> Command {
    let end2end = cargo::root().join("end2end");
    let mut command = Command::new(end2end.join("node_modules/.bin").join(name));
    command.current_dir(&end2end);
    command
}

/// Playwright on this binary; which tests is to be added.
pub fn tests_of(docket: &Path) -> Command {
    let mut tests = module("playwright");
    tests.arg("test").env("CHROMIUM", setup::chromium()).env("DOCKET_BIN", docket);
    tests
}
