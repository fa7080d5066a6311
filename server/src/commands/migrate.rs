//! `docket migrate`.

use anyhow::{Context, Result};

use crate::config::Config;

pub async fn run(config: &Config) -> Result<()> {
    migration::up(&config.database_url).await.context("cannot bring the database to the newest schema")?;
    println!("the database has the newest schema");
    Ok(())
}
