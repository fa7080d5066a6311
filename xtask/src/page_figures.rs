//! What each page weighs, and how long it takes over a slow connection: the release binary, in a browser.

use crate::{browser, build_server, cargo};
use anyhow::Result;

/// Prints it as a table.
pub fn print() -> Result<()> {
    let mut measure = browser::tests_of(&build_server::build(true)?);
    measure.args(["--config", "measured.config.ts"]);
    cargo::run(&mut measure)
}
