//! Builds the server's binary.

use crate::cargo;
use anyhow::Result;
use std::path::PathBuf;

/// The path of the freshly built `docket`.
pub fn build(release: bool) -> Result<PathBuf> {
    // Named by its binary and not by its package: cargo then settles features as for whoever calls it without a package, and
    // builds no dependency twice.
    let profile = if release { "release" } else { "dev" };
    cargo::cargo(["build", "--bin", "docket", "--profile", profile])?;
    path(release)
}

/// Where cargo puts `docket`.
pub fn path(release: bool) -> Result<PathBuf> {
    Ok(cargo::target_dir()?.join(if release { "release" } else { "debug" }).join("docket"))
}
