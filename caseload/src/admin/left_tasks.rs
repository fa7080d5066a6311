//! What becomes of the tasks of somebody whose account is disabled. They stand still until an administrator hands them over to somebody who
//! may do what they do, or closes them.

use model::{AccountId, Conflict, FieldError, Problem, TaskId};
use queue::{Transaction, stopped_owners};
use sea_orm::EntityTrait;
use serde_json::json;

use crate::{
    Actor, Result, access,
    accounts::account::{by_username, lock_all, record},
    admin::{
        guard::{administering, reasoned},
        heirs::{Handing, refusal},
    },
    audit::entry::By,
    caseload::Users,
    entity::accounts::account,
    limits::Limited,
    tasks::done_to_task,
};

/// The most tasks at once: it is one transaction, and others wait for it on SQLite.
const MOST: u64 = 1_000;

impl Users<'_> {
    /// How many tasks stand still since this account is disabled.
    pub async fn left_tasks(self, actor: &Actor, id: AccountId) -> Result<u64> {
        administering(actor)?;
        let account = account::Entity::find_by_id(id).one(self.0.db().reader()).await?;
        match account.is_some_and(|account| account.disabled) {
            true => Ok(stopped_owners::count_of(self.0.db(), id).await?),
            false => Ok(0),
        }
    }

    /// Hands them over to the account of this username, whose owner has permission for each of them. How many there were.
    pub async fn hand_over_tasks(self, actor: &Actor, id: AccountId, to: &str, reason: &str) -> Result<u64> {
        let reason = reasoned(actor, reason)?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let heir = heir(&txn, id, to).await?;
        // Neither is disabled or enabled, nor is anything taken from them, until this is over.
        lock_all(db, &txn, [id, heir]).await?;
        let (old, tasks) = self.left(&txn, id).await?;
        let new = access::load(&txn, heir, actor.via.clone()).await?.ok_or_else(|| unknown(to))?;
        let handing = Handing { from: &old, from_name: self.0.staff_name(id).await?, to: &new };
        if let Some(refused) = refusal(self.0, &txn, &handing, &tasks).await? {
            return Err(refused.into());
        }
        let handed = stopped_owners::hand_over(db, &txn, &tasks, (new.person_id, actor.person_id)).await?;
        self.keep_within_limit(&txn, &new).await?;
        done_to_task::note(db, &txn, &tasks, actor, done_to_task::HAND_OVER, Some(&reason), None).await?;
        let detail = json!({ "reason": reason, "count": handed.len(), "to": new.person_id, "tasks": tasks });
        record(db, &txn, By::Actor(actor), "tasks.hand-over", id, detail).await?;
        stopped_owners::settle(db, &txn, id).await?;
        db.commit(txn).await?;
        handed.iter().for_each(|task| self.0.queue().announce(task));
        tracing::info!(tasks = handed.len(), from = %id, to = %new.person_id, by = %actor.person_id, "tasks handed over");
        Ok(handed.len() as u64)
    }

    /// Closes them; what they have done stays done. How many there were.
    pub async fn close_left_tasks(self, actor: &Actor, id: AccountId, reason: &str) -> Result<u64> {
        let reason = reasoned(actor, reason)?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        lock_all(db, &txn, [id]).await?;
        let (_, tasks) = self.left(&txn, id).await?;
        let given_up = self.0.queue().abandon_all(&txn, &tasks, actor.person_id, reason.as_str()).await?;
        done_to_task::note(db, &txn, &tasks, actor, done_to_task::ABANDON, Some(&reason), None).await?;
        let detail = json!({ "reason": reason, "count": given_up.len(), "tasks": tasks });
        record(db, &txn, By::Actor(actor), "tasks.abandon", id, detail).await?;
        stopped_owners::settle(db, &txn, id).await?;
        db.commit(txn).await?;
        self.0.queue().notify_given_up(&given_up);
        tracing::info!(tasks = given_up.len(), from = %id, by = %actor.person_id, "tasks of a disabled account closed");
        Ok(given_up.len() as u64)
    }

    /// What waits of somebody who is disabled.
    async fn left(self, txn: &Transaction, id: AccountId) -> Result<(account::Model, Vec<TaskId>)> {
        let account = account::Entity::find_by_id(id).one(txn).await?;
        let account = account.ok_or_else(|| Problem::not_found("account"))?;
        let tasks = if account.disabled { stopped_owners::tasks_of(txn, id, MOST).await? } else { Vec::new() };
        if tasks.is_empty() {
            let detail = "No tasks of theirs stand still now.";
            return Err(Problem::conflict(Conflict::NOTHING_TO_DO, detail).into());
        }
        Ok((account, tasks))
    }

    /// Refuses what would give somebody more waiting tasks than one account may have.
    async fn keep_within_limit(self, txn: &Transaction, new: &Actor) -> Result<()> {
        let most = self.0.limits().waiting_tasks;
        let waiting = queue::unfinished::waiting_of(self.0.db(), txn, new.person_id, u64::from(most) + 1).await?;
        if waiting <= u64::from(most) {
            return Ok(());
        }
        let message = format!(
            "{} would have more than {} tasks waiting, which is the limit. Choose somebody else, or close some first.",
            new.name,
            model::grouped(u64::from(most))
        );
        let problem = self.0.limits().refusal(Limited::WaitingTasks, None);
        Err(Problem { errors: vec![FieldError::new("to", "too_many", message)], ..problem }.into())
    }
}

/// Whose they are to be: somebody else, who can sign in.
async fn heir(txn: &Transaction, id: AccountId, to: &str) -> Result<AccountId> {
    if to.trim().is_empty() {
        return Err(Problem::field("to", "required", "Enter the username of whoever gets them.").into());
    }
    let found = by_username(txn, to.trim()).await?.filter(|account| account.person_id != id && !account.disabled);
    Ok(found.ok_or_else(|| unknown(to))?.person_id)
}

fn unknown(to: &str) -> Problem {
    let to = model::enum_words::quoted(to.trim());
    Problem::field("to", "unknown", format!("There is no other active account {to}."))
}
