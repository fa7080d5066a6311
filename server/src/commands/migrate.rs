//! `docket migrate`.

use super::answer::say;
use anyhow::{Context, Result};

use crate::config::Config;

pub async fn run(config: &Config) -> Result<()> {
    migration::up(&config.database_url).await.context("cannot bring the database to the newest schema")?;
    say(format_args!("the database has the newest schema"));
    Ok(())
}
