//! Notices as rows: put down with what they tell of, and dropped where nobody is to hear of it any more.

use model::{AccessTokenId, TaskId};
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr, Value};
use uuid::Uuid;

use crate::{
    binds::Binds,
    erase::erased::{Erased, naming},
};

/// What a notice says.
pub(super) struct Words {
    pub subject: String,
    pub body: String,
}

/// What a notice tells of.
#[derive(Clone, Copy)]
pub(super) enum About {
    /// That a task is over.
    End(TaskId),
    /// That a task has failed for good.
    Death(TaskId),
    NewToken(AccessTokenId),
}

impl About {
    fn columns(self) -> [Value; 2] {
        match self {
            About::End(task) => [task.into(), "ENDED".into()],
            About::Death(task) => [task.into(), "DEAD".into()],
            About::NewToken(token) => [token.into(), "TOKEN".into()],
        }
    }
}

/// Puts a notice down to be sent. One about the same is replaced: the task died once more.
pub(super) async fn put(
    db: &Database,
    txn: &impl ConnectionTrait,
    about: About,
    address: &str,
    words: Words,
) -> Result<(), DbErr> {
    let sql = "INSERT INTO notice (task_id, purpose, address, subject, body, state, tries, created_date, state_date)
               VALUES ($1, $2, $3, $4, $5, 'WAITING', 0, {now}, {now})
               ON CONFLICT (task_id, purpose) DO UPDATE SET subject = excluded.subject, body = excluded.body,
                   state = 'WAITING', tries = 0, created_date = excluded.created_date, state_date = excluded.state_date";
    let [whose, purpose] = about.columns();
    let values = [whose, purpose, address.into(), words.subject.into(), words.body.into()];
    txn.execute_raw(db.statement(sql, values)).await.map(drop)
}

/// Tasks that go on have not ended: their next end is told of anew.
pub async fn forget_of(db: &Database, txn: &impl ConnectionTrait, tasks: &[TaskId]) -> Result<(), DbErr> {
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
    for (id, _) in naming::<Uuid>(db, txn, erased, sql, vec![]).await? {
        let sql = "UPDATE notice SET state = 'NOT_WANTED', subject = '', body = '' WHERE task_id = $1";
        txn.execute_raw(db.statement(sql, [id.into()])).await?;
    }
    Ok(())
}
