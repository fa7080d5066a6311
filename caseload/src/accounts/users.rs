//! Accounts of staff: made, changed and disabled by whoever runs Docket.

use model::{AccountId, Permission, PersonId, Problem, Role, note::Reason, text::is_name};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryTrait};
use serde_json::json;

use crate::accounts::system_person::insert_staff;
use crate::{
    Actor, Result,
    accounts::credentials::{self, Ways},
    accounts::passwords::{HashedPassword, NewPassword},
    audit::entry::{self, By, Entry},
    caseload::Accounts,
    entity::{
        accounts::{account, setup_link},
        person_name,
    },
    people::fold::fold,
};

/// The longest username, name and school id of an account, in characters.
const LONGEST: usize = 100;

/// An account to be.
#[derive(Clone, Debug)]
pub struct NewAccount {
    pub username: String,
    pub role: Role,
    /// `First Last`; the username when absent.
    pub name: Option<String>,
    /// Taken from the username when absent.
    pub school_id: Option<String>,
    pub password: NewPassword,
}

impl Accounts<'_> {
    /// Whether anybody can sign in at all.
    pub async fn are_there(self) -> Result<bool> {
        Ok(account::Entity::find().count(self.db().reader()).await? > 0)
    }

    /// Makes an account, and its person if nobody has that school id yet.
    pub async fn add(self, new: NewAccount) -> Result<AccountId> {
        let ready = Ready::of(new).await?;
        let txn = self.db().begin_write().await?;
        let person_id = ready.insert(self.db(), &txn, By::Command, None).await?;
        self.db().commit(txn).await?;
        Ok(person_id)
    }

    /// Sets a password, by command, and ends every session and token of the account.
    pub async fn set_password(self, username: &str, password: NewPassword) -> Result<()> {
        let db = self.db();
        let account = by_username(db.reader(), username).await?.ok_or_else(|| no_account(username))?;
        let name = person_name(db.reader(), account.person_id.person()).await?.unwrap_or_default();
        let password = password.hashed(&account.username, &name).await?;
        let txn = db.begin_write().await?;
        let ended = credentials::set_password(db, &txn, account.person_id, password).await?;
        let detail = json!({ "tokens": ended.tokens });
        record(db, &txn, By::Command, "account.password", account.person_id, detail).await?;
        Ok(db.commit(txn).await?)
    }

    /// Changes the actor's own password. Every session and token of theirs ends; the new session version is for the session that
    /// goes on.
    pub async fn change_password(self, actor: &Actor, current: &str, password: &str) -> Result<i32> {
        if !self.is_own_password(actor, current).await? {
            return Err(Problem::field("current", "wrong", "That is not your current password.").into());
        }
        if password == current {
            return Err(Problem::field("password", "same", "Choose another one than you have now.").into());
        }
        let password = NewPassword::Chosen(password.to_owned()).hashed(&actor.username, &actor.name).await?;
        let (db, txn) = (self.db(), self.db().begin_write().await?);
        let ended = credentials::set_password(db, &txn, actor.person_id, password).await?;
        let detail = json!({ "tokens": ended.tokens });
        record(db, &txn, By::Actor(actor), "account.password", actor.person_id, detail).await?;
        db.commit(txn).await?;
        Ok(ended.session_version)
    }

    /// Disables an account, by command: its sessions and tokens end now, and its tasks at their next chunk.
    pub async fn disable(self, username: &str) -> Result<()> {
        let (db, txn) = (self.db(), self.db().begin_write().await?);
        let account = by_username(&txn, username).await?.ok_or_else(|| no_account(username))?;
        let sql = "UPDATE account SET disabled = TRUE WHERE person_id = $1";
        txn.execute_raw(db.statement(sql, [account.person_id.into()])).await?;
        let ended = credentials::end(db, &txn, account.person_id, Ways::SessionsAndTokens).await?;
        record(db, &txn, By::Command, "account.disable", account.person_id, json!({ "tokens": ended.tokens })).await?;
        Ok(db.commit(txn).await?)
    }
}

/// An account to be that has passed every check which needs no database, with its password hashed.
pub struct Ready {
    new: NewAccount,
    username: String,
    password: HashedPassword,
}

impl Ready {
    pub async fn of(new: NewAccount) -> Result<Ready> {
        let (name, school_id) = (new.name.as_deref(), new.school_id.as_deref());
        let texts = [("username", Some(new.username.as_str())), ("name", name), ("schoolId", school_id)];
        for (field, text) in texts {
            if text.is_some_and(|text| text.chars().nth(LONGEST).is_some()) {
                return Err(Problem::field(field, "too_long", format!("Use at most {LONGEST} characters.")).into());
            }
            if text.is_some_and(|text| !is_name(text, LONGEST)) {
                return Err(Problem::field(field, "invalid", "Use letters, digits and signs that can be seen.").into());
            }
        }
        let username = account_key(&new.username);
        if username.is_empty() || username.contains(' ') {
            return Err(
                Problem::field("username", "invalid", "Choose a username of one word, in letters and digits.").into()
            );
        }
        let name = new.name.as_deref().unwrap_or_default();
        let password = new.password.clone().hashed(&username, name).await?;
        Ok(Ready { new, username, password })
    }

