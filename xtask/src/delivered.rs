//! The binary as it is delivered, clicked through in a browser while nothing of what it was built from lies where it was.

use crate::{browser, build_server, bundle_names};
use anyhow::{Context, Result};
use std::{fs, path::PathBuf, process::Command};

/// The test of it, on the release binary that is built for it. The bundle is away as long as this lives.
pub struct Delivered {
    pub test: Command,
    away: PathBuf,
}

impl Delivered {
    pub fn build() -> Result<Delivered> {
        let mut test = browser::tests_of(&build_server::build(true)?);
        test.args(["--config", "delivered.config.ts"]);
        let away = bundle_names::dir().with_extension("away");
        fs::rename(bundle_names::dir(), &away).context("could not put the bundle away")?;
        Ok(Delivered { test, away })
    }
}

impl Drop for Delivered {
    fn drop(&mut self) {
        if let Err(error) = fs::rename(&self.away, bundle_names::dir()) {
            eprintln!("{} could not be put back: {error}", self.away.display());
        }
    }
}
