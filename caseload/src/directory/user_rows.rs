//! Users of the directory as rows.

use std::collections::{BTreeSet, HashMap};

use model::{AccountId, DirectoryGroupId, Instant};
use queue::Database;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait},
};

use super::person::DirectoryPerson;
use crate::entity::directory::{
    group, member,
    user::{Column, Entity, Model},
};

/// A user as the directory reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryUser {
    /// That of their account.
    pub id: AccountId,
    pub person: DirectoryPerson,
    /// The groups that they are in, by name.
    pub groups: Vec<(DirectoryGroupId, String)>,
    /// Grows with each change.
    pub version: i64,
    pub created_date: Instant,
    pub modified_date: Instant,
}

/// What the directory has said of somebody.
pub(super) fn person_of(row: &Model) -> DirectoryPerson {
    DirectoryPerson {
        user_name: row.user_name.clone(),
        external_id: row.external_id.clone(),
        given_name: row.given_name.clone(),
        family_name: row.family_name.clone(),
        display_name: row.display_name.clone(),
        email: row.email.clone(),
        active: row.active,
    }
}

/// The user of an account, whose row nobody else changes until the transaction ends.
pub(super) async fn locked(txn: &impl ConnectionTrait, id: AccountId) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id).lock_exclusive().one(txn).await
}

/// Locks the rows of these users, in one order for all.
pub(super) async fn lock_all(
    txn: &impl ConnectionTrait,
    people: impl IntoIterator<Item = AccountId>,
) -> Result<(), DbErr> {
    for id in people.into_iter().collect::<BTreeSet<_>>() {
        locked(txn, id).await?;
    }
    Ok(())
}

/// Whoever was deleted and had this id of the directory's own.
pub(super) async fn gone(txn: &impl ConnectionTrait, external_id: Option<&str>) -> Result<Option<AccountId>, DbErr> {
    let Some(external_id) = external_id else { return Ok(None) };
    let found = Entity::find().filter(Column::Gone.eq(true)).filter(Column::ExternalId.eq(external_id));
    Ok(found.order_by_asc(Column::PersonId).one(txn).await?.map(|row| row.person_id))
}

/// These users, each with their groups.
pub(super) async fn with_groups(
    connection: &impl ConnectionTrait,
    rows: Vec<Model>,
) -> Result<Vec<DirectoryUser>, DbErr> {
    let mut groups: HashMap<AccountId, Vec<(DirectoryGroupId, String)>> = HashMap::new();
    for (person, id, name) in memberships(connection, rows.iter().map(|row| row.person_id).collect()).await? {
        groups.entry(person).or_default().push((id, name));
    }
    let user = |row: Model| DirectoryUser {
        id: row.person_id,
        person: person_of(&row),
        groups: groups.remove(&row.person_id).unwrap_or_default(),
        version: row.version,
        created_date: row.created_date,
        modified_date: row.modified_date,
    };
    Ok(rows.into_iter().map(user).collect())
}

/// Who of these is in which group, by the names of the groups.
async fn memberships(
    connection: &impl ConnectionTrait,
    of: Vec<AccountId>,
) -> Result<Vec<(AccountId, DirectoryGroupId, String)>, DbErr> {
    let members = member::Entity::find().filter(member::Column::PersonId.is_in(of)).all(connection).await?;
    // Each group once: no statement has room for one of each membership.
    let ids: BTreeSet<DirectoryGroupId> = members.iter().map(|member| member.group_id).collect();
    let mut in_it: HashMap<DirectoryGroupId, Vec<AccountId>> = HashMap::new();
    for member in members {
        in_it.entry(member.group_id).or_default().push(member.person_id);
    }
    let groups = group::Entity::find().filter(group::Column::Id.is_in(ids)).order_by_asc(group::Column::NameKey);
    let mut found = Vec::new();
    for group in groups.all(connection).await? {
        let people = in_it.remove(&group.id).unwrap_or_default();
        found.extend(people.into_iter().map(|person| (person, group.id, group.display_name.clone())));
    }
    Ok(found)
}

/// The names of the groups that somebody is in.
pub(super) async fn group_names(connection: &impl ConnectionTrait, of: AccountId) -> Result<Vec<String>, DbErr> {
    Ok(memberships(connection, vec![of]).await?.into_iter().map(|(.., name)| name).collect())
}

/// Writes down a user who was not there.
pub(super) async fn insert(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: AccountId,
    person: &DirectoryPerson,
) -> Result<(), DbErr> {
    let row = [
        (Column::PersonId, id.into()),
        (Column::UserName, person.user_name.as_str().into()),
        (Column::NameKey, person.name_key().into()),
        (Column::ExternalId, person.external_id.clone().into()),
        (Column::GivenName, person.given_name.clone().into()),
        (Column::FamilyName, person.family_name.clone().into()),
        (Column::DisplayName, person.display_name.clone().into()),
        (Column::Email, person.email.clone().into()),
        (Column::Active, person.active.into()),
        (Column::Shut, false.into()),
        (Column::Gone, false.into()),
        (Column::Version, 1_i64.into()),
        (Column::CreatedDate, db.instant()),
        (Column::ModifiedDate, db.instant()),
    ];
    txn.execute_raw(db.build(&queue::row_of(Entity, row))).await.map(drop)
}

/// Writes what the directory says of a user now, who is there again if they were gone.
pub(super) async fn update(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: AccountId,
    person: &DirectoryPerson,
) -> Result<(), DbErr> {
    let changed = Entity::update_many()
        .col_expr(Column::UserName, person.user_name.as_str().into())
        .col_expr(Column::NameKey, person.name_key().into())
        .col_expr(Column::ExternalId, person.external_id.clone().into())
        .col_expr(Column::GivenName, person.given_name.clone().into())
        .col_expr(Column::FamilyName, person.family_name.clone().into())
        .col_expr(Column::DisplayName, person.display_name.clone().into())
        .col_expr(Column::Email, person.email.clone().into())
        .col_expr(Column::Active, person.active.into())
        .col_expr(Column::Gone, false.into())
        .col_expr(Column::Version, Expr::col(Column::Version).add(1))
        .col_expr(Column::ModifiedDate, db.instant())
        .filter(Column::PersonId.eq(id));
    txn.execute_raw(db.build(&changed.into_query())).await.map(drop)
}

/// Writes that the directory has deleted a user. What it said of them goes, but for what finds them again.
pub(super) async fn remove(db: &Database, txn: &impl ConnectionTrait, id: AccountId) -> Result<(), DbErr> {
    let gone = Entity::update_many()
        .col_expr(Column::Gone, true.into())
        .col_expr(Column::Active, false.into())
        .col_expr(Column::Email, Option::<String>::None.into())
        .col_expr(Column::Version, Expr::col(Column::Version).add(1))
        .col_expr(Column::ModifiedDate, db.instant())
        .filter(Column::PersonId.eq(id));
    txn.execute_raw(db.build(&gone.into_query())).await?;
    let memberships = member::Entity::delete_many().filter(member::Column::PersonId.eq(id));
    txn.execute_raw(db.build(&memberships.into_query())).await.map(drop)
}
