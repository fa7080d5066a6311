//! Submitting: the risk ladder, the check that the people are still those who were counted, and one transaction that holds
//! the task and its trace in the audit.

use std::time::Duration;

use model::{
    Action, Code, PreviewToken, Problem, Submission, Submitted, Target,
    note::Reason,
    submission::{FROZEN_AT_PREVIEW, SubmitSource, WITHOUT_NUMBER, WITHOUT_PREVIEW},
};
use queue::{Enqueued, Idempotency, NewTask, Task, Transaction};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait},
};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::{
    Actor, Caseload, Error, Result,
    actions::all_actions::{self, definition},
    audit::entry::{self, By, Entry},
    caseload::Actions,
    entity,
    limits::enqueue,
    people::{
        filter,
        targeted_people::{self, TargetedPeople},
    },
    statement::composed,
    submit::{
        approvals::ask,
        preview::{self, record::PreviewRecord},
        spec::Spec,
        undo_state,
    },
};

/// A task may be scheduled this far ahead, in days.
const AHEAD: i64 = 366;
/// A start that was in the future when its form was filled in means at once, up to so many minutes later.
const LATE: i64 = 60;

impl Actions<'_> {
    /// Submits an action. Answered means durable: the task is committed with exactly the people that were counted.
    pub async fn submit(self, actor: &Actor, submission: Submission) -> Result<Submitted> {
        if let Some(action) = &submission.action {
            actor.require(action.right())?;
        }
        let reason = Reason::read(submission.reason.as_deref())?;
        let idempotency = idempotency(&submission);
        if let Some(earlier) = &idempotency
            && let Some(task) = self.0.queue().find_request(actor.person_id, earlier).await?
        {
            return Ok(submitted(&task));
        }
        let (token, mut record) = self.record(actor, &submission).await?;
        actor.require(record.action.right())?;
        if let Some(task) = self.0.queue().task(token.task()).await? {
            // The same preview submitted twice, by a second click or a reload, is one task.
            return Ok(submitted(&task));
        }
        if let Action::Undo(undo) = &record.action {
            undo_state::check_undone(self.0, self.0.db().reader(), undo.task).await?;
        }
        ladder(&submission, &record)?;
        record.check_bounds(self.0)?;
        let drifts = submission.preview.is_some();
        let scheduled = self.trigger_date(&submission).await?;
        let held = self.held_until(&record.action, scheduled).await?;
        let txn = self.0.db().begin_write().await?;
        if let Action::Undo(undo) = &record.action {
            undo_state::claim_undo(self.0, &txn, undo.task).await?;
        }
        if drifts {
            self.hold_preview(&txn, token).await?;
            self.check_drift(&txn, actor, token, &record).await?;
        }
        if let Some(task) = self.0.queue().tasks_in(&txn, &[token.task()]).await?.pop() {
            // It came in between.
            return Ok(submitted(&task));
        }
        let asking = Box::pin(ask::begin(self.0, &txn, actor, token, &mut record)).await?;
        // What waits for somebody else is held once they have approved it.
        let held = held.filter(|_| asking.is_none());
        let spec = Spec {
            action: record.action.clone(),
            targeted: record.targeted.clone(),
            frozen: record.frozen,
            total: record.total,
            will_change: record.action.cannot_be_taken_back().then_some(record.will_change),
            drift_allowed: scheduled.is_none().then(|| record.drift_allowed()),
            reason: reason.map(Reason::into_text),
        };
        let mut new = NewTask::new(record.action.kind().name(), json!(spec), actor.person_id);
        new.id = Some(token.task());
        (new.trigger_date, new.held) = (held.or(scheduled), held.is_some());
        new.unapproved = asking.is_some();
        new.total = Some(record.total.cast_signed());
        new.idempotency = idempotency;
        new.parent_task_id = record.targeted.of_task();
        let enqueued = enqueue::enqueue(self.0, &txn, new).await?;
        let Enqueued::New(task) = enqueued else { return Ok(submitted(&enqueued.task())) };
        if let Some(asking) = asking {
            Box::pin(asking.put_down(self.0, &txn, actor, &task, &spec, scheduled)).await?;
        }
        let detail = json!({
            "kind": record.action.kind(), "total": record.total, "willChange": record.will_change,
        });
        let entry = Entry {
            by: By::Actor(actor),
            action: "task.submit",
            object_kind: "task",
            object_id: Some(task.id.to_string()),
            detail,
        };
        entry::record(self.0.db(), &txn, entry).await?;
        if submission.source == SubmitSource::Page {
            definition(&record.action).submitted(self.0, &txn, actor).await?;
        }
        self.0.db().commit(txn).await?;
        // With the id of the request that it stands in, which from here on is the task's.
        tracing::info!(task = %task.id, kind = record.action.kind().name(), total = record.total, "task submitted");
        self.0.queue().announce(&task);
        Ok(submitted(&task))
    }

    /// Keeps the preview from being cleared away before this transaction ends. It may have become too old since it was read.
    async fn hold_preview(self, txn: &Transaction, token: PreviewToken) -> Result<()> {
        use entity::tasks::preview::{Column, Entity};
        let held = Entity::update_many()
            .col_expr(Column::ExpiryDate, Expr::col(Column::ExpiryDate))
            .filter(Column::Id.eq(token))
            .filter(Expr::col(Column::ExpiryDate).gt(self.0.db().instant()));
        match txn.execute_raw(self.0.db().build(&held.into_query())).await?.rows_affected() {
            0 => Err(preview::gone().into()),
            _ => Ok(()),
        }
    }

    /// The preview that was looked at, or one made now.
    async fn record(self, actor: &Actor, submission: &Submission) -> Result<(PreviewToken, PreviewRecord)> {
        let targeted = match &submission.target {
            Some(target) => Some(targeted_people::resolve(self.0, actor, target.clone()).await?),
            None => None,
        };
        let action = match &submission.action {
            Some(action) => Some(all_actions::resolve(self.0, action).await?),
            None => None,
        };
        let Some(token) = submission.preview else {
            let (Some(action), Some(targeted)) = (action, targeted) else {
                return Err(Problem::field("target", "required", "Say for whom: a target is missing.").into());
            };
            let (token, record, _) = preview::count_preview(self.0, actor, action, targeted).await?;
            return Ok((token, record));
        };
        let record = preview::load_preview(self.0, actor, token).await?;
        let same_action = action.is_none_or(|action| action == record.action);
        let same_people = targeted.is_none_or(|targeted| targeted == record.targeted);
        if same_action && same_people {
            return Ok((token, record));
        }
        let detail = "The request is not the one that was previewed. Preview it again.";
        Err(Problem::refused(Code::PREVIEW_DIFFERS, "Check again", detail).into())
    }

    /// When to start, if not at once.
    async fn trigger_date(self, submission: &Submission) -> Result<Option<model::Instant>> {
        match submission.trigger_date {
            Some(date) => future(self.0, date).await,
            None => Ok(None),
        }
    }

    /// Refuses a start that a submit would be refused for.
    pub async fn check_start(self, date: model::Instant) -> Result<()> {
        future(self.0, date).await.map(drop)
    }

    /// How long a task that does this waits for second thoughts, if it does.
    pub fn hold_of(self, action: &Action) -> Option<Duration> {
        action.cannot_be_taken_back().then(|| self.0.mail().settings().hold)
    }

    /// Until when the task waits for second thoughts, unless it starts later anyway.
    pub(crate) async fn held_until(
        self,
        action: &Action,
        scheduled: Option<model::Instant>,
    ) -> Result<Option<model::Instant>> {
        let Some(hold) = self.hold_of(action).filter(|hold| !hold.is_zero()) else { return Ok(None) };
        let until = self.0.db().now().await? + hold;
        Ok(scheduled.is_none_or(|scheduled| scheduled < until).then_some(until))
    }

    /// Refuses when more people have joined or left since the preview than may.
    async fn check_drift(
        self,
        txn: &Transaction,
        actor: &Actor,
        token: PreviewToken,
        record: &PreviewRecord,
    ) -> Result<()> {
        let TargetedPeople::Matching { filter, exclude } = &record.targeted else { return Ok(()) };
        let sql = match record.frozen {
            true => {
                "SELECT (SELECT COUNT(*) FROM person p WHERE ($1) AND NOT EXISTS (
                            SELECT 1 FROM task_person tp WHERE tp.task_id = $2 AND tp.person_id = p.id)) AS joined,
                        (SELECT COUNT(*) FROM task_person tp WHERE tp.task_id = $2 AND NOT EXISTS (
                            SELECT 1 FROM person p WHERE ($1) AND p.id = tp.person_id)) AS gone"
            }
            // Who they were is not written down above that number; how many there were is.
            false => {
                "SELECT CASE WHEN count > $3 THEN count - $3 ELSE 0 END AS joined,
                        CASE WHEN count < $3 THEN $3 - count ELSE 0 END AS gone
                 FROM (SELECT COUNT(*) AS count FROM person p WHERE ($1) AND p.id <> $2) AS now"
            }
        };
        let matching = filter::compile_without(filter, exclude, actor);
        let parts = [matching, token.into(), record.total.cast_signed().into()];
        let row = txn.query_one_raw(composed(self.0.db(), sql, parts)).await?;
        let row = row.ok_or_else(|| Error::Internal("a count without a row".to_owned()))?;
        let (joined, gone): (i64, i64) = (row.try_get("", "joined")?, row.try_get("", "gone")?);
        if (joined + gone).unsigned_abs() <= record.drift_allowed() {
            return Ok(());
        }
        let detail = format!(
            "The list changed since you checked it (+{joined}, −{gone}). Nothing was submitted. Check the new numbers."
        );
        Err(Problem::refused(Code::DRIFTED, "The list changed", detail)
            .with("joined", joined)
            .with("left", gone)
            .into())
    }
}

