//! The one door of a decision. Everything that makes it a good one is asked within its transaction: that the task still waits, that whoever
//! decides may do so now, that whoever submitted it still could, and that the numbers are about those that were seen.

use model::{Code, Conflict, Problem, TaskId, approval::ApprovalState, note};
use queue::{Task, Transaction};
use serde_json::json;

use super::{
    counts, deciders,
    outcome::decided,
    read::{row, state_of},
};
use crate::{
    Actor, Result, access,
    accounts::{account, request_origin::Via},
    caseload::Approvals,
    entity::tasks::approval::{Decision, Model},
    notices,
    submit::spec::Spec,
    tasks::{done_to_task, title::title, visible},
};

/// A task that somebody may decide on, its row locked until the transaction ends.
struct Deciding {
    actor: Actor,
    task: Task,
    spec: Spec,
    row: Model,
}

impl Approvals<'_> {
    /// Approves a task. `seen` is how many were to be acted on when it was looked at; as it was asked for, unless told otherwise.
    pub async fn approve(self, actor: &Actor, id: TaskId, seen: Option<u64>, said: Option<&str>) -> Result<()> {
        let said = note::checked_note("note", said)?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let Deciding { actor, task, spec, row } = self.deciding(&txn, actor, id).await?;
        let submitter = access::load(&txn, task.run_as_id, Via::docket()).await?;
        let Some(submitter) = submitter.filter(|submitter| submitter.may(spec.action.right())) else {
            let name = self.0.staff_name(task.owner_id).await?;
            let detail = format!("{name} does not have permission for this any more, so it cannot run. Decline it.");
            return Err(Problem::conflict(Conflict::SUBMITTER_GONE, detail).into());
        };
        let now = counts::will_change(&counts::count_now(db, &txn, &submitter, id, &spec).await?);
        let seen = seen.unwrap_or(row.will_change.unsigned_abs());
        if now.abs_diff(seen) > self.0.approval_rule().drift {
            let (now_in_words, seen_in_words) = (model::grouped(now), model::grouped(seen));
            let detail = format!(
                "The list changed since you looked: {now_in_words} people would change now, not {seen_in_words}. Nothing was approved. Check the new numbers."
            );
            let problem = Problem::refused(Code::APPROVAL_DRIFTED, "The list changed", detail);
            return Err(problem.with("seen", seen).with("willChange", now).into());
        }
        let left_out = counts::leave_out(db, &txn, &submitter, id, &spec).await?;
        let at = db.now_in(&txn).await?;
        let start = row.start_date.filter(|start| *start > at);
        let held = self.0.actions().held_until(&spec.action, start).await?;
        let approved = queue::approval::approve(db, &txn, id, actor.person_id, held.or(start), held.is_some()).await?;
        decided(db, &txn, id, Decision::Approved, Some(actor.person_id), said.as_deref()).await?;
        done_to_task::note_text(db, &txn, &[id], &actor, done_to_task::APPROVE, said.as_deref(), None).await?;
        let detail = json!({ "note": said, "willChange": now, "asked": row.will_change, "leftOut": left_out });
        visible::record_verb(self.0, &txn, &actor, "task.approve", id, detail).await?;
        self.tell_owner(&txn, &task, notices::ApprovalOutcome::Approved { by: &actor.name, note: said.as_deref() })
            .await?;
        db.commit(txn).await?;
        tracing::info!(task = %id, by = %actor.person_id, "task approved");
        self.0.queue().announce(&approved);
        Ok(())
    }

    /// Declines a task, which its owner is told why. Nobody is changed.
    pub async fn decline(self, actor: &Actor, id: TaskId, said: Option<&str>) -> Result<()> {
        let said = note::checked_note("note", said)?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let Deciding { actor, task, .. } = self.deciding(&txn, actor, id).await?;
        let Some(said) = said else {
            let name = self.0.staff_name(task.owner_id).await?;
            return Err(Problem::field("note", "required", format!("Tell {name} why you decline.")).into());
        };
        let declined = queue::approval::decline(db, &txn, id, actor.person_id, Some(&said)).await?;
        decided(db, &txn, id, Decision::Declined, Some(actor.person_id), Some(&said)).await?;
        visible::record_verb(self.0, &txn, &actor, "task.decline", id, json!({ "note": said })).await?;
        self.tell_owner(&txn, &task, notices::ApprovalOutcome::Declined { by: &actor.name, note: &said }).await?;
        db.commit(txn).await?;
        tracing::info!(task = %id, by = %actor.person_id, "task declined");
        self.0.queue().notify_given_up(std::slice::from_ref(&declined));
        Ok(())
    }

    /// The task, if this actor may decide on it now.
    async fn deciding(self, txn: &Transaction, actor: &Actor, id: TaskId) -> Result<Deciding> {
        let db = self.0.db();
        let gone = || Problem::not_found("approval");
        let owner = self.0.queue().tasks_in(txn, &[id]).await?.pop().ok_or_else(gone)?.owner_id;
        // Whoever takes something from either account does so before this decision, or after it.
        account::lock_all(db, txn, [actor.person_id, owner]).await?;
        let fresh = access::load(txn, actor.person_id, actor.via.clone()).await?;
        let Some(fresh) = fresh else { return Err(actor.forbidden("Your account is disabled.")) };
        let task = queue::find_locked(txn, id).await?.ok_or_else(gone)?;
        let (row, spec) = row(txn, id).await?.zip(Spec::of(&task)).ok_or_else(gone)?;
        if task.owner_id == fresh.person_id {
            return Err(fresh.forbidden("Nobody approves their own task. Somebody else has to decide."));
        }
        let reaches = deciders::reaches_all(db, txn, &fresh, id, &spec).await?;
        let could = reaches && fresh.may(spec.action.right());
        if !could && !visible::may_see(&fresh, &task) {
            return Err(fresh.hidden("approval"));
        }
        fresh.require(spec.action.right())?;
        match state_of(&task, &row, db.now_in(txn).await?) {
            ApprovalState::Waiting => Ok(Deciding { actor: fresh, task, spec, row }),
            other => Err(self.over(other, &row).await?.into()),
        }
    }

    /// What is said to whoever comes too late.
    async fn over(self, state: ApprovalState, row: &Model) -> Result<Problem> {
        let by = match row.decided_by {
            Some(by) => self.0.staff_name(by).await?,
            None => "Somebody".to_owned(),
        };
        let detail = match state {
            ApprovalState::Approved => format!("{by} has approved it already."),
            ApprovalState::Declined => format!("{by} has declined it already."),
            ApprovalState::Expired => "It has expired: nobody decided in time.".to_owned(),
            ApprovalState::Waiting | ApprovalState::Cancelled => {
                "The task was cancelled before anybody decided.".to_owned()
            }
        };
        Ok(Problem::conflict(Conflict::DECIDED, detail).with("state", state.name()))
    }

    async fn tell_owner(self, txn: &Transaction, task: &Task, decided: notices::ApprovalOutcome<'_>) -> Result<()> {
        let (db, mail) = (self.0.db(), self.0.mail());
        Ok(notices::of_approval_decided(db, txn, mail, (task.id, task.owner_id), &title(task), decided).await?)
    }
}
