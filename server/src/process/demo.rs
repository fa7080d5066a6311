//! `docket serve --demo`: made-up people and three accounts, for a look at Docket on one's own machine.

use anyhow::{Context, Result, ensure};
use caseload::{Caseload, NewAccount, NewPassword};
use model::Role;

use crate::{auth::password_generator, config::Http};

const PEOPLE: u64 = 2_000;
const ACCOUNTS: [(&str, &str, Role); 3] = [
    ("coach", "Paul Nwachukwu", Role::Coach),
    ("manager", "Katrin Lund", Role::Manager),
    ("admin", "Ines Moreau", Role::Administrator),
];

/// What a demo is to be.
pub struct Demo {
    /// Of all accounts; one is made up for each without it.
    pub password: Option<String>,
}

impl Demo {
    /// Fills the database and gives the accounts their passwords: user name and password of each. Refused where others could
    /// reach them, since they are shown to whoever opens the sign-in page.
    pub async fn prepare(self, caseload: &Caseload, http: &Http) -> Result<Vec<(String, String)>> {
        let here = http.listen.ip().is_loopback();
        ensure!(here, "--demo serves this machine only: http.listen must be a loopback address such as 127.0.0.1:3000");
        let mut shown = Vec::new();
        let accounts = ACCOUNTS.map(|(username, name, role)| {
            let password = self.password.clone().unwrap_or_else(password_generator::demo_password);
            shown.push((username.to_owned(), password.clone()));
            NewAccount {
                username: username.to_owned(),
                role,
                name: Some(name.to_owned()),
                school_id: None,
                password: NewPassword::Shown(password),
            }
        });
        caseload.fill_demo(accounts.into(), PEOPLE).await.map_err(crate::commands::refusals::said).context("--demo")?;
        print(&shown);
        Ok(shown)
    }
}

#[expect(clippy::print_stdout, reason = "an answer to whoever started the demo, and no line of the log")]
fn print(accounts: &[(String, String)]) {
    for (username, password) in accounts {
        println!("demo account: {username} / {password}");
    }
}
