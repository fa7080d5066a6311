//! How the schema of the database stands to this version, in words; and whether another process has brought it to one that
//! this version does not know, as happens while versions are exchanged one process at a time. Then this one does nothing more
//! for the queue; what it runs and serves goes on until it is exchanged itself.

use anyhow::{Context, Result, bail};
use async_trait::async_trait;
use migration::SchemaState;
use queue::{Clock, Database, Gate};
use sea_orm::DbErr;

use crate::process::preflight;

/// Lets a process act as long as it knows the schema.
pub struct KnownSchema(pub Database);

#[async_trait]
impl Gate for KnownSchema {
    async fn obstacle(&self) -> Result<Option<String>, DbErr> {
        let newer = migration::newer(self.0.reader()).await?;
        Ok(newer.map(|step| format!("a newer version has changed the database: {step}")))
    }
}

/// Opens a database that is there, so that nothing can be written to it.
pub async fn look(url: &str) -> Result<Database> {
    preflight::may_read(url)?;
    if queue::file_of(url).is_some_and(|file| !file.exists()) {
        bail!("{}", in_words(&SchemaState::Empty));
    }
    Database::look(url, Clock::default()).await.map_err(plainly).context("cannot open the database")
}

/// What the database said, without the driver's word for it.
pub fn plainly(error: DbErr) -> anyhow::Error {
    match error {
        DbErr::Custom(said) => anyhow::Error::msg(said),
        other => other.into(),
    }
}

/// What the state of the schema means, and what to do about it.
pub fn in_words(state: &SchemaState) -> String {
    match state {
        SchemaState::Empty => {
            "there is no database of Docket yet; `docket migrate` or the first start makes it".to_owned()
        }
        SchemaState::Older(steps) => {
            let steps = model::counted(steps.len() as u64, "step", "steps");
            format!(
                "the database has the schema of an older version: `docket migrate` would take {steps}, and \
                 processes of the older version then start no more tasks"
            )
        }
        SchemaState::Newest => "the database has the newest schema".to_owned(),
        SchemaState::Newer(step) => {
            format!(
                "a newer Docket has brought the database to {step}, which this one does not know: use the newer one"
            )
        }
    }
}
