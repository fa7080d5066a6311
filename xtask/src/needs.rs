//! What tests need beside themselves: PostgreSQL and a folder, made by the first that needs them and taken away after the last.

use crate::{postgres, scratch::Scratch};
use anyhow::{Context, Result};
use std::process::Command;

#[derive(Default)]
pub struct Needs {
    cluster: Option<postgres::Cluster>,
    scratch: Option<Scratch>,
}

impl Needs {
    /// Tells a program that runs tests where PostgreSQL is and where temporary files go.
    pub fn serve<'a>(&mut self, program: &'a mut Command) -> Result<&'a mut Command> {
        let url = self.postgres()?;
        if self.scratch.is_none() {
            self.scratch = Some(Scratch::new()?);
        }
        let folder = self.scratch.as_ref().map(|scratch| scratch.path().to_owned()).unwrap_or_default();
        Ok(program.env(postgres::URL, url).env("TMPDIR", folder))
    }

    fn postgres(&mut self) -> Result<String> {
        if let Some(url) = postgres::given() {
            return Ok(url);
        }
        if self.cluster.is_none() {
            self.cluster = Some(postgres::Cluster::start().context("PostgreSQL")?);
        }
        Ok(self.cluster.as_ref().map(|cluster| cluster.url.clone()).unwrap_or_default())
    }
}
