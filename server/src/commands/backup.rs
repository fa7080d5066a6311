//! `docket backup`: a copy of the database, while Docket is serving from it.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use queue::{Clock, Database};

use super::answer::say;
use crate::{config::Config, process::preflight, process::schema_version};

#[derive(Args)]
pub struct Backup {
    /// The file to write; it must not exist
    file: PathBuf,
}

impl Backup {
    pub async fn run(self, config: &Config) -> Result<()> {
        let at = self.file.display();
        if self.file.exists() {
            bail!("{at} already exists");
        }
        preflight::may_write(&config.database_url)?;
        let db = Database::connect(&config.database_url, Clock::default(), 1).await;
        let db = db.map_err(schema_version::plainly).context("cannot open the database")?;
        queue::backup(&db, &self.file).await.with_context(|| format!("cannot write {at}"))?;
        db.close().await.context("cannot close the database")?;
        // A backup that is not on the disk is none.
        std::fs::File::open(&self.file)
            .and_then(|copy| copy.sync_all())
            .with_context(|| format!("cannot write {at}"))?;
        say(format_args!("backed up to {at}"));
        Ok(())
    }
}