/// A start that is still to come, and not too far ahead.
pub(crate) async fn future(caseload: &Caseload, date: model::Instant) -> Result<Option<model::Instant>> {
    let now = caseload.db().now().await?;
    if date > now + chrono::TimeDelta::days(AHEAD) {
        let message = format!("Choose a start within {AHEAD} days.");
        return Err(Problem::field("triggerDate", "out_of_range", message).into());
    }
    if date < now - chrono::TimeDelta::minutes(LATE) {
        return Err(Problem::field("triggerDate", "out_of_range", "Choose a start in the future.").into());
    }
    Ok((date > now).then_some(date))
}

/// What has to be confirmed before so many people are changed.
fn ladder(submission: &Submission, record: &PreviewRecord) -> Result<()> {
    if record.reached == 0 {
        let detail = "Nobody matches, so there is nothing to do.";
        return Err(Problem::bad_request(Code::NOBODY_MATCHES, detail).into());
    }
    // A program that sends a preview back has been told how many they are.
    let previewed = submission.source == SubmitSource::Program && submission.preview.is_some();
    let asked_for_everyone = submission.everyone_confirmed || previewed || submission.target == Some(Target::Everyone);
    if record.targeted.is_everyone() && !asked_for_everyone && submission.source == SubmitSource::Program {
        let message = "This is everyone, without any filter. If that is what you mean, send {\"everyone\": true}.";
        return Err(Problem::field("target", "everyone", message).into());
    }
    if record.targeted.is_everyone() && !asked_for_everyone {
        let message = "You have not set a filter. Confirm that you mean everyone.";
        return Err(Problem::field("everyone", "required", message).into());
    }
    if !record.action.changes_people() {
        return Ok(());
    }
    let enough = if record.action.cannot_be_taken_back() { 0 } else { WITHOUT_NUMBER };
    let unseen = if record.action.cannot_be_taken_back() { 0 } else { WITHOUT_PREVIEW };
    let (number, preview_enough) = match submission.source {
        SubmitSource::Page => (record.will_change, false),
        SubmitSource::Program => (record.total, true),
    };
    if submission.source == SubmitSource::Page && record.will_change > unseen && submission.preview.is_none() {
        let detail = format!("This affects {}. Check what will happen first.", model::people(record.will_change));
        return Err(Problem::refused(Code::PREVIEW_REQUIRED, "Check first", detail).into());
    }
    let confirmed = match submission.confirm_total {
        Some(given) => given == number,
        None => number <= enough || (preview_enough && submission.preview.is_some()),
    };
    if confirmed {
        return Ok(());
    }
    let mut problem = Problem::refused(
        Code::CONFIRMATION_REQUIRED,
        "Confirm the number",
        format!("Type {} to confirm the number of people.", model::grouped(number)),
    )
    .with("total", number);
    problem.errors.push(model::FieldError::new("confirmTotal", "required", problem.detail.clone()));
    Err(problem.into())
}

/// The caller's key with a hash over everything that makes the request what it is.
fn idempotency(submission: &Submission) -> Option<Idempotency> {
    let key = submission.idempotency_key.clone()?;
    // As JSON, whose names outlive those of the code: a retry may meet a newer release.
    let request = json!({
        "action": submission.action,
        "target": submission.target,
        "preview": submission.preview,
        "confirmTotal": submission.confirm_total,
        "triggerDate": submission.trigger_date,
        "reason": submission.reason,
    });
    let request_hash =
        Sha256::digest(request.to_string().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    Some(Idempotency { key, request_hash })
}

/// The answer to a submit.
pub(crate) fn submitted(task: &Task) -> Submitted {
    Submitted {
        id: task.id,
        created_date: task.created_date,
        created_by: task.created_by,
        modified_date: task.modified_date,
        modified_by: task.modified_by,
    }
}

const _: () =
    assert!(WITHOUT_NUMBER < FROZEN_AT_PREVIEW, "a number is asked for before the freeze moves into the task");
