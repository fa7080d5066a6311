//! How the tests and the server that they start are compiled: once, by the linter. It compiles as the compiler does and looks
//! at every crate on the way, so that all crates beneath are compiled once and not a second time for it.

use std::{path::PathBuf, process::Command};

use anyhow::Result;

use crate::{build_server, bundler, cargo, setup};

/// Everything that is compiled for this machine but this program and its helper. One choice of crates for all calls, so that they settle their
/// features alike and nothing is compiled again. `frontend` would unite the features of the server's side with the browser's.
const CRATES: [&str; 7] = ["--workspace", "--exclude", "frontend", "--exclude", "xtask", "--exclude", bundler::PACKAGE];

/// `cargo test` of all that, which fails at any warning.
pub fn linted() -> Result<Command> {
    linted_of(&CRATES)
}

/// The same of these crates.
pub fn linted_of(crates: &[&str]) -> Result<Command> {
    let mut command = cargo::command();
    command.arg("test").args(crates);
    setup::lint_by(&mut command)?;
    Ok(command)
}

/// `cargo test` of all that, compiled for speed; not by the linter, as benchmarks and users compile it.
pub fn released() -> Command {
    let mut command = cargo::command();
    command.args(["test", "--release", "--quiet"]).args(CRATES);
    command
}

/// The program of the benchmarks. Tests are named with it, or crates would settle their features as if there were none.
pub fn benchmarks() -> Result<PathBuf> {
    let mut build = cargo::command();
    build.args(["build", "--release"]).args(CRATES);
    cargo::run(build.args(["--bin", "bench", "--test", "it", "--test", "endurance"]))?;
    Ok(cargo::target_dir()?.join("release/bench"))
}

/// The `docket` that the tests start, compiled if it is not there.
pub fn docket() -> Result<PathBuf> {
    cargo::run(linted()?.args(["--test", "it", "--no-run", "--quiet"]))?;
    build_server::path(false)
}
