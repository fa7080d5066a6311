//! `docket user`: accounts of staff. There are none to begin with.

use std::io::BufRead;

use anyhow::{Context, Result, ensure};
use caseload::NewAccount;
use clap::Subcommand;
use model::Role;

use super::{answer::say, said};
use crate::{config::Config, run, secret};

#[derive(Subcommand)]
pub enum User {
    /// Add an account
    Add {
        username: String,
        /// coach, manager or administrator
        #[arg(long)]
        role: Role,
        /// The person's name, as "First Last"
        #[arg(long)]
        name: Option<String>,
        /// The school id of a person who is there already
        #[arg(long)]
        school_id: Option<String>,
        /// Read the password from standard input instead of making one up
        #[arg(long)]
        password_stdin: bool,
    },
    /// Set a new password, and end every session of the account
    Passwd {
        username: String,
        /// Read the password from standard input instead of making one up
        #[arg(long)]
        password_stdin: bool,
    },
    /// Keep somebody out, at once
    Disable { username: String },
    /// Issue a bearer token for the API; it is shown once
    Token { username: String },
}

impl User {
    pub async fn run(self, config: &Config) -> Result<()> {
        let caseload = run::open(config).await?;
        match self {
            User::Add { username, role, name, school_id, password_stdin } => {
                let password = password(password_stdin)?;
                let account = NewAccount { username: username.clone(), role, name, school_id, password: password.text };
                caseload.add_account(account).await.map_err(said)?;
                say(format_args!("added {username}"));
                password.shown.iter().for_each(|password| say(format_args!("password: {password}")));
            }
            User::Passwd { username, password_stdin } => {
                let password = password(password_stdin)?;
                caseload.set_password(&username, &password.text).await.map_err(said)?;
                say(format_args!("changed the password of {username}"));
                password.shown.iter().for_each(|password| say(format_args!("password: {password}")));
            }
            User::Disable { username } => {
                caseload.disable_account(&username).await.map_err(said)?;
                say(format_args!("disabled {username}"));
            }
            User::Token { username } => say(caseload.issue_token(&username).await.map_err(said)?),
        }
        Ok(())
    }
}

/// A password, and its text once more if nobody but us knows it.
struct Password {
    text: String,
    shown: Option<String>,
}

fn password(from_stdin: bool) -> Result<Password> {
    if !from_stdin {
        let made_up = secret::password();
        return Ok(Password { text: made_up.clone(), shown: Some(made_up) });
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).context("cannot read the password")?;
    let text = line.trim_end_matches(['\r', '\n']).to_owned();
    ensure!(!text.is_empty(), "there is no password on standard input");
    Ok(Password { text, shown: None })
}
