//! What can follow a task: going on with one that failed, putting back what it changed, treating those again who failed,
//! composing it anew, and moving the start of one that is scheduled. The second and the third are tasks of their own, linked to it
//! both ways.

use model::{
    Action, Code, Conflict, Instant, Outcome, PersonId, Preview, Problem, Selection, SelectionView, Submission,
    Submitted, Target, TaskId, action::Undo, ledger::LedgerFilter, note::Reason, selection::MAX_PICKED,
    submission::SubmitSource, task::OutcomeCount,
};
use queue::{NewStart, Task};
use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::{
    Actor, Caseload, Result,
    actions::{all_actions::definition, email},
    caseload::Tasks,
    notices,
    people::{selection, targeted_people::TargetedPeople},
    statement::{composed, count},
    submit::{
        send::{self, submitted},
        spec::Spec,
        undo_state,
    },
    tasks::{done_to_task, ledger_lines, visible},
};

impl Tasks<'_> {
    /// Submits the task that puts back what this one changed. `confirmed` says what was confirmed, and on which door.
    pub async fn undo(self, actor: &Actor, id: TaskId, confirmed: Submission) -> Result<Submitted> {
        let (action, target) = self.undoing(actor, id).await?;
        self.0.actions().submit(actor, Submission { action: Some(action), target: Some(target), ..confirmed }).await
    }

    /// What [`Tasks::undo`] would do.
    pub async fn preview_undo(self, actor: &Actor, id: TaskId) -> Result<Preview> {
        let (action, target) = self.undoing(actor, id).await?;
        undo_state::check_undone(self.0, self.0.db().reader(), id).await?;
        self.0.actions().preview(actor, action, target).await
    }

    /// Lets a failed task go on with what is not done; of one that has ended with failed people, treats just those again.
    pub async fn retry(self, actor: &Actor, id: TaskId, reason: Option<&str>) -> Result<Submitted> {
        let task = visible::owned_task(self.0, actor, id).await?;
        let reason = Reason::read(reason)?;
        match Spec::of(&task) {
            Some(spec) if may_retry_people(&task, &spec) => self.retry_people(actor, &task, spec, reason).await,
            _ => self.go_on(actor, task, reason).await,
        }
    }

    async fn go_on(self, actor: &Actor, before: Task, reason: Option<Reason>) -> Result<Submitted> {
        let id = before.id;
        if !queue::may_retry(before.workflow_status) {
            return Err(queue::Error::Conflict(before.workflow_status).into());
        }
        done_to_task::insist(actor, &before, reason.as_ref())?;
        let txn = self.0.db().begin_write().await?;
        let task = self.0.queue().retry(&txn, id, actor.person_id).await?;
        notices::forget_of(self.0.db(), &txn, &[id]).await?;
        done_to_task::note(self.0.db(), &txn, &[id], actor, done_to_task::RETRY, reason.as_ref(), None).await?;
        let (before, after) = (done_to_task::state_for_audit(&before), done_to_task::state_for_audit(&task));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        visible::record_verb(self.0, &txn, actor, "task.retry", id, detail).await?;
        self.0.db().commit(txn).await?;
        self.0.queue().announce(&task);
        Ok(submitted(&task))
    }

    /// Writes again to those of an ended email who got nothing for certain, or of whom that is uncertain.
    pub async fn resend(self, actor: &Actor, id: TaskId, to: LedgerFilter) -> Result<Submitted> {
        let task = visible::owned_task(self.0, actor, id).await?;
        match Spec::of(&task).filter(|spec| may_resend(&task, spec, to)) {
            Some(spec) => self.treat_again(actor, &task, spec, to).await,
            _ => Err(Problem::conflict(Conflict::NOBODY_TO_RESEND, "There is nobody to resend to.").into()),
        }
    }

    async fn retry_people(self, actor: &Actor, task: &Task, spec: Spec, reason: Option<Reason>) -> Result<Submitted> {
        let spec = Spec { reason: reason.clone().map(Reason::into_text).or(spec.reason), ..spec };
        let child = self.treat_again(actor, task, spec, LedgerFilter::Failed).await?;
        if reason.is_some() {
            // Whose task it is sees who did it and why; the child is another's.
            let txn = self.0.db().begin_write().await?;
            done_to_task::note(self.0.db(), &txn, &[task.id], actor, done_to_task::RETRY, reason.as_ref(), None)
                .await?;
            let (before, after) = (json!({ "failed": task.failed }), json!({ "task": child.id }));
            let detail = json!({ "reason": reason, "before": before, "after": after });
            visible::record_verb(self.0, &txn, actor, "task.retry", task.id, detail).await?;
            self.0.db().commit(txn).await?;
        }
        Ok(child)
    }

    /// Submits the task that treats those of an ended one again who have an outcome.
    async fn treat_again(self, actor: &Actor, task: &Task, spec: Spec, which: LedgerFilter) -> Result<Submitted> {
        own_list(actor, task, &spec)?;
        let count = to_treat_again(self.0, task.id, which).await?;
        if count == 0 {
            // A second click is the same task.
            let kind = &task.execution_component_name;
            let children = queue::children_that_count(self.0.db().reader(), &[task.id], kind).await?;
            let under_way = children.iter().find(|child| !child.workflow_status.is_finished());
            let nobody = || Problem::conflict(Conflict::NOBODY_LEFT, "All of them have already been retried.");
            return Ok(under_way.map(submitted).ok_or_else(nobody)?);
        }
        let ended = self.0.queue().ended_children(task.id).await?;
        let target = Target::Ledger { task: task.id, outcomes: vec![which] };
        // A copy of the whole action is made once. Where nobody was reached there was none.
        let copied = email::has_copied(self.0.db(), task.id).await?;
        let submission = Submission {
            action: Some(if copied { spec.action.again() } else { spec.action }),
            target: Some(target),
            // The button says how many.
            confirm_total: Some(count),
            reason: spec.reason,
            idempotency_key: Some(format!("retry:{}:{ended}:{which}", task.id)),
            ..Submission::from_source(SubmitSource::Program)
        };
        self.0.actions().submit(actor, submission).await
    }

    /// The action and the people of a task, to be composed anew: the people as a selection.
    pub async fn repeat(self, actor: &Actor, id: TaskId) -> Result<(Action, SelectionView)> {
        let task = visible::visible_task(self.0, actor, id).await?;
        let spec = Spec::of(&task).filter(|spec| spec.action.can_be_repeated());
        let spec =
            spec.ok_or_else(|| Problem::conflict(Conflict::NOT_REPEATABLE, "This kind of task cannot be repeated."))?;
        let selection = match spec.targeted {
            TargetedPeople::Matching { filter, exclude } => Selection::Matching { filter, exclude },
            TargetedPeople::Listed { ids, school_ids } if school_ids.is_empty() => Selection::Picked { ids },
            TargetedPeople::Listed { school_ids, .. } => {
                let (selection, _) = self.0.selections().select_school_ids(actor, school_ids).await?;
                return Ok((spec.action, selection));
            }
            TargetedPeople::Ledger { .. } => Selection::Picked { ids: self.on_ledger(id).await? },
        };
        Ok((spec.action, selection::keep_selection(self.0, actor, selection).await?))
    }

    /// Moves the start of a task that is scheduled.
    pub async fn reschedule(self, actor: &Actor, id: TaskId, start: Instant) -> Result<()> {
        let task = visible::owned_task(self.0, actor, id).await?;
        let start = send::future(self.0, start).await?;
        let start =
            start.ok_or_else(|| Problem::field("triggerDate", "out_of_range", "Choose a start in the future."))?;
        if let Some(hold) = Spec::of(&task).and_then(|spec| self.0.actions().hold_of(&spec.action))
            && start < self.0.db().now().await? + hold
        {
            let message =
                format!("Emails are held for {} s before they are sent. Choose a later start.", hold.as_secs());
            return Err(Problem::field("triggerDate", "held", message).into());
        }
        let txn = self.0.db().begin_write().await?;
        let task = self.0.queue().reschedule(&txn, id, actor.person_id, NewStart::At(start)).await?;
        done_to_task::note(self.0.db(), &txn, &[id], actor, done_to_task::MOVE_START, None, None).await?;
        visible::record_verb(self.0, &txn, actor, "task.reschedule", id, json!({ "triggerDate": start })).await?;
        self.0.db().commit(txn).await?;
        self.0.queue().announce(&task);
        Ok(())
    }

    async fn undoing(self, actor: &Actor, id: TaskId) -> Result<(Action, Target)> {
        let task = visible::owned_task(self.0, actor, id).await?;
        let refused = |detail: &str| {
            Problem::conflict(Conflict::NOT_UNDOABLE, detail).with("currentStatus", task.workflow_status.name())
        };
        let spec = Spec::of(&task).filter(|spec| definition(&spec.action).undoing().is_some());
        let spec = spec.ok_or_else(|| refused("This kind of task cannot be undone."))?;
        own_list(actor, &task, &spec)?;
        if !task.workflow_status.is_finished() {
            return Err(refused("The task has not ended. Cancel it first, or wait for its end.").into());
        }
        if task.succeeded == 0 {
            return Err(refused("The task changed nobody, so there is nothing to undo.").into());
        }
        let action = Action::Undo(Undo { task: id, of: Box::new(spec.action) });
        Ok((action, Target::Ledger { task: id, outcomes: vec![LedgerFilter::Done] }))
    }

    async fn on_ledger(self, id: TaskId) -> Result<Vec<PersonId>> {
        let sql = "SELECT person_id FROM task_person WHERE task_id = $1 AND person_id IS NOT NULL ORDER BY person_id LIMIT $2";
        let statement = self.0.db().statement(sql, [id.into(), (MAX_PICKED as i64 + 1).into()]);
        let rows = self.0.db().reader().query_all_raw(statement).await?;
        if rows.len() > MAX_PICKED {
            let detail = "These are too many people to be listed. Repeat the task that they came from instead.";
            return Err(Problem::refused(Code::TOO_MANY, "Too many people", detail).into());
        }
        rows.iter().map(|row| Ok(row.try_get("", "person_id")?)).collect()
    }
}

