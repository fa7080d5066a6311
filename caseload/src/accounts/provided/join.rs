//! Whose account somebody has whom a provider let in: the one that is theirs, one that an administrator made for them, or a new one.

use std::net::IpAddr;

use model::{AccountId, FieldError, Problem, Role, account::LinkBy};
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryTrait, sea_query::OnConflict,
};
use serde_json::json;

use super::{AccountRule, ProvidedPerson, ProvidedRole, refusals};
use crate::{
    Error, NewAccount, NewPassword, Result,
    accounts::{
        account::{by_username, record},
        passwords::rule::PasswordRule,
        staff_accounts::Ready,
    },
    audit::entry::By,
    entity::accounts::{
        account,
        account_identity::{Column, Entity, Model},
    },
    people::fold,
};

/// The longest subject and issuer, in bytes: what OpenID Connect allows, and what fits into an index.
const LONGEST: usize = 255;

/// The account that is this subject's.
pub(super) async fn linked(
    connection: &impl ConnectionTrait,
    issuer: &str,
    subject: &str,
) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id((issuer.to_owned(), subject.to_owned())).one(connection).await
}

/// Theirs, linked or made now if it has to be. A refusal is said to them; nothing of what was written before it may stay.
pub(super) async fn account_of(
    db: &Database,
    txn: &impl ConnectionTrait,
    person: &ProvidedPerson,
    (rule, passwords): (&AccountRule, &PasswordRule),
    source: Option<IpAddr>,
) -> Result<Result<Model, Problem>> {
    if [&person.issuer, &person.subject].iter().any(|text| text.is_empty() || text.len() > LONGEST) {
        return Ok(Err(refusals::not_named()));
    }
    if let Some(identity) = linked(txn, &person.issuer, &person.subject).await? {
        if is_last_resort(txn, passwords, identity.person_id).await? {
            return Ok(Err(refusals::last_resort()));
        }
        touch(db, txn, &identity).await?;
        return Ok(Ok(identity));
    }
    let by = |account| By::LetIn { account: Some(account), provider: &person.provider, source };
    let account = match made_for(db, txn, person, rule.link_by).await? {
        Some(account) if is_last_resort(txn, passwords, account).await? => return Ok(Err(refusals::last_resort())),
        Some(account) => {
            let other = Entity::find().filter(Column::PersonId.eq(account)).filter(Column::Issuer.eq(&*person.issuer));
            if other.one(txn).await?.is_some() {
                return Ok(Err(refusals::somebody_elses()));
            }
            let detail = json!({ "provider": person.provider });
            record(db, txn, by(account), "account.join", account, detail).await?;
            account
        }
        None if !rule.create => return Ok(Err(refusals::nobody())),
        None if person.role == ProvidedRole::Missing => return Ok(Err(refusals::without_role())),
        None => match make(db, txn, person, rule, source).await? {
            Ok(account) => account,
            Err(problem) => return Ok(Err(problem)),
        },
    };
    let row = [
        (Column::Issuer, person.issuer.as_str().into()),
        (Column::Subject, person.subject.as_str().into()),
        (Column::PersonId, account.into()),
        (Column::Provider, person.provider.as_str().into()),
        (Column::RoleGone, false.into()),
        (Column::CreatedDate, db.instant()),
        (Column::UsedDate, db.instant()),
    ];
    // Somebody may come for the first time twice at once.
    let written = row_of(Entity, row).on_conflict(OnConflict::new().do_nothing().to_owned()).to_owned();
    txn.execute_raw(db.build(&written)).await?;
    let identity = linked(txn, &person.issuer, &person.subject).await?;
    Ok(identity.filter(|identity| identity.person_id == account).ok_or_else(refusals::at_once))
}

/// Whether it is the account that stays open whatever a provider or the directory says.
pub async fn is_last_resort(
    connection: &impl ConnectionTrait,
    passwords: &PasswordRule,
    account: AccountId,
) -> Result<bool, DbErr> {
    let found = account::Entity::find_by_id(account).one(connection).await?;
    Ok(found.is_some_and(|account| passwords.is_last_resort(&account.username)))
}

/// Notes that they came by it.
async fn touch(db: &Database, txn: &impl ConnectionTrait, identity: &Model) -> Result<(), DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::UsedDate, db.instant())
        .filter(Column::Issuer.eq(&identity.issuer))
        .filter(Column::Subject.eq(&identity.subject));
    txn.execute_raw(db.build(&used.into_query())).await.map(drop)
}

/// The account that an administrator made for them. A name or an address counts to the letter, but for capitals: two that only a search
/// takes for the same are those of two people.
async fn made_for(
    db: &Database,
    txn: &impl ConnectionTrait,
    person: &ProvidedPerson,
    link_by: LinkBy,
) -> Result<Option<AccountId>> {
    Ok(match (link_by, &person.username, &person.address) {
        (LinkBy::Username, Some(username), _) => by_username(txn, username)
            .await?
            .filter(|account| account.username == username.to_lowercase())
            .map(|account| account.person_id),
        (LinkBy::Email, _, Some(address)) => of_address(db, txn, address).await?,
        _ => None,
    })
}

/// The one account whose owner has this address.
pub async fn of_address(db: &Database, txn: &impl ConnectionTrait, address: &str) -> Result<Option<AccountId>> {
    let sql = "SELECT a.person_id, p.primary_email FROM account a JOIN person p ON p.id = a.person_id
               WHERE p.email_key = $1 ORDER BY a.person_id LIMIT 2";
    let found = txn.query_all_raw(db.statement(sql, [fold::key(address).into()])).await?;
    let [one] = found.as_slice() else { return Ok(None) };
    let theirs: Option<String> = one.try_get("", "primary_email")?;
    let is_same = theirs.is_some_and(|theirs| theirs.to_lowercase() == address.to_lowercase());
    Ok(if is_same { Some(one.try_get("", "person_id")?) } else { None })
}

/// A new one, without a password.
async fn make(
    db: &Database,
    txn: &impl ConnectionTrait,
    person: &ProvidedPerson,
    rule: &AccountRule,
    source: Option<IpAddr>,
) -> Result<Result<AccountId, Problem>> {
    let Some(username) = person.username.clone().or_else(|| person.address.clone()) else {
        return Ok(Err(refusals::not_made(&[FieldError::new(
            "username",
            "required",
            "The provider did not send a username.",
        )])));
    };
    let role = match person.role {
        ProvidedRole::Given(role) => role,
        ProvidedRole::GivenHere | ProvidedRole::Missing => rule.new_role,
    };
    // Whoever comes first would otherwise end the link by which an administrator is made.
    if role != Role::Administrator && account::Entity::find().count(txn).await? == 0 {
        return Ok(Err(refusals::not_set_up()));
    }
    let new = NewAccount {
        username,
        role,
        name: person.name.clone(),
        school_id: person.school_id.clone(),
        password: NewPassword::Nothing,
    };
    let made = match Ready::of(new).await {
        Ok(ready) => ready.insert(db, txn, By::LetIn { account: None, provider: &person.provider, source }, None).await,
        Err(error) => Err(error),
    };
    match made {
        Ok(account) => Ok(Ok(account)),
        Err(Error::Refused(problem)) => Ok(Err(refusals::not_made(&problem.errors))),
        Err(error) => Err(error),
    }
}
