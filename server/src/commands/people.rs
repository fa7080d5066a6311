//! `docket people`: where people come from.

use super::answer::say;
use std::{fs::File, path::PathBuf};

use anyhow::{Context, Result};
use caseload::{
    generate,
    import::{self, Mapping, Report},
};
use clap::Subcommand;

use crate::{config::Config, process::run};

#[derive(Subcommand)]
pub enum PeopleCommand {
    /// Import people from a CSV file; those that are there already are updated
    Import {
        file: PathBuf,
        /// A file that says which column is which field
        #[arg(long, value_name = "MAP.toml")]
        mapping: PathBuf,
    },
    /// Generate made-up people; the same seed gives the same people
    Generate {
        #[arg(long)]
        count: u64,
        #[arg(long)]
        seed: u64,
    },
}

impl PeopleCommand {
    pub async fn run(self, config: &Config) -> Result<()> {
        match self {
            PeopleCommand::Import { file, mapping } => {
                let at = mapping.display().to_string();
                let text = std::fs::read_to_string(&mapping).with_context(|| format!("cannot read {at}"))?;
                let mapping: Mapping = text.parse().with_context(|| at)?;
                let csv = File::open(&file).with_context(|| format!("cannot read {}", file.display()))?;
                let caseload = run::open(config).await?;
                let report = import::import(caseload.db(), csv, &mapping).await;
                print(&report.with_context(|| format!("importing {}", file.display()))?);
            }
            PeopleCommand::Generate { count, seed } => {
                let caseload = run::open(config).await?;
                let (db, now) = (caseload.db(), caseload.db().now().await?);
                let made = generate::generate(db, count, seed, now, &[]).await.context("making people up")?;
                say(format_args!("people generated: {made}"));
            }
        }
        Ok(())
    }
}

/// The numbers on standard output, the bad rows on standard error.
fn print(report: &Report) {
    for bad in &report.bad {
        eprintln!("line {}: {}", bad.line, bad.reason);
    }
    for repeated in &report.repeated {
        eprintln!("line {}: repeated, {}", repeated.line, repeated.reason);
    }
    let unnamed = report.bad_count - report.bad.len() as u64 + report.repeated_count - report.repeated.len() as u64;
    if unnamed > 0 {
        eprintln!("and {unnamed} more");
    }
    say(format_args!(
        "rows: {}; people: {} ({} created, {} updated, {} unchanged); rows refused: {}; rows repeated: {}",
        report.rows,
        report.people,
        report.created,
        report.updated,
        report.unchanged,
        report.bad_count,
        report.repeated_count
    ));
}