    /// Makes it, and its person if nobody has that school id yet. `by` is whoever makes it.
    pub async fn insert(
        self,
        db: &Database,
        txn: &impl ConnectionTrait,
        by: By<'_>,
        reason: Option<&Reason>,
    ) -> Result<AccountId> {
        let Ready { new, username, password } = self;
        // Whoever still holds the link for the first account comes too late.
        txn.execute_raw(db.build(&setup_link::Entity::delete_many().into_query())).await?;
        let taken = account::Entity::find().filter(account::Column::Username.eq(&username)).one(txn).await?;
        if taken.is_some() {
            return Err(Problem::field("username", "taken", "There is an account with that username already.").into());
        }
        let school_id = new.school_id.clone().unwrap_or_else(|| format!("STAFF-{username}"));
        let name = new.name.as_deref().unwrap_or(&new.username);
        let person_id = ensure_staff(db, txn, &school_id, name).await?.account();
        let made = txn
            .execute_raw(db.statement(
                "INSERT INTO account (person_id, username, password_hash, password_state, role, permissions, disabled,
                    session_version, created_date, modified_date)
                 VALUES ($1, $2, $3, $4, $5, $6, FALSE, 0, {now}, {now}) ON CONFLICT DO NOTHING",
                [
                    person_id.into(),
                    username.clone().into(),
                    password.hash.into(),
                    password.state.name().into(),
                    new.role.name().into(),
                    json!(Permission::usual(new.role)).to_string().into(),
                ],
            ))
            .await?;
        if made.rows_affected() == 0 {
            return Err(
                Problem::field("schoolId", "taken", "The person with that school ID has an account already.").into()
            );
        }
        let mut detail = json!({ "username": username, "role": new.role });
        if let Some(reason) = reason {
            detail["reason"] = json!(reason);
        }
        record(db, txn, by, "account.add", person_id, detail).await?;
        Ok(person_id)
    }
}

/// What two ways of writing a username have in common when they mean the same account.
pub fn account_key(username: &str) -> String {
    fold(username)
}

/// The account of that name, however it is written.
pub async fn by_username(connection: &impl ConnectionTrait, username: &str) -> Result<Option<account::Model>> {
    Ok(account::Entity::find().filter(account::Column::Username.eq(account_key(username))).one(connection).await?)
}

/// The username and the name of everybody with an account, by name.
pub async fn names(db: &Database) -> Result<Vec<(String, String)>> {
    let sql = "SELECT a.username, p.first_name, p.last_name FROM account a JOIN person p ON p.id = a.person_id
         ORDER BY p.sort_key";
    let rows = db.reader().query_all_raw(db.statement(sql, [])).await?;
    let read = |row: &sea_orm::QueryResult| -> Result<(String, String), DbErr> {
        let (first, last): (Option<String>, Option<String>) =
            (row.try_get("", "first_name")?, row.try_get("", "last_name")?);
        let name = format!("{} {}", first.unwrap_or_default(), last.unwrap_or_default()).trim().to_owned();
        let username: String = row.try_get("", "username")?;
        Ok((username.clone(), if name.is_empty() { username } else { name }))
    };
    Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
}

pub fn no_account(username: &str) -> Problem {
    Problem::field("username", "unknown", format!("There is no account “{username}”."))
}

/// The member of staff with that school id, made with that name if there is none.
pub async fn ensure_staff(db: &Database, txn: &impl ConnectionTrait, school_id: &str, name: &str) -> Result<PersonId> {
    let (first, last) = name.trim().rsplit_once(' ').unwrap_or(("", name.trim()));
    insert_staff(db, txn, queue::new_id(), school_id, first, last).await?;
    let row = txn
        .query_one_raw(db.statement("SELECT id, student FROM person WHERE school_id = $1", [school_id.into()]))
        .await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("person".to_owned()))?;
    if row.try_get("", "student")? {
        let message = "That school ID is a student's. Leave it out, or give that of a member of staff.";
        return Err(Problem::field("schoolId", "student", message).into());
    }
    Ok(row.try_get("", "id")?)
}

pub async fn record(
    db: &Database,
    txn: &impl ConnectionTrait,
    by: By<'_>,
    action: &str,
    person_id: AccountId,
    detail: serde_json::Value,
) -> Result<(), DbErr> {
    let object_id = Some(person_id.to_string());
    entry::record(db, txn, Entry { by, action, object_kind: "account", object_id, detail }).await
}
