//! A demo: made-up people and accounts with new passwords, on a database that holds nothing else.

use model::{AccountId, Conflict, Problem, Role};
use sea_orm::ConnectionTrait;

use crate::{
    Caseload, NewAccount, NewPassword, Result, SYSTEM_PERSON,
    accounts::{account::by_username, passwords::hashing::KNOWN, staff_accounts::ensure_staff},
    generate,
};

/// By the school id of its accounts a demo knows the database that it filled itself.
const MARK: &str = "DEMO-";
/// Every demo is about the same people.
const SEED: u64 = 1;
/// Coaches beside the one who can sign in, so that a caseload is a part of the whole.
const COLLEAGUES: [&str; 5] = ["Mia Sørbø", "Rosa Vásquez", "Tomo Ishikawa", "Anna Prager", "Luka Žagar"];

impl Caseload {
    /// Adds the accounts, or gives those that are there their new passwords, and makes up `people` around them. Refused
    /// where anybody else's data is.
    pub async fn fill_demo(&self, accounts: Vec<NewAccount>, people: u64) -> Result<()> {
        if is_in_use(self).await? {
            let detail = "This database holds data that no demo has made. Give the demo a database of its own.";
            return Err(Problem::conflict(Conflict::IN_USE, detail).into());
        }
        let mut coaches = Vec::new();
        for account in accounts {
            let coaches_people = account.role == Role::Coach;
            // The accounts come first: their mark lets a start that was cut off go on.
            let person_id = demo_account(self, account).await?;
            coaches.extend(coaches_people.then_some(person_id.person()));
        }
        let txn = self.db().begin_write().await?;
        for (number, name) in (1..).zip(COLLEAGUES) {
            coaches.push(ensure_staff(self.db(), &txn, &format!("{MARK}{number}"), name).await?);
        }
        self.db().commit(txn).await?;
        generate::generate(self.db(), people, SEED, self.db().now().await?, &coaches).await?;
        Ok(())
    }
}

async fn demo_account(caseload: &Caseload, account: NewAccount) -> Result<AccountId> {
    match by_username(caseload.db().reader(), &account.username).await? {
        Some(found) => {
            if let NewPassword::Shown(password) = &account.password
                && KNOWN.verify(password.clone(), found.password_hash).await?
            {
                // Whoever is signed in stays so.
                return Ok(found.person_id);
            }
            caseload.by_command().set_password(&account.username, account.password).await?;
            Ok(found.person_id)
        }
        None => {
            let school_id = Some(format!("{MARK}{}", account.username.to_uppercase()));
            caseload.by_command().add(NewAccount { school_id, ..account }).await
        }
    }
}

/// Whether there are people, and none of a demo.
async fn is_in_use(caseload: &Caseload) -> Result<bool> {
    let statement = caseload.db().statement(
        "SELECT EXISTS (SELECT 1 FROM person WHERE id <> $1)
            AND NOT EXISTS (SELECT 1 FROM person WHERE school_id LIKE $2 AND NOT student) AS in_use",
        [SYSTEM_PERSON.into(), format!("{MARK}%").into()],
    );
    let row = caseload.db().reader().query_one_raw(statement).await?;
    Ok(row.map(|row| row.try_get("", "in_use")).transpose()?.unwrap_or(true))
}
