//! People of staff as rows, and among them Docket itself, for histories that no member of staff wrote.

use model::{AccountId, PersonId};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait, sea_query::OnConflict};

use crate::{
    entity::people::person::{Column, Entity},
    people::fold::Keys,
};

/// The person that stands for Docket itself, in histories that no member of staff wrote.
pub const SYSTEM_PERSON: AccountId = AccountId::from_u128(1);

/// Makes sure that [`SYSTEM_PERSON`] is there.
pub async fn ensure_system_person(db: &Database, txn: &impl ConnectionTrait) -> Result<(), DbErr> {
    insert_staff(db, txn, SYSTEM_PERSON.person(), "SYSTEM", "Docket", "").await
}

/// Writes a person of staff, who need not be new.
pub(super) async fn insert_staff(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: PersonId,
    school_id: &str,
    first: &str,
    last: &str,
) -> Result<(), DbErr> {
    let keys = Keys::new(school_id, first, None, last, None);
    let row = [
        (Column::Id, id.into()),
        (Column::Student, false.into()),
        (Column::SchoolId, school_id.into()),
        (Column::FirstName, first.into()),
        (Column::LastName, last.into()),
        (Column::Activated, true.into()),
        (Column::EmailOptOut, false.into()),
        (Column::Extra, "{}".into()),
        (Column::SortKey, keys.sort_key.into()),
        (Column::GivenKey, keys.given_key.into()),
        (Column::SchoolKey, keys.school_key.into()),
        (Column::CreatedDate, db.instant()),
        (Column::ModifiedDate, db.instant()),
    ];
    let mut entered = queue::row_of(Entity, row);
    entered.on_conflict(OnConflict::new().do_nothing().to_owned());
    txn.execute_raw(db.build(&entered)).await.map(drop)
}

/// Gives a person of staff another name. A student keeps theirs, which comes with an import.
pub(super) async fn rename(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: PersonId,
    first: &str,
    last: &str,
) -> Result<(), DbErr> {
    let Some(person) = Entity::find_by_id(id).filter(Column::Student.eq(false)).one(txn).await? else { return Ok(()) };
    let middle = person.middle_name.as_deref();
    let keys = Keys::new(person.school_id.as_str(), first, middle, last, None);
    let renamed = Entity::update_many()
        .col_expr(Column::FirstName, first.into())
        .col_expr(Column::LastName, last.into())
        .col_expr(Column::SortKey, keys.sort_key.into())
        .col_expr(Column::GivenKey, keys.given_key.into())
        .col_expr(Column::ModifiedDate, db.instant())
        .filter(Column::Id.eq(id));
    txn.execute_raw(db.build(&renamed.into_query())).await.map(drop)
}
