//! The one door through which the domain puts tasks into the queue: no account has more of them waiting than it may.

use queue::{Enqueued, NewTask, Transaction, self_test};
use sea_orm::ConnectionTrait;

use super::refusal::Limited;
use crate::{Caseload, Result};

/// Adds a task within `txn`, unless its owner has as many waiting as one account may. Self-tests do not count.
pub(crate) async fn enqueue(caseload: &Caseload, txn: &Transaction, new: NewTask) -> Result<Enqueued> {
    if new.kind == self_test::KIND {
        return Ok(caseload.queue().enqueue(txn, new).await?);
    }
    let (db, owner, most) = (caseload.db(), new.owner_id, u64::from(caseload.limits().waiting_tasks));
    // Two submits of one account are counted one after the other.
    let own = db.statement("SELECT 1 FROM account WHERE person_id = $1 {for update}", [owner.into()]);
    txn.query_one_raw(own).await?;
    let unapproved = new.unapproved;
    let enqueued = caseload.queue().enqueue(txn, new).await?;
    let Enqueued::New(_) = enqueued else { return Ok(enqueued) };
    if unapproved {
        let most = u64::from(caseload.limits().approvals);
        let waiting = queue::unfinished::unapproved_of(db, txn, owner, most + 1).await?;
        if waiting > most {
            return Err(caseload.limits().refusal(Limited::Approvals, None).into());
        }
    }
    let waiting = queue::unfinished::waiting_of(db, txn, owner, most + 1).await?;
    if waiting > most {
        // What was added goes with the transaction that the caller gives up.
        return Err(caseload.limits().refusal(Limited::WaitingTasks, None).into());
    }
    Ok(enqueued)
}
