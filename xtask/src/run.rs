//! `cargo xtask run`: from a fresh checkout to a demo in the browser.

use crate::{build_server, bundle, cargo};
use anyhow::{Context, Result};
use std::{os::unix::process::CommandExt, process::Command};

/// Builds the bundle, then the server (a release server carries the bundle inside), and becomes `docket serve --demo`.
/// Returns only when something failed.
pub fn run(release: bool, serve: &[String]) -> Result<()> {
    bundle::bundle(release)?;
    let docket = build_server::build(release)?;
    // In place of this process, so that Ctrl-C and SIGTERM reach the server and its exit status reaches the caller.
    let error = Command::new(&docket).args(["serve", "--demo"]).args(serve).current_dir(cargo::root()).exec();
    Err(error).with_context(|| format!("could not start {}", docket.display()))
}
