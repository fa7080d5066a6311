//! The program that binds, minifies and compresses, whose libraries would have everybody wait for this one.

use crate::{bundle_names, cargo};
use anyhow::Result;
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// The name of its package.
pub const PACKAGE: &str = "bundler";

/// It, compiled once in the life of this program.
pub struct Bundler(PathBuf);

impl Bundler {
    /// Compiles it if that was not done yet. May be called beside anything that cargo compiles with another profile.
    pub fn ready() -> Result<&'static Bundler> {
        static BUNDLER: OnceLock<Bundler> = OnceLock::new();
        if let Some(bundler) = BUNDLER.get() {
            return Ok(bundler);
        }
        cargo::cargo(["build", "--quiet", "--package", PACKAGE])?;
        let path = cargo::target_dir()?.join("debug").join(PACKAGE);
        Ok(BUNDLER.get_or_init(|| Bundler(path)))
    }

    /// Writes what the browser loads of a compiled module, and the script that loads it.
    ///
    /// # Errors
    /// When that is no module, or does not fit the library that binds it.
    pub fn bind(&self, module: &Path, out: &Path, release: bool) -> Result<()> {
        let mut bind = self.command("bind", [module, out]);
        bind.args(["--name", bundle_names::PACKAGE]).args(release.then_some("--release"));
        cargo::run(&mut bind)
    }

    /// Writes a stylesheet with everything it imports, minified.
    ///
    /// # Errors
    /// When a file is missing or is not CSS; the message names file, line and column.
    pub fn style(&self, entry: &Path, out: &Path) -> Result<()> {
        cargo::run(&mut self.command("style", [entry, out]))
    }

    /// Writes `FILE.gz` and `FILE.br` beside each file.
    ///
    /// # Errors
    /// When one cannot be read or written.
    pub fn compress(&self, files: &[PathBuf]) -> Result<()> {
        cargo::run(&mut self.command("compress", files))
    }

    fn command<P: AsRef<Path>>(&self, task: &str, paths: impl IntoIterator<Item = P>) -> Command {
        let mut command = Command::new(&self.0);
        command.arg(task).current_dir(cargo::root());
        for path in paths {
            command.arg(path.as_ref());
        }
        command
    }
}
