//! What can follow a task: putting back what it changed, treating those again who failed, composing it anew, and moving the
//! start of one that is scheduled. The first two are tasks of their own, linked to it both ways.

use model::{
    Action, Instant, Outcome, Preview, Problem, Selection, SelectionView, Submission, Submitted, Target, action::Undo,
    ledger::LedgerFilter, note::checked_note, selection::MAX_PICKED, submission::Door, task::OutcomeCount,
};
use queue::Task;
use sea_orm::ConnectionTrait;
use serde_json::json;
use uuid::Uuid;

use crate::{
    Actor, Caseload, Result, actions::rules, admin::verbs, binds::Binds, ledger, members::Members, notices, spec::Spec,
    submit::submitted,
};

impl Caseload {
    /// Submits the task that puts back what this one changed. `confirmed` says what was confirmed, and on which door.
    pub async fn undo(&self, actor: &Actor, id: Uuid, confirmed: Submission) -> Result<Submitted> {
        let (action, target) = self.undoing(actor, id).await?;
        self.submit(actor, Submission { action: Some(action), target: Some(target), ..confirmed }).await
    }

    /// What [`Caseload::undo`] would do.
    pub async fn preview_undo(&self, actor: &Actor, id: Uuid) -> Result<Preview> {
        let (action, target) = self.undoing(actor, id).await?;
        self.preview(actor, action, target).await
    }

    /// Lets a failed task go on with what is not done; of one that has ended with failed people, treats just those again.
    pub async fn retry(&self, actor: &Actor, id: Uuid, reason: Option<&str>) -> Result<Submitted> {
        let task = self.owned_task(actor, id).await?;
        let reason = checked_note("reason", reason)?;
        match Spec::of(&task) {
            Some(spec) if may_retry_people(&task, &spec) => self.retry_people(actor, &task, spec, reason).await,
            _ => self.go_on(actor, task, reason).await,
        }
    }

    async fn go_on(&self, actor: &Actor, before: Task, reason: Option<String>) -> Result<Submitted> {
        let id = before.id;
        if !queue::may_retry(before.workflow_status) {
            return Err(queue::Error::Conflict(before.workflow_status).into());
        }
        if reason.is_none() && before.owner_id != actor.person_id {
            return Err(Problem::field("reason", "required", "Say why: it is somebody else's task.").into());
        }
        let txn = self.db().begin_write().await?;
        let task = self.queue().retry(&txn, id, actor.person_id).await?;
        notices::forget_of(self.db(), &txn, &[id]).await?;
        verbs::note(self.db(), &txn, &[id], actor, verbs::RETRY, reason.as_deref(), None).await?;
        let (before, after) = (verbs::standing(&before), verbs::standing(&task));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        self.record_verb(&txn, actor, "task.retry", id, detail).await?;
        self.db().commit(txn).await?;
        self.queue().announce(&task);
        Ok(submitted(&task))
    }

    /// Writes again to those of an ended email who got nothing for certain, or of whom that is uncertain.
    pub async fn resend(&self, actor: &Actor, id: Uuid, to: LedgerFilter) -> Result<Submitted> {
        let task = self.owned_task(actor, id).await?;
        match Spec::of(&task).filter(|spec| may_resend(&task, spec, to)) {
            Some(spec) => self.treat_again(actor, &task, spec, to).await,
            _ => Err(Problem::conflict("nobody_to_resend", "There is nobody to write to again.").into()),
        }
    }

    /// How many people of a task have an outcome, and have not been treated again since.
    async fn to_treat_again(&self, task: Uuid, which: LedgerFilter) -> Result<u64> {
        let mut binds = Binds::default();
        let again = ledger::to_treat_again(task, &[which], &mut binds);
        let task = binds.add(task);
        self.count(
            &format!("SELECT COUNT(*) AS count FROM task_person tp WHERE tp.task_id = {task} AND {again}"),
            binds,
        )
        .await
    }

