//! The audit trail: who did what to which, written with the deed. Only ever added to.

use queue::Database;
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::Value;
use uuid::Uuid;

use crate::erase::Erased;

/// One entry.
pub struct Entry<'a> {
    /// `None` for somebody who is not signed in.
    pub actor_id: Option<Uuid>,
    /// What was done, as `noun.verb`: `task.abandon`.
    pub action: &'a str,
    pub object_kind: &'a str,
    pub object_id: Option<String>,
    /// What helps to understand it; ids and numbers, no personal data.
    pub detail: Value,
}

/// Adds an entry in the caller's transaction.
pub async fn record(db: &Database, txn: &impl ConnectionTrait, entry: Entry<'_>) -> Result<(), DbErr> {
    record_one(db, txn, entry).await.map(drop)
}

/// The same, giving the number of the entry.
pub async fn record_one(db: &Database, txn: &impl ConnectionTrait, entry: Entry<'_>) -> Result<i64, DbErr> {
    let statement = db.statement(
        "INSERT INTO audit (audit_date, actor_id, action, object_kind, object_id, detail)
         VALUES ({now}, $1, $2, $3, $4, $5) RETURNING id",
        [
            entry.actor_id.into(),
            entry.action.into(),
            entry.object_kind.into(),
            entry.object_id.into(),
            entry.detail.to_string().into(),
        ],
    );
    let row = txn.query_one_raw(statement).await?;
    row.ok_or_else(|| DbErr::RecordNotInserted)?.try_get("", "id")
}

/// Takes searches for somebody who is erased out of what was recorded of exports. The only change there ever is.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<(), DbErr> {
    let sql = "SELECT id, detail FROM audit WHERE action = 'export.disclose' AND detail LIKE '%\"q\":\"_%'";
    for row in txn.query_all_raw(db.statement(sql, [])).await? {
        let (id, text): (i64, String) = (row.try_get("", "id")?, row.try_get("", "detail")?);
        let Ok(mut detail) = serde_json::from_str::<Value>(&text) else { continue };
        let Some(searched) = detail.pointer_mut("/people/filter/q") else { continue };
        if searched.as_str().is_some_and(|text| erased.is_named_in(text)) {
            *searched = Value::from("");
            let sql = "UPDATE audit SET detail = $2 WHERE id = $1";
            txn.execute_raw(db.statement(sql, [id.into(), detail.to_string().into()])).await?;
        }
    }
    Ok(())
}
