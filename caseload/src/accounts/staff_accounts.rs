//! Accounts of staff: made, changed and disabled by whoever runs Docket.

use model::{AccountId, FieldError, Permission, PersonId, Problem, Role, enum_words::is_name, note::Reason};
use queue::Database;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, QueryTrait, sea_query::OnConflict,
};
use serde_json::json;
use unicode_normalization::char::is_combining_mark;

use crate::{
    Result,
    accounts::{
        account::{account_key, record},
        passwords::{HashedPassword, NewPassword},
        system_person::{self, insert_staff},
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
        if name.is_some_and(|name| name.trim().is_empty()) {
            wrong.push(FieldError::new("name", "required", "Enter the name of this person."));
        }
        if wrong.iter().any(|error| error.field == "username") {
            return wrong;
        }
        wrong.extend(not_a_username(&self.username));
        wrong
    }

    /// What others have already, of every field. Who comes first is decided when it is made. A school ID that nobody has is that of
    /// somebody new only if that was said.
    pub async fn taken(&self, db: &Database, may_be_new: bool) -> Result<Vec<FieldError>> {
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
            None if !may_be_new => wrong.push(of_nobody()),
            _ => {}
        }
        Ok(wrong)
    }
}

/// What a username can have in it beside letters and digits: what folding keeps, so that what was chosen is what is kept.
const SIGNS: [char; 5] = ['.', '-', '_', '@', '+'];

/// What is wrong with a username that is about to be made. Those that are there already sign in as ever.
fn not_a_username(typed: &str) -> Option<FieldError> {
    let typed = typed.trim();
    let wrong = |code: &str, message: String| Some(FieldError::new("username", code, message));
    if typed.is_empty() {
        return wrong("required", "Enter a username.".to_owned());
    }
    let key = account_key(typed);
    let is_known = |c: &char| c.is_whitespace() || c.is_alphanumeric() || SIGNS.contains(c) || is_combining_mark(*c);
    let odd = typed.chars().find(|c| !is_known(c));
    let without = match (typed.contains(char::is_whitespace) || (odd.is_none() && key.contains(' ')), odd) {
        (true, Some(odd)) => Some(format!("the spaces and “{odd}”")),
        (true, None) => Some("the spaces".to_owned()),
        (false, Some(odd)) => Some(format!("“{odd}”")),
        (false, None) => None,
    };
    if let Some(without) = without {
        return wrong("invalid", format!("Leave out {without}."));
    }
    match key.contains(char::is_alphanumeric) {
        true => None,
        false => wrong("invalid", "Use at least one letter or digit.".to_owned()),
    }
}

fn username_taken() -> FieldError {
    FieldError::new("username", "taken", "There is already an account with that username. Choose another one.")
}

fn school_id_taken() -> FieldError {
    FieldError::new("schoolId", "taken", "The person with that school ID already has an account.")
}

fn of_nobody() -> FieldError {
    let message = "Nobody in Docket has that school ID. Correct it, leave it empty, or say below that it is new.";
    FieldError::new("schoolId", "unknown", message)
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
        let mut detail = json!({ "username": username, "role": new.role, "schoolId": school_id });
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

/// Gives an account another username, unless it never had the former one. A refusal is said to whoever asks for it.
pub async fn rename(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: AccountId,
    (former, new): (&str, &str),
) -> Result<Result<(), Problem>, DbErr> {
    let (former, key) = (account_key(former), account_key(new));
    let found = account::Entity::find_by_id(id).one(txn).await?;
    if key == former || found.is_none_or(|account| account.username != former) {
        return Ok(Ok(()));
    }
    let taken = account::Entity::find().filter(account::Column::Username.eq(&key)).one(txn).await?;
    if let Some(wrong) = not_a_username(new).or(taken.map(|_| username_taken())) {
        return Ok(Err(Problem::fields(vec![wrong])));
    }
    let renamed = account::Entity::update_many()
        .col_expr(account::Column::Username, key.into())
        .col_expr(account::Column::ModifiedDate, db.instant())
        .filter(account::Column::PersonId.eq(id));
    match txn.execute_raw(db.build(&renamed.into_query())).await {
        // Somebody else got it a moment ago.
        Err(error) if queue::is_refusal(&error) => Ok(Err(Problem::fields(vec![username_taken()]))),
        renamed => Ok(Ok(renamed.map(drop)?)),
    }
}

/// Has the owner of an account be called by this first and last name.
pub async fn call(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: AccountId,
    (first, last): &(String, String),
) -> Result<(), DbErr> {
    system_person::rename(db, txn, id.person(), first, last).await
}
