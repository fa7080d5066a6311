//! `docket user`: accounts of staff. There are none to begin with.

use std::{io::BufRead, time::Duration};

use anyhow::{Context, Result, ensure};
use caseload::{Caseload, NewAccount, NewPassword, NewToken, Reauthenticated};
use clap::Subcommand;
use model::{AccountId, Permission, Role, account::TokenScope};

use super::{
    answer::say,
    refusals::said,
    task::{operator, print},
};
use crate::{
    auth::password_generator,
    config::{Config, duration},
    process::run,
};

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
        /// The school ID of a member of staff who is already in Docket, or a new one
        #[arg(long)]
        school_id: Option<String>,
        /// Read the password from standard input, instead of printing a one-time password
        #[arg(long)]
        password_stdin: bool,
    },
    /// Set a new password, and end every session and token of the account
    Passwd {
        username: String,
        /// Read the password from standard input, instead of printing a one-time password
        #[arg(long)]
        password_stdin: bool,
    },
    /// List every account
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Disable an account and sign it out now
    Disable { username: String },
    /// Enable a disabled account
    Enable { username: String },
    /// Take an account from whoever signs in to it with an institution, and end its sessions
    Unlink { username: String },
    /// Take the second factor from an account whose owner has lost it, and end its sessions
    ResetSecondFactor { username: String },
    /// Change an account’s role, and give it the usual permissions of that role
    Role {
        username: String,
        /// coach, manager or administrator
        role: Role,
    },
    /// Create an access token for the API; it is shown once
    Token {
        username: String,
        /// The program that it is for
        #[arg(long, default_value = "Created from the command line")]
        name: String,
        /// read, submit or administer: each includes those before it
        #[arg(long, default_value_t = TokenScope::DEFAULT)]
        scope: TokenScope,
        /// How long it lasts, a year at most
        #[arg(long, default_value = "90d", value_parser = duration::positive)]
        expires: Duration,
    },
}

impl User {
    pub async fn run(self, config: &Config) -> Result<()> {
        let caseload = match self {
            User::List { .. } => run::look(config).await?,
            _ => run::open(config).await?,
        };
        match self {
            User::Add { username, role, name, school_id, password_stdin } => {
                let password = password(password_stdin)?;
                let account = NewAccount { username: username.clone(), role, name, school_id, password: password.new };
                caseload.by_command().add(account).await.map_err(said)?;
                say(format_args!("added {username}"));
                print_password(password.shown);
            }
            User::Passwd { username, password_stdin } => {
                let password = password(password_stdin)?;
                caseload.by_command().set_password(&username, password.new).await.map_err(said)?;
                say(format_args!("changed the password of {username}"));
                print_password(password.shown);
            }
            User::List { json } => list(&caseload, json).await?,
            User::Enable { username } => {
                let id = id(&caseload, &username).await?;
                caseload.users().enable(&proven(&caseload).await?, id, BY_COMMAND).await.map_err(said)?;
                say(format_args!("enabled {username}"));
            }
            User::Role { username, role } => {
                let id = id(&caseload, &username).await?;
                let permissions = Permission::default_for(role);
                caseload
                    .users()
                    .change(&proven(&caseload).await?, id, role, &permissions, BY_COMMAND)
                    .await
                    .map_err(said)?;
                say(format_args!("{username} is {} now", role.label().to_lowercase()));
            }
            User::Disable { username } => {
                caseload.by_command().disable(&username).await.map_err(said)?;
                say(format_args!("disabled {username}"));
            }
            User::Unlink { username } => match caseload.by_command().unlink(&username).await.map_err(said)? {
                0 => say(format_args!("nobody signs in to {username} with an institution")),
                _ => say(format_args!("unlinked {username}")),
            },
            User::ResetSecondFactor { username } => {
                match caseload.by_command().reset_second_factor(&username).await.map_err(said)? {
                    true => say(format_args!("{username} signs in without a second factor now")),
                    false => say(format_args!("{username} has no second factor")),
                }
            }
            User::Token { username, name, scope, expires } => {
                let new = NewToken { name, scope, lasts: expires };
                say(caseload.by_command().issue_for(&username, new).await.map_err(said)?);
            }
        }
        Ok(())
    }
}

/// The reason in the audit.
const BY_COMMAND: &str = "from the command line";

async fn list(caseload: &Caseload, json: bool) -> Result<()> {
    let users = caseload.users().list(&operator()).await.map_err(said)?;
    if json {
        return print(&users);
    }
    for user in users {
        let disabled = if user.disabled { "  disabled" } else { "" };
        say(format_args!("{}  {}  {}{disabled}", user.username, user.role, user.name));
    }
    Ok(())
}

/// Whoever keeps the machine, who has no need to prove anything by a password.
async fn proven(caseload: &Caseload) -> Result<Reauthenticated> {
    let now = caseload.db().now().await?;
    caseload.accounts().prove(&operator(), Some(now), None).await.map_err(said)
}

async fn id(caseload: &Caseload, username: &str) -> Result<AccountId> {
    let key = caseload::account_key(username);
    let users = caseload.users().list(&operator()).await.map_err(said)?;
    let found = users.into_iter().find(|user| user.username == key).map(|user| user.person_id);
    found.with_context(|| format!("There is no account “{username}”."))
}

/// Says a password that was made up.
fn print_password(password: Option<String>) {
    if let Some(password) = password {
        say(format_args!("password: {password}"));
        say("It works for one sign-in; then they choose their own.");
    }
}

/// A password, and its text if nobody but us knows it.
struct Password {
    new: NewPassword,
    shown: Option<String>,
}

fn password(from_stdin: bool) -> Result<Password> {
    if !from_stdin {
        let made_up = password_generator::password();
        return Ok(Password { new: NewPassword::ForOnce(made_up.clone()), shown: Some(made_up) });
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).context("cannot read the password")?;
    let text = line.trim_end_matches(['\r', '\n']).to_owned();
    ensure!(!text.is_empty(), "there is no password on standard input");
    // Whoever sets up the machine knows it anyway, and may be its owner.
    Ok(Password { new: NewPassword::Chosen(text), shown: None })
}
