//! The commands of `docket`: one file each. Answers go to standard output; errors to standard error with exit 1, and what
//! clap cannot read with exit 2.

mod answer;
mod backup;
mod config;
mod directory;
mod lock;
mod migrate;
mod people;
pub(crate) mod refusals;
mod serve;
mod task;
mod user;

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use tracing::Level;

use crate::{config::Config, process::telemetry};

/// Acts on many students at once, and shows what happened to each.
#[derive(Parser)]
#[command(name = "docket", version)]
struct Docket {
    /// The settings file, instead of docket.toml in this folder
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the pages and the API, and run tasks
    Serve(serve::Serve),
    /// Upgrade the database, or show what that would do
    Migrate(migrate::Migrate),
    /// Import people from a file, or generate made-up ones
    #[command(subcommand)]
    People(people::PeopleCommand),
    /// Add and change accounts of staff
    #[command(subcommand)]
    User(user::User),
    /// Create and revoke tokens for the directory that provisions staff (SCIM)
    #[command(subcommand)]
    Directory(directory::DirectoryCommand),
    /// Show every setting, its value and where it came from; secrets are hidden
    Config(config::ConfigCommand),
    /// List, hold or release the locks
    #[command(subcommand)]
    Lock(lock::LockCommand),
    /// Copy a SQLite database to a file, while it is in use
    Backup(backup::Backup),
    /// List, show, retry or close tasks
    #[command(subcommand)]
    Task(task::TaskCommand),
}

/// Runs the command that was asked for.
pub fn main() -> ExitCode {
    // Before anything is made: people's data is for this account alone.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let docket = Docket::parse();
    // A server tells what it does; a command answers, and complains only.
    let default = if matches!(docket.command, Command::Serve(_)) { Level::INFO } else { Level::WARN };
    match run(docket, default) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line: what was tried, then why it failed.
            eprintln!("docket: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(docket: Docket, default: Level) -> Result<()> {
    let settings = Config::load(docket.config.as_deref())?;
    telemetry::start(crate::config::log_filter(), default, settings.log);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        match docket.command {
            Command::Serve(serve) => serve.run(settings).await,
            Command::Migrate(migrate) => migrate.run(&settings).await,
            Command::People(people) => people.run(&settings).await,
            Command::User(user) => user.run(&settings).await,
            Command::Directory(directory) => directory.run(&settings).await,
            Command::Config(asked) => asked.run(&settings),
            Command::Backup(backup) => backup.run(&settings).await,
            Command::Lock(lock) => lock.run(&settings).await,
            Command::Task(task) => task.run(&settings).await,
        }
    })
}
