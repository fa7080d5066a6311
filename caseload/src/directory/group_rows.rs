//! Groups of the directory as rows.

use std::collections::HashMap;

use model::{AccountId, DirectoryGroupId, Instant};
use queue::Database;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use super::{group_name::DirectoryGroupName, person::name_key};
use crate::entity::{
    directory::{
        group::{Column, Entity, Model},
        member, user,
    },
    upsert_all,
};

/// How many are asked for by one statement.
const PART: usize = 200;

/// A group as the directory reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryGroup {
    pub id: DirectoryGroupId,
    pub name: DirectoryGroupName,
    /// Those who are in it, with their userName; empty where they were not asked for.
    pub members: Vec<(AccountId, String)>,
    /// Grows with each change.
    pub version: i64,
    pub created_date: Instant,
    pub modified_date: Instant,
}

pub(super) fn name_of(row: &Model) -> DirectoryGroupName {
    DirectoryGroupName { display_name: row.display_name.clone(), external_id: row.external_id.clone() }
}

/// A group, whose row nobody else changes until the transaction ends.
pub(super) async fn locked(txn: &impl ConnectionTrait, id: DirectoryGroupId) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id).lock_exclusive().one(txn).await
}

/// The group of this name, whatever its capitals.
pub(super) async fn of_name(txn: &impl ConnectionTrait, name: &str) -> Result<Option<Model>, DbErr> {
    Entity::find().filter(Column::NameKey.eq(name_key(name))).one(txn).await
}

/// These groups, with their members if those are wanted.
pub(super) async fn read(
    connection: &impl ConnectionTrait,
    rows: Vec<Model>,
    with_members: bool,
) -> Result<Vec<DirectoryGroup>, DbErr> {
    let mut members: HashMap<DirectoryGroupId, Vec<(AccountId, String)>> = HashMap::new();
    if with_members {
        let ids = rows.iter().map(|row| row.id);
        let found = member::Entity::find()
            .filter(member::Column::GroupId.is_in(ids))
            .order_by_asc(member::Column::PersonId)
            .all(connection)
            .await?;
        let names = user_names(connection, found.iter().map(|member| member.person_id)).await?;
        for member in found {
            let Some(name) = names.get(&member.person_id) else { continue };
            members.entry(member.group_id).or_default().push((member.person_id, name.clone()));
        }
    }
    let group = |row: Model| DirectoryGroup {
        id: row.id,
        name: name_of(&row),
        members: members.remove(&row.id).unwrap_or_default(),
        version: row.version,
        created_date: row.created_date,
        modified_date: row.modified_date,
    };
    Ok(rows.into_iter().map(group).collect())
}

/// How many members each of these has, in their order.
pub(super) async fn sizes(connection: &impl ConnectionTrait, rows: &[Model]) -> Result<Vec<u64>, DbErr> {
    let found = member::Entity::find()
        .select_only()
        .column(member::Column::GroupId)
        .column_as(member::Column::PersonId.count(), "size")
        .filter(member::Column::GroupId.is_in(rows.iter().map(|row| row.id)))
        .group_by(member::Column::GroupId);
    let found: Vec<(DirectoryGroupId, i64)> = found.into_tuple().all(connection).await?;
    let sizes: HashMap<DirectoryGroupId, u64> = found.into_iter().map(|(id, size)| (id, size.unsigned_abs())).collect();
    Ok(rows.iter().map(|row| sizes.get(&row.id).copied().unwrap_or_default()).collect())
}

/// How many of the first groups have no more than `most` members together; the first one always fits.
pub(super) fn fitting(sizes: &[u64], most: u64) -> usize {
    let mut members = 0;
    let over = sizes.iter().position(|size| {
        members += size;
        members > most
    });
    over.map_or(sizes.len(), |at| at.max(1))
}

