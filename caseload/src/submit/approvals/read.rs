//! What waits for somebody's decision, what somebody has asked for, and one of these with its numbers as they were and as they are.

use model::{
    Instant, SkipReason, TaskId, WorkflowStatus,
    approval::{Approval, ApprovalDetail, ApprovalLine, ApprovalState},
    preview::SampleRow,
};
use queue::Task;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{
    counts::{self, VerdictCounts},
    deciders,
};
use crate::{
    Actor, Error, Result, access,
    accounts::request_origin::Via,
    actions::all_actions::definition,
    caseload::Approvals,
    entity::tasks::approval::{Column, Decision, Entity, Model},
    statement::{at_most, composed},
    submit::{preview, spec::Spec},
    tasks::{title::title, visible},
};

/// As many are listed.
const LISTED: i64 = 100;

impl Approvals<'_> {
    /// Whether any task has to wait for a second person, as whoever runs Docket has set it.
    pub fn are_needed(self) -> bool {
        self.0.approval_rule().is_on()
    }

    /// Refuses whoever could not decide on it, before anything that they say of it is read; nobody is counted for that.
    pub async fn may_decide_on(self, actor: &Actor, id: TaskId) -> Result<()> {
        let (task, row, spec) = self.found(id).await?;
        let told = self.told(actor, &task, &row, self.0.db().now().await?).await?;
        told.ok_or_else(|| actor.hidden("approval"))?;
        if task.owner_id == actor.person_id {
            return Err(actor.forbidden("Nobody approves their own task. Somebody else has to decide."));
        }
        actor.require(spec.action.right())
    }

    /// A task that waits or waited, with what was asked of it.
    async fn found(self, id: TaskId) -> Result<(Task, Model, Spec)> {
        let gone = || model::Problem::not_found("approval");
        let task = self.0.queue().task(id).await?.ok_or_else(gone)?;
        let (row, spec) = row(self.0.db().reader(), id).await?.zip(Spec::of(&task)).ok_or_else(gone)?;
        Ok((task, row, spec))
    }

    /// What waits for this actor's decision, what expires first at the top.
    pub async fn waiting(self, actor: &Actor) -> Result<Vec<Approval>> {
        let db = self.0.db();
        let waiting = "SELECT a.task_id FROM ($1) AS waiting JOIN approval a ON a.task_id = waiting.id
             WHERE waiting.owner_id <> $2 AND a.expiry_date > $3 AND ($4) ORDER BY a.expiry_date, a.task_id LIMIT $5";
        // What others decide on must not take the places of what this actor does.
        let might = deciders::might_decide(actor);
        let parts = [queue::unfinished::unapproved(), actor.person_id.into(), db.instant(), might, at_most(LISTED)];
        let rows = db.reader().query_all_raw(composed(db, waiting, parts)).await?;
        let ids = rows.iter().map(|row| row.try_get("", "task_id")).collect::<Result<Vec<TaskId>, _>>()?;
        let mut rows = Entity::find().filter(Column::TaskId.is_in(ids.iter().copied())).all(db.reader()).await?;
        rows.sort_by_key(|row| ids.iter().position(|id| *id == row.task_id));
        let mut found = self.told_of_each(actor, &rows).await?;
        found.retain(|approval| approval.can_decide);
        Ok(found)
    }

    /// What this actor has asked for, the latest first.
    pub async fn asked(self, actor: &Actor) -> Result<Vec<Approval>> {
        let rows = Entity::find().filter(Column::AskedBy.eq(actor.person_id));
        let rows = rows.order_by_desc(Column::AskedDate).limit(LISTED.unsigned_abs()).all(self.0.db().reader()).await?;
        self.told_of_each(actor, &rows).await
    }

    async fn told_of_each(self, actor: &Actor, rows: &[Model]) -> Result<Vec<Approval>> {
        let now = self.0.db().now().await?;
        let tasks = self.0.queue().tasks_by_id(rows.iter().map(|row| row.task_id)).await?;
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(task) = tasks.iter().find(|task| task.id == row.task_id) else { continue };
            found.extend(self.told(actor, task, row, now).await?);
        }
        Ok(found)
    }

    /// One of them. To whoever neither asked for it nor could decide it does not exist.
    pub async fn get(self, actor: &Actor, id: TaskId) -> Result<ApprovalDetail> {
        let db = self.0.db();
        let (task, row, spec) = self.found(id).await?;
        let now_is = db.now().await?;
        let Some(approval) = self.told(actor, &task, &row, now_is).await? else { return Err(actor.hidden("approval")) };
        let (mut now, mut sample) = (None, Vec::new());
        if approval.state == ApprovalState::Waiting
            && let Some(submitter) = access::load(db.reader(), task.run_as_id, Via::docket()).await?
        {
            now = Some(counts::count_now(db, db.reader(), &submitter, id, &spec).await?);
            sample = self.sample(actor, &submitter, id, &spec).await?;
        }
        let all = deciders::of_task(db, db.reader(), id, task.owner_id, spec.action.right(), spec.frozen).await?;
        let mut facts = definition(&spec.action).facts();
        facts.extend(definition(&spec.action).details(self.0, id).await?);
        Ok(ApprovalDetail {
            above: row.above.map(i64::unsigned_abs),
            start_date: row.start_date,
            reason: spec.reason.clone(),
            counted_date: now_is,
            will_change_now: now.as_ref().map(counts::will_change),
            lines: lines(&row, &spec, now.as_ref())?,
            sample,
            drift_allowed: self.0.approval_rule().drift,
            deciders: deciders::told(&all),
            facts,
            approval,
        })
    }

    /// Some of those who would change.
    async fn sample(self, actor: &Actor, submitter: &Actor, id: TaskId, spec: &Spec) -> Result<Vec<SampleRow>> {
        let judged = counts::judged_now(submitter, id, spec);
        preview::sample_of(self.0, actor, &spec.action, judged).await
    }

    /// As this actor is told of it; nothing where they are not to know of it.
    async fn told(self, actor: &Actor, task: &Task, row: &Model, now: Instant) -> Result<Option<Approval>> {
        let (db, own) = (self.0.db(), task.owner_id == actor.person_id);
        let Some(spec) = Spec::of(task) else { return Ok(None) };
        let could = !own
            && actor.may(spec.action.right())
            && deciders::reaches_all(db, db.reader(), actor, task.id, &spec).await?;
        if !could && !visible::may_see(actor, task) {
            return Ok(None);
        }
        let state = state_of(task, row, now);
        Ok(Some(Approval {
            id: task.id,
            kind: task.execution_component_name.clone(),
            title: title(task),
            state,
            asked_by: row.asked_by,
            asked_by_name: self.0.staff_name(row.asked_by).await?,
            asked_date: row.asked_date,
            expiry_date: row.expiry_date,
            total: row.total.unsigned_abs(),
            will_change: row.will_change.unsigned_abs(),
            decided_by_name: match row.decided_by {
                Some(by) => Some(self.0.staff_name(by).await?),
                None => None,
            },
            decided_date: row.decided_date,
            note: row.note.clone(),
            can_decide: could && state == ApprovalState::Waiting,
        }))
    }
}

