//! The ways out of waiting for an approval. Each is made in the caller's transaction, where the caller has seen to it that it is a good one; of
//! two who decide, and of one who gives the task up, one wins.

use model::{AccountId, Instant, TaskId};
use sea_orm::sea_query::Expr;

use super::{
    fence::find_locked,
    transition::{APPROVE, DECLINE, Mover},
};
use crate::{Database, Error, Result, Task, TaskColumn as Column, Transaction};

/// Lets a task into the queue, to start at an instant or at once. Call [`Queue::announce`](crate::Queue::announce) after the commit.
pub async fn approve(
    db: &Database,
    txn: &Transaction,
    id: TaskId,
    by: AccountId,
    start: Option<Instant>,
    held: bool,
) -> Result<Task> {
    let before = find_locked(txn, id).await?.ok_or(Error::NoSuchTask)?;
    let approve = APPROVE.made_by(db, Mover::Person { by, ids: &[id] }).write(Column::Held, held);
    let start: Expr = start.map_or_else(|| db.instant(), Into::into);
    approve.starting_at(start).make_one(txn).await?.ok_or(Error::Conflict(before.workflow_status))
}

/// Gives up a task that does not get its approval. Call [`Queue::notify_given_up`](crate::Queue::notify_given_up) after the commit.
pub async fn decline(
    db: &Database,
    txn: &Transaction,
    id: TaskId,
    by: AccountId,
    reason: Option<&str>,
) -> Result<Task> {
    let before = find_locked(txn, id).await?.ok_or(Error::NoSuchTask)?;
    let decline = DECLINE.made_by(db, Mover::Person { by, ids: &[id] }).write(Column::FinishReason, reason);
    decline.make_one(txn).await?.ok_or(Error::Conflict(before.workflow_status))
}