/// Those of these who are users, with their userName.
pub(super) async fn user_names(
    connection: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = AccountId>,
) -> Result<HashMap<AccountId, String>, DbErr> {
    let (ids, mut names): (Vec<_>, _) = (ids.into_iter().collect(), HashMap::new());
    for part in ids.chunks(PART) {
        let found = user::Entity::find()
            .select_only()
            .column(user::Column::PersonId)
            .column(user::Column::UserName)
            .filter(user::Column::PersonId.is_in(part.iter().copied()))
            .filter(user::Column::Gone.eq(false));
        names.extend(found.into_tuple::<(AccountId, String)>().all(connection).await?);
    }
    Ok(names)
}

/// Who is in a group.
pub(super) async fn member_ids(txn: &impl ConnectionTrait, id: DirectoryGroupId) -> Result<Vec<AccountId>, DbErr> {
    let ids = member::Entity::find().select_only().column(member::Column::PersonId);
    let ids = ids.filter(member::Column::GroupId.eq(id)).order_by_asc(member::Column::PersonId);
    ids.into_tuple().all(txn).await
}

/// Writes down a group that was not there.
pub(super) async fn insert(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: DirectoryGroupId,
    name: &DirectoryGroupName,
) -> Result<(), DbErr> {
    let row = [
        (Column::Id, id.into()),
        (Column::DisplayName, name.display_name.as_str().into()),
        (Column::NameKey, name_key(&name.display_name).into()),
        (Column::ExternalId, name.external_id.clone().into()),
        (Column::Version, 1_i64.into()),
        (Column::CreatedDate, db.instant()),
        (Column::ModifiedDate, db.instant()),
    ];
    txn.execute_raw(db.build(&queue::row_of(Entity, row))).await.map(drop)
}

/// Writes what a group is called now, and that it has changed.
pub(super) async fn update(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: DirectoryGroupId,
    name: &DirectoryGroupName,
) -> Result<(), DbErr> {
    let changed = Entity::update_many()
        .col_expr(Column::DisplayName, name.display_name.as_str().into())
        .col_expr(Column::NameKey, name_key(&name.display_name).into())
        .col_expr(Column::ExternalId, name.external_id.clone().into())
        .col_expr(Column::Version, Expr::col(Column::Version).add(1))
        .col_expr(Column::ModifiedDate, db.instant())
        .filter(Column::Id.eq(id));
    txn.execute_raw(db.build(&changed.into_query())).await.map(drop)
}

pub(super) async fn remove(db: &Database, txn: &impl ConnectionTrait, id: DirectoryGroupId) -> Result<(), DbErr> {
    txn.execute_raw(db.build(&Entity::delete_by_id(id).into_query())).await.map(drop)
}

pub(super) async fn add_members(
    db: &Database,
    txn: &impl ConnectionTrait,
    group: DirectoryGroupId,
    people: &[AccountId],
) -> Result<(), DbErr> {
    let rows = people.iter().map(|person| member::ActiveModel { group_id: Set(group), person_id: Set(*person) });
    upsert_all(db, txn, rows.collect(), OnConflict::new().do_nothing().to_owned()).await
}

pub(super) async fn remove_members(
    db: &Database,
    txn: &impl ConnectionTrait,
    group: DirectoryGroupId,
    people: &[AccountId],
) -> Result<(), DbErr> {
    for part in people.chunks(PART) {
        let gone = member::Entity::delete_many()
            .filter(member::Column::GroupId.eq(group))
            .filter(member::Column::PersonId.is_in(part.iter().copied()));
        txn.execute_raw(db.build(&gone.into_query())).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_as_many_groups_as_their_members_leave_room_for() {
        assert_eq!(fitting(&[3, 4, 5], 100), 3);
        assert_eq!(fitting(&[3, 4, 5], 7), 2);
        assert_eq!(fitting(&[30, 4], 7), 1, "or nobody would ever see it");
        assert_eq!(fitting(&[], 7), 0);
    }
}