/// What was asked and decided of a task, if anything was.
pub(super) async fn row(connection: &impl ConnectionTrait, id: TaskId) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id).one(connection).await
}

/// Where it stands. That it waits says the task alone; once its time is over nobody can decide, whether or not that was written down.
pub(super) fn state_of(task: &Task, row: &Model, now: Instant) -> ApprovalState {
    match (task.workflow_status, row.decision) {
        (WorkflowStatus::Unapproved, _) if row.expiry_date <= now => ApprovalState::Expired,
        (WorkflowStatus::Unapproved, _) => ApprovalState::Waiting,
        (_, Some(Decision::Approved)) => ApprovalState::Approved,
        (_, Some(Decision::Declined)) => ApprovalState::Declined,
        (_, Some(Decision::Expired)) => ApprovalState::Expired,
        (_, None) => ApprovalState::Cancelled,
    }
}

/// Those who will change, and then each reason that there is, or was.
fn lines(row: &Model, spec: &Spec, now: Option<&VerdictCounts>) -> Result<Vec<ApprovalLine>> {
    let asked: VerdictCounts =
        serde_json::from_str(&row.skipped).map_err(|error| Error::Internal(error.to_string()))?;
    let of = |counts: &VerdictCounts, verdict: &str| counts.get(verdict).copied().unwrap_or_default();
    // What a list of its owner's own will be is said to them alone.
    let will = match definition(&spec.action).is_personal() {
        true => "will change".to_owned(),
        false => spec.action.will(),
    };
    let mut lines = vec![ApprovalLine {
        reason: None,
        label: will,
        asked: row.will_change.unsigned_abs(),
        now: now.map(counts::will_change),
    }];
    for &reason in SkipReason::ALL {
        let (asked, now) = (of(&asked, reason.name()), now.map(|now| of(now, reason.name())));
        if asked > 0 || now.is_some_and(|now| now > 0) {
            lines.push(ApprovalLine {
                reason: Some(reason),
                label: definition(&spec.action).skip_label(reason),
                asked,
                now,
            });
        }
    }
    Ok(lines)
}
