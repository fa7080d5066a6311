//! The tables of the domain. Only this crate writes them.

pub mod accounts;
pub mod audit;
pub mod directory;
pub mod mail;
pub mod people;
pub mod tasks;

use model::PersonId;
use queue::Database;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, QuerySelect, QueryTrait, sea_query::OnConflict};

use people::person;

/// Rows of one statement. SQLite looks a parameter up by walking over all of them, so that the cost of a statement grows with
/// the square of its rows: at 50 it does not show, at 500 it is most of the time.
const ROWS: usize = 50;

/// Puts in rows of one table, all with the same columns set.
pub async fn insert_all<R: ActiveModelTrait + Send>(
    db: &Database,
    txn: &impl ConnectionTrait,
    rows: Vec<R>,
) -> Result<(), DbErr> {
    put(db, txn, rows, None).await
}

/// The same for rows of which some may be there: those are changed as `conflict` says.
pub async fn upsert_all<R: ActiveModelTrait + Send>(
    db: &Database,
    txn: &impl ConnectionTrait,
    rows: Vec<R>,
    conflict: OnConflict,
) -> Result<(), DbErr> {
    put(db, txn, rows, Some(conflict)).await
}

async fn put<R: ActiveModelTrait + Send>(
    db: &Database,
    txn: &impl ConnectionTrait,
    rows: Vec<R>,
    conflict: Option<OnConflict>,
) -> Result<(), DbErr> {
    let mut rows = rows.into_iter();
    loop {
        let part: Vec<R> = rows.by_ref().take(ROWS).collect();
        if part.is_empty() {
            return Ok(());
        }
        let insert = R::Entity::insert_many(part);
        let insert = match &conflict {
            Some(conflict) => insert.on_conflict(conflict.clone()),
            None => insert,
        };
        txn.execute_raw(db.build(&insert.into_query())).await?;
    }
}

/// A person's name as prose has it: `Katrin Lund`.
pub async fn person_name(connection: &impl ConnectionTrait, id: PersonId) -> Result<Option<String>, DbErr> {
    let name =
        person::Entity::find_by_id(id).select_only().column(person::Column::FirstName).column(person::Column::LastName);
    let name: Option<(String, String)> = name.into_tuple().one(connection).await?;
    Ok(name.map(|(first, last)| format!("{first} {last}").trim().to_owned()))
}

/// A person's first address, unless it is empty.
pub async fn primary_address(connection: &impl ConnectionTrait, id: PersonId) -> Result<Option<String>, DbErr> {
    let address = person::Entity::find_by_id(id).select_only().column(person::Column::PrimaryEmail);
    let address: Option<Option<String>> = address.into_tuple().one(connection).await?;
    Ok(address.flatten().filter(|address| !address.trim().is_empty()))
}
