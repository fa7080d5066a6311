//! An entry of the audit trail: who did what to which, by what they were known and from where, written with the deed. Only ever added to, which
//! the database sees to as well; [`forget`] alone may take something out.

use model::AccountId;
use std::net::IpAddr;

use queue::{Database, Task};
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::Value;

use crate::{Actor, accounts::via::Credential, erase::erased::Erased};

/// Who did it.
pub enum By<'a> {
    Actor(&'a Actor),
    /// Somebody at the door, who says that they are this account's owner.
    AtTheDoor {
        account: Option<AccountId>,
        source: Option<IpAddr>,
    },
    /// A task, for whom it runs.
    Task(&'a Task),
    /// Docket itself.
    Docket,
    /// Somebody at the machine.
    Command,
}

impl By<'_> {
    fn who(&self) -> (Option<AccountId>, Credential, Option<IpAddr>) {
        match self {
            By::Actor(actor) => (Some(actor.person_id), actor.via.credential.clone(), actor.via.source),
            By::AtTheDoor { account, source } => (*account, Credential::Password, *source),
            By::Task(task) => (Some(task.run_as_id), Credential::Task(task.id), None),
            By::Docket => (None, Credential::Docket, None),
            By::Command => (None, Credential::Command, None),
        }
    }
}

/// One entry.
pub struct Entry<'a> {
    pub by: By<'a>,
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
    let (actor_id, credential, source) = entry.by.who();
    let statement = db.statement(
        "INSERT INTO audit (audit_date, actor_id, action, object_kind, object_id, detail, credential, source)
         VALUES ({now}, $1, $2, $3, $4, $5, $6, $7) RETURNING id",
        [
            actor_id.into(),
            entry.action.into(),
            entry.object_kind.into(),
            entry.object_id.into(),
            entry.detail.to_string().into(),
            credential.to_string().into(),
            source.map(|source| source.to_string()).into(),
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
            redact(db, txn, id, &detail).await?;
        }
    }
    Ok(())
}

/// Puts another detail in the place of an entry's, having said so where it cannot be taken back: without that the database refuses
/// it.
async fn redact(db: &Database, txn: &impl ConnectionTrait, id: i64, detail: &Value) -> Result<(), DbErr> {
    let detail = detail.to_string();
    let sql = "INSERT INTO audit_redaction (audit_id, redacted_date, detail) VALUES ($1, {now}, $2)";
    txn.execute_raw(db.statement(sql, [id.into(), detail.clone().into()])).await?;
    let sql = "UPDATE audit SET detail = $2 WHERE id = $1";
    txn.execute_raw(db.statement(sql, [id.into(), detail.into()])).await.map(drop)
}
