//! Which row stands for each person where several rows become one: found out before anything is written, and kept in the
//! database, since a file may have more people than fit the memory. A person is kept by the hash of their school id.

use model::{SchoolId, TaskId};
use std::collections::HashMap;

use queue::{Database, Transaction};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait, Set,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::{
    accounts::tokens::secret::hash_of,
    entity::{
        tasks::import_choice::{ActiveModel, Column, Entity},
        upsert_all,
    },
    erase::erased::Erased,
    statement::composed,
};
use crate::{
    import::bulk_statements::IDS, import::read::cells::Cells, import::rows::checked_row::Row,
    import::rows::collapse::Collapse, import::rows::header_plan::Plan,
};

/// Keeps those of these rows that outrank what was chosen so far.
pub async fn offer(
    db: &Database,
    txn: &Transaction,
    task: TaskId,
    plan: &Plan,
    rows: impl Iterator<Item = Row>,
) -> Result<(), DbErr> {
    let rows: Vec<Row> = rows.collect();
    let mut collapse = Collapse::default();
    let so_far = chosen(db, txn, task, rows.iter().map(|row| &row.school_id)).await?;
    for (school_id, (line, cells)) in so_far {
        let cells: Cells = serde_json::from_str(&cells).map_err(|error| DbErr::Json(error.to_string()))?;
        collapse.offer(plan, Row { line, school_id, cells });
    }
    rows.into_iter().for_each(|row| collapse.offer(plan, row));
    let mut kept = Vec::new();
    for row in collapse.into_rows() {
        kept.push(ActiveModel {
            task_id: Set(task),
            person: Set(hash_of(row.school_id.as_str())),
            line: Set(row.line.cast_signed()),
            cells: Set(serde_json::to_string(&row.cells).map_err(|error| DbErr::Json(error.to_string()))?),
        });
    }
    let mut conflict = OnConflict::columns([Column::TaskId, Column::Person]);
    upsert_all(db, txn, kept, conflict.update_columns([Column::Line, Column::Cells]).to_owned()).await
}

/// The lines that stand for these people.
pub async fn lines<'a>(
    db: &Database,
    txn: &Transaction,
    task: TaskId,
    school_ids: impl Iterator<Item = &'a SchoolId>,
) -> Result<HashMap<SchoolId, u64>, DbErr> {
    let chosen = chosen(db, txn, task, school_ids).await?;
    Ok(chosen.into_iter().map(|(school_id, (line, _))| (school_id, line)).collect())
}

async fn chosen<'a>(
    db: &Database,
    txn: &Transaction,
    task: TaskId,
    school_ids: impl Iterator<Item = &'a SchoolId>,
) -> Result<HashMap<SchoolId, (u64, String)>, DbErr> {
    let by_hash: HashMap<String, &SchoolId> =
        school_ids.map(|school_id| (hash_of(school_id.as_str()), school_id)).collect();
    let hashes: Vec<&String> = by_hash.keys().collect();
    let mut found = HashMap::new();
    for part in hashes.chunks(IDS) {
        let sql = "SELECT person, line, cells FROM import_choice WHERE task_id = $1 AND $2";
        let these = Expr::col(Column::Person).is_in(part.iter().map(|hash| hash.as_str()));
        for row in txn.query_all_raw(composed(db, sql, [task.into(), these])).await? {
            let hash: String = row.try_get("", "person")?;
            let line: i64 = row.try_get("", "line")?;
            if let Some(school_id) = by_hash.get(&hash) {
                found.insert((*school_id).clone(), (line.cast_unsigned(), row.try_get("", "cells")?));
            }
        }
    }
    Ok(found)
}

/// A run is over.
pub async fn drop_all(db: &Database, txn: &impl ConnectionTrait, task: TaskId) -> Result<(), DbErr> {
    let rows = Entity::delete_many().filter(Column::TaskId.eq(task));
    txn.execute_raw(db.build(&rows.into_query())).await.map(drop)
}

/// Drops the rows of somebody who is erased.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<(), DbErr> {
    let rows = Entity::delete_many().filter(Column::Person.eq(hash_of(erased.school_id.as_str())));
    txn.execute_raw(db.build(&rows.into_query())).await.map(drop)
}
