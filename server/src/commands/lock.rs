//! `docket lock`: the scheduler locks, for operators and tests.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use queue::lock::LockRequest;

use super::{
    answer::say,
    refusals::said,
    task::{operator, print},
};
use crate::{
    config::{Config, duration},
    process::run,
};

#[derive(Subcommand)]
pub enum LockCommand {
    /// List all locks, held and free
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Hold a lock for some time or until Ctrl-C; no process does its work meanwhile
    Hold {
        name: String,
        /// Such as 30s or 5m
        #[arg(long = "for", value_name = "DURATION", value_parser = duration::positive)]
        length: Duration,
    },
    /// Release a lock, when its holder has stopped for good
    Release {
        name: String,
        #[arg(long)]
        reason: String,
    },
}

impl LockCommand {
    pub async fn run(self, config: &Config) -> Result<()> {
        let caseload = match self {
            LockCommand::List { .. } => run::look(config).await?,
            LockCommand::Hold { .. } | LockCommand::Release { .. } => run::open(config).await?,
        };
        let locks = caseload.queue().locks(&format!("{}-command-{}", config.queue.system_id, std::process::id()));
        match self {
            LockCommand::List { json } => {
                let rows = caseload.admin().locks(&operator()).await.map_err(said)?;
                if json {
                    return print(&rows);
                }
                for row in rows {
                    let state = if row.held { "held" } else { "free" };
                    let until = row.lock_until.format("%Y-%m-%d %H:%M:%S UTC");
                    say(format_args!("{}  {state}  until {until}  by {}", row.name, row.holder));
                }
            }
            LockCommand::Hold { name, length } => {
                let request = LockRequest { at_most: length, ..LockRequest::new(&name) };
                let Some(lock) = locks.try_lock(request).await? else { bail!("“{name}” is held by somebody else") };
                say(format_args!("holding {name}"));
                tokio::select! {
                    () = tokio::time::sleep(length) => {}
                    ended = tokio::signal::ctrl_c() => ended.context("cannot wait for Ctrl-C")?,
                }
                let was_ours = lock.release().await?;
                say(format_args!("{name} {}", if was_ours { "is free" } else { "had already ended" }));
            }
            LockCommand::Release { name, reason } => {
                match caseload.admin().release_lock(&operator(), &name, None, &reason).await.map_err(said)? {
                    true => say(format_args!("{name} is free")),
                    false => bail!("nobody holds “{name}”"),
                }
            }
        }
        Ok(())
    }
}
