//! Somebody who is erased must not come back with a file that was uploaded before. While imports wait or run, it is kept who
//! that is, as a hash of the school id and no longer than it takes.

use std::collections::HashSet;

use model::{Instant, SchoolId, TaskId, TaskKind};
use queue::{Database, Queue, TaskTable, Transaction};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryTrait};

use crate::{
    Result,
    accounts::tokens::secret::hash_of,
    entity::people::erased::{Column, Entity, Model},
    erase::erased::Erased,
    import::import_choice,
    import::prepare::{kept, matching::saved},
    statement::{composed, sql},
};

const IMPORT: &str = TaskKind::Import.name();

/// Keeps imports that wait or run from writing them. The uploads of the tasks it gives are of no use any more but to bring
/// somebody back, as are those that are being prepared.
pub async fn forget(queue: &Queue, db: &Database, txn: &Transaction, erased: &Erased) -> Result<Vec<TaskId>> {
    // First: an import that is being submitted just now is waited for, and seen below.
    let prepared = kept::forget(db, txn).await?;
    saved::forget(db, txn, erased).await?;
    let t = TaskTable("t");
    let open = || sql("SELECT 1 FROM $1 WHERE $2 AND $3", [t.table(), t.is_of_kind(IMPORT), t.is_open()]);
    let stale = "DELETE FROM erased WHERE NOT EXISTS ($1 AND $2 < erased.erased_date)";
    txn.execute_raw(composed(db, stale, [open(), t.created_date()])).await?;
    let kept = "INSERT INTO erased (school_id_hash, erased_date) SELECT $1, $3 WHERE EXISTS ($2)
         ON CONFLICT (school_id_hash) DO UPDATE SET erased_date = excluded.erased_date";
    txn.execute_raw(composed(db, kept, [hash_of(erased.school_id.as_str()).into(), open(), db.instant()])).await?;
    import_choice::forget(db, txn, erased).await?;
    Ok(queue.resting(txn, IMPORT).await?.into_iter().chain(prepared).collect())
}

/// Who was erased after an import was submitted.
#[derive(Default, PartialEq, Eq)]
pub struct ErasedSince(HashSet<String>);

impl ErasedSince {
    pub async fn load(db: &Database, txn: &impl ConnectionTrait, submitted: Instant) -> Result<ErasedSince, DbErr> {
        let found = Entity::find().filter(Column::ErasedDate.gt(submitted)).into_query();
        let found = Model::find_by_statement(db.build(&found)).all(txn).await?;
        Ok(ErasedSince(found.into_iter().map(|erased| erased.school_id_hash).collect()))
    }

    pub fn has(&self, school_id: &SchoolId) -> bool {
        !self.0.is_empty() && self.0.contains(&hash_of(school_id.as_str()))
    }
}
