//! `docket migrate`.

use anyhow::{Context, Result};
use clap::Args;
use migration::SchemaState;

use super::answer::say;
use crate::{config::Config, process::preflight, process::schema_version};

#[derive(Args)]
pub struct Migrate {
    /// Only say what would happen
    #[arg(long)]
    check: bool,
}

impl Migrate {
    pub async fn run(self, config: &Config) -> Result<()> {
        if self.check {
            return check(config).await;
        }
        preflight::may_write(&config.database_url)?;
        migration::up(&config.database_url).await.context("cannot bring the database to the newest schema")?;
        say(schema_version::in_words(&SchemaState::Newest));
        Ok(())
    }
}

async fn check(config: &Config) -> Result<()> {
    preflight::may_read(&config.database_url)?;
    let is_missing = queue::file_of(&config.database_url).is_some_and(|file| !file.exists());
    let state = match is_missing {
        true => SchemaState::Empty,
        false => migration::schema_state(schema_version::look(&config.database_url).await?.reader()).await?,
    };
    say(schema_version::in_words(&state));
    if let SchemaState::Older(steps) = state {
        steps.iter().for_each(|step| say(format_args!("  {step}")));
    }
    Ok(())
}