    /// Those outcomes of an ended email whose people can be written to again, with how many they are.
    pub(crate) async fn resendable(&self, task: &Task, spec: &Spec) -> Result<Vec<OutcomeCount>> {
        let mut found = Vec::new();
        for (outcome, filter) in
            [(Outcome::Failed, LedgerFilter::Failed), (Outcome::Uncertain, LedgerFilter::Uncertain)]
        {
            if may_resend(task, spec, filter) {
                let count = self.to_treat_again(task.id, filter).await?;
                found.extend((count > 0).then_some(OutcomeCount { outcome, count }));
            }
        }
        Ok(found)
    }

    async fn retry_people(&self, actor: &Actor, task: &Task, spec: Spec, reason: Option<String>) -> Result<Submitted> {
        let spec = Spec { reason: reason.clone().or(spec.reason), ..spec };
        let child = self.treat_again(actor, task, spec, LedgerFilter::Failed).await?;
        if reason.is_some() {
            // Whose task it is sees who did it and why; the child is another's.
            let txn = self.db().begin_write().await?;
            verbs::note(self.db(), &txn, &[task.id], actor, verbs::RETRY, reason.as_deref(), None).await?;
            let (before, after) = (json!({ "failed": task.failed }), json!({ "task": child.id }));
            let detail = json!({ "reason": reason, "before": before, "after": after });
            self.record_verb(&txn, actor, "task.retry", task.id, detail).await?;
            self.db().commit(txn).await?;
        }
        Ok(child)
    }

    /// Submits the task that treats those of an ended one again who have an outcome.
    async fn treat_again(&self, actor: &Actor, task: &Task, spec: Spec, which: LedgerFilter) -> Result<Submitted> {
        own_list(actor, task, &spec)?;
        let children = self.queue().children(task.id).await?;
        let count = self.to_treat_again(task.id, which).await?;
        if count == 0 {
            // A second click is the same task.
            let under_way = children.iter().find(|child| {
                !child.workflow_status.is_finished() && child.execution_component_name == task.execution_component_name
            });
            let nobody = || Problem::conflict("nobody_left", "All of them have been treated again since.");
            return Ok(under_way.map(submitted).ok_or_else(nobody)?);
        }
        let ended = children.iter().filter(|child| child.workflow_status.is_finished()).count();
        let target = Target::Ledger { task: task.id, outcomes: vec![which] };
        let submission = Submission {
            action: Some(spec.action.again()),
            target: Some(target),
            // The button says how many.
            confirm_total: Some(count),
            reason: spec.reason,
            idempotency_key: Some(format!("retry:{}:{ended}:{which}", task.id)),
            ..Submission::through(Door::Program)
        };
        self.submit(actor, submission).await
    }

    /// The action and the people of a task, to be composed anew: the people as a selection.
    pub async fn repeat(&self, actor: &Actor, id: Uuid) -> Result<(Action, SelectionView)> {
        let task = self.visible_task(actor, id).await?;
        let spec = Spec::of(&task).filter(|spec| spec.action.can_be_repeated());
        let spec = spec.ok_or_else(|| Problem::conflict("not_repeatable", "This kind of task cannot be repeated."))?;
        let selection = match spec.members {
            Members::Matching { filter, exclude } => Selection::Matching { filter, exclude },
            Members::Listed { ids, school_ids } if school_ids.is_empty() => Selection::Picked { ids },
            Members::Listed { school_ids, .. } => {
                let (selection, _) = self.select_school_ids(actor, school_ids).await?;
                return Ok((spec.action, selection));
            }
            Members::Ledger { .. } => Selection::Picked { ids: self.on_ledger(id).await? },
        };
        Ok((spec.action, self.keep_selection(actor, selection).await?))
    }

