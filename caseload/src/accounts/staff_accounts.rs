//! Accounts of staff: made, changed and disabled by whoever runs Docket.

use model::{AccountId, Permission, PersonId, Problem, Role, enum_words::is_name, note::Reason};
use queue::Database;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, QueryTrait, sea_query::OnConflict,
};
use serde_json::json;

use crate::{
    Result,
    accounts::{
        account::{account_key, record},
        passwords::{HashedPassword, NewPassword},
        system_person::insert_staff,
    },
    audit::entry::By,
    entity::{
        accounts::{account, setup_link},
        people::person,
    },
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
                return Err(Problem::field(field, "invalid", "Remove the characters that cannot be seen.").into());
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
            return Err(Problem::field(
                "username",
                "taken",
                "There is already an account with that username. Choose another one.",
            )
            .into());
        }
        let school_id = new.school_id.clone().unwrap_or_else(|| format!("STAFF-{username}"));
        let name = new.name.as_deref().unwrap_or(&new.username);
        let person_id = ensure_staff(db, txn, &school_id, name).await?.account();
        let row = [
            (account::Column::PersonId, person_id.into()),
            (account::Column::Username, username.clone().into()),
            (account::Column::PasswordHash, password.hash.into()),
            (account::Column::PasswordState, password.state.name().into()),
            (account::Column::Role, new.role.name().into()),
            (account::Column::Permissions, json!(Permission::default_for(new.role)).to_string().into()),
            (account::Column::Disabled, false.into()),
            (account::Column::SessionVersion, 0.into()),
            (account::Column::CreatedDate, db.instant()),
            (account::Column::ModifiedDate, db.instant()),
        ];
        let mut entered = queue::row_of(account::Entity, row);
        entered.on_conflict(OnConflict::new().do_nothing().to_owned());
        let made = txn.execute_raw(db.build(&entered)).await?;
        if made.rows_affected() == 0 {
            return Err(
                Problem::field("schoolId", "taken", "The person with that school ID already has an account.").into()
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

/// The member of staff with that school id, made with that name if there is none.
pub async fn ensure_staff(db: &Database, txn: &impl ConnectionTrait, school_id: &str, name: &str) -> Result<PersonId> {
    let (first, last) = name.trim().rsplit_once(' ').unwrap_or(("", name.trim()));
    insert_staff(db, txn, queue::new_id(), school_id, first, last).await?;
    let found = person::Entity::find().filter(person::Column::SchoolId.eq(school_id)).select_only();
    let found: Option<(PersonId, bool)> =
        found.column(person::Column::Id).column(person::Column::Student).into_tuple().one(txn).await?;
    let (id, is_student) = found.ok_or_else(|| DbErr::RecordNotFound("person".to_owned()))?;
    if is_student {
        let message = "That school ID belongs to a student. Enter one of a member of staff, or leave it empty.";
        return Err(Problem::field("schoolId", "student", message).into());
    }
    Ok(id)
}
