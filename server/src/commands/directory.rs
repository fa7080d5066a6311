//! `docket directory`: by what the directory of the institution is known, which provisions staff.

use std::time::Duration;

use anyhow::Result;
use clap::Subcommand;

use super::{answer::say, refusals::said};
use crate::{
    config::{Config, duration},
    process::run,
};

#[derive(Subcommand)]
pub enum DirectoryCommand {
    /// Create a token with which the directory can add, change and disable accounts; it is shown once
    Token {
        /// What it is for, such as the name of the directory
        name: String,
        /// How long it lasts, a year at most
        #[arg(long, default_value = "365d", value_parser = duration::positive)]
        expires: Duration,
    },
    /// List the tokens of the directory
    Tokens,
    /// Revoke every token of this name
    Revoke { name: String },
}

impl DirectoryCommand {
    pub async fn run(self, config: &Config) -> Result<()> {
        match self {
            DirectoryCommand::Token { name, expires } => {
                let caseload = run::open(config).await?;
                say(caseload.directory().issue_token(&name, expires).await.map_err(said)?);
            }
            DirectoryCommand::Tokens => {
                for token in run::look(config).await?.directory().tokens().await.map_err(said)? {
                    let ends = if token.expired { "expired" } else { "expires" };
                    let used = match (token.used_date, token.used_from) {
                        (Some(at), Some(from)) => format!("used {at} from {from}"),
                        (Some(at), None) => format!("used {at}"),
                        (None, _) => "never used".to_owned(),
                    };
                    say(format_args!("{}  {ends} {}  {used}", token.name, token.expiry_date));
                }
            }
            DirectoryCommand::Revoke { name } => {
                let caseload = run::open(config).await?;
                match caseload.directory().revoke_tokens(&name).await.map_err(said)? {
                    0 => say(format_args!("there is no token called {name}")),
                    revoked => say(format_args!("revoked {}", model::counted(revoked, "token", "tokens"))),
                }
            }
        }
        Ok(())
    }
}
