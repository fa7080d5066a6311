//! Notices: mails of Docket's own. The operator hears of each task that is dead, staff of theirs that have ended, if they
//! wish it and have left or it ran long, and of each new token of theirs. A notice is a row first, written with what it tells of; a schedule sends it.

mod ended;
mod send;
mod token;

use async_trait::async_trait;
use queue::{Database, Task, notice::Notices};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use serde_json::json;
use uuid::Uuid;

pub use ended::Presence;
pub use send::SendNotices;
pub use token::of_new_token;

use crate::{
    audit::{self, By, Entry},
    binds::Binds,
    erase::{Erased, naming},
    mail::Mail,
    tasks,
};

/// Leaves the trace of each dead task in the transaction that ends it, and the notice to the operator.
pub struct DeadTasks(pub Mail);

#[async_trait]
impl Notices for DeadTasks {
    async fn dead(&self, db: &Database, txn: &DatabaseTransaction, task: &Task, how: &str) -> Result<(), DbErr> {
        let entry = Entry {
            by: By::Docket,
            action: "task.dead",
            object_kind: "task",
            object_id: Some(task.id.to_string()),
            detail: json!({ "kind": task.execution_component_name, "how": how, "attempt": task.attempt }),
        };
        audit::record(db, txn, entry).await?;
        let settings = self.0.settings();
        let Some(operator) = settings.operator.as_ref().filter(|_| self.0.is_configured()) else { return Ok(()) };
        let words = Words {
            subject: format!("Docket: a task of kind {} is dead", task.execution_component_name),
            body: format!(
                "The task ended without being done, and will not be tried again by itself.\n\nTask: {}\nHow: {how}\nWhy: {}\nAttempt: {}\n\n{}",
                model::short_id(task.id),
                task.workflow_status_desc.as_deref().unwrap_or("not said"),
                task.attempt,
                settings.link(task.id)
            ),
        };
        put(db, txn, task.id, "DEAD", operator.as_ref(), words).await
    }
}

/// What a notice says.
struct Words {
    subject: String,
    body: String,
}

/// Puts a notice on a task or a token down to be sent. One of the same purpose on the same task is replaced: it died once more.
async fn put(
    db: &Database,
    txn: &impl ConnectionTrait,
    task: Uuid,
    purpose: &str,
    address: &str,
    words: Words,
) -> Result<(), DbErr> {
    let sql = "INSERT INTO notice (task_id, purpose, address, subject, body, state, tries, created_date, state_date)
               VALUES ($1, $2, $3, $4, $5, 'WAITING', 0, {now}, {now})
               ON CONFLICT (task_id, purpose) DO UPDATE SET subject = excluded.subject, body = excluded.body,
                   state = 'WAITING', tries = 0, created_date = excluded.created_date, state_date = excluded.state_date";
    let values = [task.into(), purpose.into(), address.into(), words.subject.into(), words.body.into()];
    txn.execute_raw(db.statement(sql, values)).await.map(drop)
}

/// Tasks that go on have not ended: their next end is told of anew.
pub async fn forget_of(db: &Database, txn: &impl ConnectionTrait, tasks: &[Uuid]) -> Result<(), DbErr> {
    if tasks.is_empty() {
        return Ok(());
    }
    let mut binds = Binds::default();
    let sql =
        format!("DELETE FROM notice WHERE task_id IN ({}) AND purpose = 'ENDED'", binds.list(tasks.iter().copied()));
    txn.execute_raw(db.statement(&sql, binds.values())).await.map(drop)
}

/// Drops the notices that name somebody who is erased.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> crate::Result<()> {
    let sql = "SELECT task_id, subject || ' ' || body FROM notice WHERE state <> 'NOT_WANTED'";
    for (id, _) in naming(db, txn, erased, sql, vec![]).await? {
        let sql = "UPDATE notice SET state = 'NOT_WANTED', subject = '', body = '' WHERE task_id = $1";
        txn.execute_raw(db.statement(sql, [id.into()])).await?;
    }
    Ok(())
}

/// What a task was called and what became of it, for a mail about it.
fn ending(task: &Task) -> Words {
    let counts =
        [(task.succeeded, "done"), (task.skipped, "skipped"), (task.failed, "failed"), (task.uncertain, "uncertain")];
    let told: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{} {word}", model::grouped(count.unsigned_abs())))
        .collect();
    let title = tasks::title(task);
    Words {
        subject: format!("Docket: “{title}” has ended"),
        body: format!(
            "{title} ({})\n\n{}: {}",
            model::short_id(task.id),
            task.workflow_status.label(),
            told.join(", ")
        ),
    }
}