/// How many people of a task have an outcome, and have not been treated again since.
async fn to_treat_again(caseload: &Caseload, task: TaskId, which: LedgerFilter) -> Result<u64> {
    let counting = "SELECT COUNT(*) AS count FROM task_person tp WHERE tp.task_id = $1 AND $2";
    let again = ledger_lines::to_treat_again(task, &[which]);
    count(caseload.db().reader(), composed(caseload.db(), counting, [task.into(), again])).await
}

/// Those outcomes of an ended email whose people can be written to again, with how many they are.
pub(crate) async fn resendable(caseload: &Caseload, task: &Task, spec: &Spec) -> Result<Vec<OutcomeCount>> {
    let mut found = Vec::new();
    for (outcome, filter) in [(Outcome::Failed, LedgerFilter::Failed), (Outcome::Uncertain, LedgerFilter::Uncertain)] {
        if may_resend(task, spec, filter) {
            let count = to_treat_again(caseload, task.id, filter).await?;
            found.extend((count > 0).then_some(OutcomeCount { outcome, count }));
        }
    }
    Ok(found)
}

/// Whoever acts on somebody else's task would change a watch list of their own.
fn own_list(actor: &Actor, task: &Task, spec: &Spec) -> Result<()> {
    match definition(&spec.action).is_personal() && task.owner_id != actor.person_id {
        true => Err(actor.forbidden("Only its owner can change a watch list.")),
        false => Ok(()),
    }
}

