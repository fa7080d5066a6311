//! An entry of the audit trail: who did what to which, by what they were known and from where, written with the deed. Only ever added to, which
//! the database sees to as well; [`forget`] alone may take something out.

use model::{AccountId, DirectoryTokenId};
use std::net::IpAddr;

use queue::{Database, Task, row_of};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait};
use serde_json::Value;

use crate::{
    Actor,
    accounts::request_origin::Credential,
    audit::words::is_known,
    entity::audit::{
        entry::{self as audit, Column},
        redaction,
    },
    erase::erased::Erased,
};

/// Who did it.
pub enum By<'a> {
    Actor(&'a Actor),
    /// Somebody at the door, who says that they are this account's owner.
    AtTheDoor {
        account: Option<AccountId>,
        source: Option<IpAddr>,
    },
    /// The same with a passkey alone, which is that of this account.
    WithPasskey {
        account: Option<AccountId>,
        source: Option<IpAddr>,
    },
    /// Somebody whom a provider has let in.
    LetIn {
        account: Option<AccountId>,
        provider: &'a str,
        source: Option<IpAddr>,
    },
    /// The directory of the institution, by this token.
    Directory {
        token: DirectoryTokenId,
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
            By::WithPasskey { account, source } => (*account, Credential::Passkey, *source),
            By::LetIn { account, provider, source } => {
                (*account, Credential::Provider((*provider).to_owned()), *source)
            }
            By::Directory { token, source } => (None, Credential::Directory(*token), *source),
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
    debug_assert!(is_known(entry.action), "no words say what {} is", entry.action);
    let (actor_id, credential, source) = entry.by.who();
    let row = [
        (Column::AuditDate, db.instant()),
        (Column::ActorId, actor_id.into()),
        (Column::Action, entry.action.into()),
        (Column::ObjectKind, entry.object_kind.into()),
        (Column::ObjectId, entry.object_id.into()),
        (Column::Detail, entry.detail.to_string().into()),
        (Column::Credential, credential.to_string().into()),
        (Column::Source, source.map(|source| source.to_string()).into()),
    ];
    let entry = db.build(row_of(audit::Entity, row).returning_col(Column::Id));
    let row = txn.query_one_raw(entry).await?;
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
    let row = [
        (redaction::Column::AuditId, id.into()),
        (redaction::Column::RedactedDate, db.instant()),
        (redaction::Column::Detail, detail.clone().into()),
    ];
    txn.execute_raw(db.build(&row_of(redaction::Entity, row))).await?;
    let entry = audit::Entity::update_many().col_expr(Column::Detail, detail.into()).filter(Column::Id.eq(id));
    txn.execute_raw(db.build(&entry.into_query())).await.map(drop)
}