    /// Moves the start of a task that is scheduled.
    pub async fn reschedule(&self, actor: &Actor, id: Uuid, start: Instant) -> Result<()> {
        let task = self.owned_task(actor, id).await?;
        let start = self.future(start).await?;
        let start =
            start.ok_or_else(|| Problem::field("triggerDate", "out_of_range", "Choose a start in the future."))?;
        if let Some(hold) = Spec::of(&task).and_then(|spec| rules(&spec.action).hold(self))
            && start < self.db().now().await? + hold
        {
            let message = format!("It waits {} s for second thoughts: choose a later start.", hold.as_secs());
            return Err(Problem::field("triggerDate", "held", message).into());
        }
        let txn = self.db().begin_write().await?;
        let task = self.queue().reschedule(&txn, id, actor.person_id, start).await?;
        self.record_verb(&txn, actor, "task.reschedule", id, json!({ "triggerDate": start })).await?;
        self.db().commit(txn).await?;
        self.queue().announce(&task);
        Ok(())
    }

    async fn undoing(&self, actor: &Actor, id: Uuid) -> Result<(Action, Target)> {
        let task = self.owned_task(actor, id).await?;
        let refused =
            |detail: &str| Problem::conflict("not_undoable", detail).with("currentStatus", task.workflow_status.name());
        let spec = Spec::of(&task).filter(|spec| rules(&spec.action).undoing().is_some());
        let spec = spec.ok_or_else(|| refused("This kind of task cannot be undone."))?;
        own_list(actor, &task, &spec)?;
        if !task.workflow_status.is_finished() {
            return Err(refused("The task has not ended. Cancel it first, or wait for its end.").into());
        }
        if task.succeeded == 0 {
            return Err(refused("The task changed nobody, so there is nothing to put back.").into());
        }
        let action = Action::Undo(Undo { task: id, of: Box::new(spec.action) });
        Ok((action, Target::Ledger { task: id, outcomes: vec![LedgerFilter::Done] }))
    }

    async fn on_ledger(&self, id: Uuid) -> Result<Vec<Uuid>> {
        let sql = "SELECT person_id FROM task_person WHERE task_id = $1 AND person_id IS NOT NULL ORDER BY person_id LIMIT $2";
        let statement = self.db().statement(sql, [id.into(), (MAX_PICKED as i64 + 1).into()]);
        let rows = self.db().reader().query_all_raw(statement).await?;
        if rows.len() > MAX_PICKED {
            let detail = "These are too many people to be listed. Repeat the task that they came from instead.";
            return Err(Problem::refused("too_many", "Too many people", detail).into());
        }
        rows.iter().map(|row| Ok(row.try_get("", "person_id")?)).collect()
    }
}

/// Whoever acts on somebody else's task would change a watch list of their own.
fn own_list(actor: &Actor, task: &Task, spec: &Spec) -> Result<()> {
    match rules(&spec.action).is_personal() && task.owner_id != actor.person_id {
        true => Err(Problem::forbidden("A watch list is changed by whose it is.").into()),
        false => Ok(()),
    }
}

/// Whether there are people of an ended task to treat again.
pub fn may_retry_people(task: &Task, spec: &Spec) -> bool {
    rules(&spec.action).retries_failed()
        && task.workflow_status.is_finished()
        && !queue::may_retry(task.workflow_status)
        && task.failed > 0
}

/// Whether there are people of an ended email to write to again.
pub fn may_resend(task: &Task, spec: &Spec, to: LedgerFilter) -> bool {
    rules(&spec.action).treats_again() && task.workflow_status.is_finished() && people_with(task, to) > 0
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

/// Whether what a task changed can be put back by this actor.
pub fn may_undo(actor: &Actor, task: &Task, spec: &Spec) -> bool {
    let own = task.owner_id == actor.person_id;
    let may = own || !rules(&spec.action).is_personal();
    rules(&spec.action).undoing().is_some() && task.workflow_status.is_finished() && task.succeeded > 0 && may
}