/// Whether there are people of an ended task to treat again.
pub fn may_retry_people(task: &Task, spec: &Spec) -> bool {
    definition(&spec.action).retries_failed()
        && task.workflow_status.is_finished()
        && !queue::may_retry(task.workflow_status)
        && task.failed > 0
}

/// Whether there are people of an ended email to write to again.
pub fn may_resend(task: &Task, spec: &Spec, to: LedgerFilter) -> bool {
    definition(&spec.action).treats_again() && task.workflow_status.is_finished() && people_with(task, to) > 0
}

/// How many people of a task have an outcome that something can be done about.
fn people_with(task: &Task, outcome: LedgerFilter) -> u64 {
    let count = match outcome {
        LedgerFilter::Failed => task.failed,
        LedgerFilter::Uncertain => task.uncertain,
        LedgerFilter::Done | LedgerFilter::Skipped | LedgerFilter::Open => 0,
    };
    count.unsigned_abs()
}

/// Whether what a task changed can be put back by this actor, unless it has been.
pub fn may_undo(actor: &Actor, task: &Task, spec: &Spec) -> bool {
    let own = task.owner_id == actor.person_id;
    let may = own || !definition(&spec.action).is_personal();
    definition(&spec.action).undoing().is_some() && task.workflow_status.is_finished() && task.succeeded > 0 && may
}
