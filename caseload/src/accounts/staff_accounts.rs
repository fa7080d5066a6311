//! Accounts of staff: made, changed and disabled by whoever runs Docket.

use model::{AccountId, FieldError, Permission, PersonId, Problem, Role, enum_words::is_name, note::Reason};
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

impl NewAccount {
    /// What is wrong with it as it was entered, of every field.
    pub fn mistakes(&self) -> Vec<FieldError> {
        let (name, school_id) = (self.name.as_deref(), self.school_id.as_deref());
        let texts = [("username", Some(self.username.as_str())), ("name", name), ("schoolId", school_id)];
        let mut wrong = Vec::new();
        for (field, text) in texts.into_iter().filter_map(|(field, text)| Some((field, text?))) {
            if text.chars().nth(LONGEST).is_some() {
                wrong.push(FieldError::new(field, "too_long", format!("Use at most {LONGEST} characters.")));
            } else if !is_name(text, LONGEST) {
                wrong.push(FieldError::new(field, "invalid", "Remove the characters that cannot be seen."));
            }
        }
        if wrong.iter().any(|error| error.field == "username") {
            return wrong;
        }
        let username = account_key(&self.username);
        if username.is_empty() || username.contains(' ') {
            let message = "Choose a username of one word, in letters and digits.";
            wrong.push(FieldError::new("username", "invalid", message));
        }
        wrong
    }

    /// What others have already, of every field. Who comes first is decided when it is made.
    pub async fn taken(&self, db: &Database) -> Result<Vec<FieldError>> {
        let mut wrong = Vec::new();
        let username = account_key(&self.username);
        let reader = db.reader();
        if account::Entity::find().filter(account::Column::Username.eq(&username)).one(reader).await?.is_some() {
            wrong.push(username_taken());
        }
        let Some(school_id) = &self.school_id else { return Ok(wrong) };
        let person = person::Entity::find().filter(person::Column::SchoolId.eq(school_id)).select_only();
        let person: Option<(PersonId, bool)> =
            person.column(person::Column::Id).column(person::Column::Student).into_tuple().one(reader).await?;
        match person {
            Some((_, true)) => wrong.push(of_a_student()),
            Some((id, false)) if account::Entity::find_by_id(id.account()).one(reader).await?.is_some() => {
                wrong.push(school_id_taken());
            }
            _ => {}
        }
        Ok(wrong)
    }
}

fn username_taken() -> FieldError {
    FieldError::new("username", "taken", "There is already an account with that username. Choose another one.")
}

fn school_id_taken() -> FieldError {
    FieldError::new("schoolId", "taken", "The person with that school ID already has an account.")
}

fn of_a_student() -> FieldError {
    let message = "That school ID belongs to a student. Enter one of a member of staff, or leave it empty.";
    FieldError::new("schoolId", "student", message)
}

impl Ready {
    pub async fn of(new: NewAccount) -> Result<Ready> {
        let wrong = new.mistakes();
        if !wrong.is_empty() {
            return Err(Problem::fields(wrong).into());
        }
        let username = account_key(&new.username);
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
            return Err(Problem::fields(vec![username_taken()]).into());
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
            return Err(Problem::fields(vec![school_id_taken()]).into());
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
        return Err(Problem::fields(vec![of_a_student()]).into());
    }
    Ok(id)
}
