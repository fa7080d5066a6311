//! What tests need beside themselves: PostgreSQL and a folder, made by the first that needs them and taken away after the last.

use crate::{
    cargo, postgres,
    scratch::{self, Scratch},
};
use anyhow::{Context, Result};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

#[derive(Default)]
pub struct Needs {
    for_measuring: bool,
    cluster: Option<postgres::Cluster>,
    scratch: Option<Scratch>,
}

impl Needs {
    /// What measurements need: databases that lie on a disk and wait for it, as those of people do.
    pub fn for_measuring() -> Needs {
        Needs { for_measuring: true, ..Needs::default() }
    }

    /// Tells a program that runs tests where PostgreSQL is and where temporary files go.
    pub fn serve<'a>(&mut self, program: &'a mut Command) -> Result<&'a mut Command> {
        let url = self.postgres()?;
        let folder = self.folder()?;
        Ok(program.env(postgres::URL, url).env("TMPDIR", folder))
    }

    /// A file for SQLite and an empty database of PostgreSQL, for this name alone.
    pub fn databases(&mut self, name: &str) -> Result<[String; 2]> {
        let server = self.postgres()?;
        let (front, _) = server.rsplit_once('/').context("the URL of PostgreSQL names no database")?;
        let programs = postgres::programs().context("PostgreSQL is not installed")?;
        let program = |program: &str| {
            let mut command = Command::new(programs.join(program));
            command.args(["--maintenance-db", &server]);
            command
        };
        cargo::run(program("dropdb").args(["--if-exists", "--force", name]))?;
        cargo::run(program("createdb").arg(name))?;
        let file = self.folder()?.join(format!("{name}.db"));
        Ok([format!("sqlite://{}", file.display()), format!("{front}/{name}")])
    }

    fn folder(&mut self) -> Result<&Path> {
        if self.scratch.is_none() {
            self.scratch = Some(Scratch::within(&self.parent())?);
        }
        self.scratch.as_ref().map(Scratch::path).context("there is no folder")
    }

    fn parent(&self) -> PathBuf {
        if self.for_measuring { PathBuf::from(scratch::DISK) } else { scratch::parent() }
    }

    fn postgres(&mut self) -> Result<String> {
        if let Some(url) = postgres::given() {
            return Ok(url);
        }
        if self.cluster.is_none() {
            let started = postgres::Cluster::start(&self.parent(), self.for_measuring);
            self.cluster = Some(started.context("PostgreSQL")?);
        }
        Ok(self.cluster.as_ref().map(|cluster| cluster.url.clone()).unwrap_or_default())
    }
}
