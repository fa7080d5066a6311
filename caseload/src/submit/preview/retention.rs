//! How long a preview is kept, and how many of one account.

use model::PreviewToken;
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, Statement};

use super::record::PreviewRecord;
use crate::{
    Actor, Caseload, Error, Result,
    entity::tasks::preview,
    erase::erased::{Erased, naming},
    statement::composed,
};

/// From the counting, in seconds.
const KEPT: f64 = 1800.0;
/// Previews that one new one clears away.
const CLEARED_AT_ONCE: i64 = 20;

/// Keeps a preview. Those that are too old go, and the oldest of an account that has more than it may.
pub async fn keep(
    caseload: &Caseload,
    txn: &impl ConnectionTrait,
    actor: &Actor,
    token: PreviewToken,
    record: &PreviewRecord,
) -> Result<()> {
    let db = caseload.db();
    clear_expired(db, txn).await?;
    let content = serde_json::to_string(record).map_err(|error| Error::Internal(error.to_string()))?;
    let row = [
        (preview::Column::Id, token.into()),
        (preview::Column::OwnerId, actor.person_id.into()),
        (preview::Column::Content, content.into()),
        (preview::Column::CreatedDate, db.instant()),
        (preview::Column::ExpiryDate, db.instant_after(KEPT)),
    ];
    txn.execute_raw(db.build(&queue::row_of(preview::Entity, row))).await?;
    let surplus = db.statement(
        "DELETE FROM preview WHERE id IN (
            SELECT id FROM preview WHERE owner_id = $1 ORDER BY created_date DESC, id DESC LIMIT $2 OFFSET $3) RETURNING id",
        [actor.person_id.into(), CLEARED_AT_ONCE.into(), i64::from(caseload.limits().previews).into()],
    );
    clear(db, txn, surplus).await?;
    Ok(())
}

/// Clears away some previews that are too old. Returns how many.
pub async fn clear_expired(db: &Database, txn: &impl ConnectionTrait) -> Result<u64, DbErr> {
    let expired = "DELETE FROM preview WHERE id IN (
            SELECT id FROM preview WHERE expiry_date < $1 ORDER BY expiry_date LIMIT $2) RETURNING id";
    let expired = composed(db, expired, [db.instant(), CLEARED_AT_ONCE.into()]);
    clear(db, txn, expired).await
}

/// Clears away previews with the people that they wrote down, unless those are a task's by now.
async fn clear(db: &Database, txn: &impl ConnectionTrait, delete: Statement) -> Result<u64, DbErr> {
    // The preview first: a submit that holds it is waited for, and its task is seen by the second statement.
    let cleared = txn.query_all_raw(delete).await?;
    let ids = cleared.iter().map(|row| row.try_get("", "id")).collect::<Result<Vec<PreviewToken>, _>>()?;
    for id in &ids {
        drop_people(db, txn, *id).await?;
    }
    Ok(ids.len() as u64)
}

async fn drop_people(db: &Database, txn: &impl ConnectionTrait, preview: PreviewToken) -> Result<(), DbErr> {
    let people = "DELETE FROM task_person WHERE task_id = $1 AND NOT EXISTS ($2)";
    txn.execute_raw(composed(db, people, [preview.into(), queue::id_of(preview)])).await.map(drop)
}

/// Drops the previews that name somebody who is erased, with whom they wrote down unless a task has taken them over.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    let found = naming::<PreviewToken>(db, txn, erased, "SELECT id, content FROM preview", vec![]).await?;
    for (id, _) in found {
        preview::Entity::delete_by_id(id).exec(txn).await?;
        drop_people(db, txn, id).await?;
    }
    Ok(())
}
