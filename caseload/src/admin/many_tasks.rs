//! Retry and abandon over many tasks: looked at first, then done in one transaction with one entry in the audit. Only what was
//! looked at is reached.

use std::collections::BTreeMap;

use model::{
    Conflict, Cursor, Instant, OperationToken, Page, Problem, TaskId, TaskRow, TaskState, Total,
    admin::{AdminTaskQuery, BulkDone, BulkPreview, BulkVerb, Confirmed, StateCount},
};
use queue::{TaskSearch, TaskVersion};
use serde_json::json;

use crate::{
    Actor, Result,
    admin::{
        guard::{administering, reasoned},
        many_tasks_preview::{self, KeptTasks},
        tasks,
    },
    audit::entry::{self, By, Entry},
    caseload::Admin,
    notices,
    tasks::{done_to_task, row},
};

/// The most tasks of one operation: it is one transaction, and others wait for it on SQLite.
const MOST: u64 = 5_000;
/// How many the sample shows.
const SAMPLE: usize = 10;
/// Rows on a page of all that are kept.
const PAGE: usize = 25;
/// How many ids the audit keeps of one operation; the filter says the rest.
const KEPT: usize = 1_000;

/// The states in which a verb changes a task.
fn reached(verb: BulkVerb) -> &'static [TaskState] {
    use TaskState::*;
    match verb {
        BulkVerb::Retry => &[Failed, CouldNotStart, Retrying],
        BulkVerb::Abandon => &[Unapproved, Waiting, Retrying, Scheduled, Held, Running, Failed, CouldNotStart],
    }
}

/// The states that were asked for, or all of them.
fn states_asked_for(query: &AdminTaskQuery) -> Vec<TaskState> {
    if query.states.is_empty() { TaskState::ALL.to_vec() } else { query.states.clone() }
}

impl Admin<'_> {
    /// What a verb on all tasks that match would do.
    pub async fn preview_bulk(self, actor: &Actor, verb: BulkVerb, query: &AdminTaskQuery) -> Result<BulkPreview> {
        administering(actor)?;
        let now = self.0.db().now().await?;
        let mut stands = match self.bulk_search(verb, query, now).await? {
            Some(search) => self.0.queue().stands(&search, now, MOST + 1).await?,
            None => Vec::new(),
        };
        let more = stands.len() as u64 > MOST;
        stands.truncate(MOST as usize);
        let token = many_tasks_preview::keep(self.0, actor, verb, query, &stands).await?;
        Ok(BulkPreview { more, ..self.bulk_preview_of(actor, verb, query, token, &stands, now).await? })
    }

    /// What is kept under the token of a preview, with what is beside it by now; `query` is what was asked then.
    pub async fn bulk_again(
        self,
        actor: &Actor,
        verb: BulkVerb,
        query: &AdminTaskQuery,
        token: OperationToken,
    ) -> Result<BulkPreview> {
        administering(actor)?;
        let now = self.0.db().now().await?;
        let kept = many_tasks_preview::find(self.0.db(), self.0.db().reader(), actor, verb, token).await?.tasks;
        let more = match self.bulk_search(verb, query, now).await? {
            Some(search) if kept.len() as u64 == MOST => self.0.queue().count_tasks(&search, now, MOST).await? > MOST,
            _ => false,
        };
        Ok(BulkPreview { more, ..self.bulk_preview_of(actor, verb, query, token, &kept, now).await? })
    }

    /// A page of all the tasks that are kept under the token of a preview, the latest first, as they are now; `after` is the last
    /// one of the page before.
    pub async fn bulk_tasks(
        self,
        actor: &Actor,
        verb: BulkVerb,
        token: OperationToken,
        after: Option<&Cursor>,
    ) -> Result<Page<TaskRow>> {
        administering(actor)?;
        let kept = many_tasks_preview::find(self.0.db(), self.0.db().reader(), actor, verb, token).await?.tasks;
        let mut ids: Vec<TaskId> = kept.iter().rev().map(|stand| stand.id).collect();
        if let Some(after) = after {
            let after: TaskId = after.place()?;
            let last = ids.iter().position(|id| *id == after).ok_or_else(Cursor::gone)?;
            ids.drain(..=last);
        }
        let more = ids.len() > PAGE;
        ids.truncate(PAGE);
        let next = ids.last().filter(|_| more).map(Cursor::after);
        let items = self.rows_of(actor, &ids, self.0.db().now().await?).await?;
        Ok(Page { items, next, total: Total::exactly(kept.len() as u64) })
    }

    /// Does it, to those that the preview saw and to which nothing has been done since.
    pub async fn apply_bulk(
        self,
        actor: &Actor,
        verb: BulkVerb,
        confirmed: &Confirmed,
        reason: &str,
    ) -> Result<BulkDone> {
        let reason = reasoned(actor, reason)?;
        let txn = self.0.db().begin_write().await?;
        let KeptTasks { filter, tasks } =
            many_tasks_preview::find(self.0.db(), &txn, actor, verb, confirmed.preview_token).await?;
        if filter.is_empty() && !confirmed.everything {
            let message = "You have not set a filter. Confirm that you mean all tasks.";
            return Err(Problem::field("everything", "required", message).into());
        }
        let ids = self.0.queue().unchanged(&txn, &tasks).await?;
        let before: BTreeMap<_, _> = self
            .0
            .queue()
            .states_among(&txn, &ids, self.0.db().now().await?)
            .await?
            .into_iter()
            .map(|(state, count)| (state.name(), count))
            .collect();
        let changed = match verb {
            BulkVerb::Retry => self.0.queue().retry_all(&txn, &ids, actor.person_id).await?,
            BulkVerb::Abandon => self.0.queue().abandon_all(&txn, &ids, actor.person_id, reason.as_str()).await?,
        };
        let reached: Vec<TaskId> = changed.iter().map(|task| task.id).collect();
        if reached.is_empty() {
            let detail = "None of these tasks can be retried or closed now.";
            return Err(Problem::conflict(Conflict::NOTHING_TO_DO, detail).into());
        }
        let (action, word, after) = match verb {
            BulkVerb::Retry => ("tasks.retry", done_to_task::RETRY, "QUEUED"),
            BulkVerb::Abandon => ("tasks.abandon", done_to_task::ABANDON, "ABANDONED"),
        };
        let detail = json!({
            "reason": reason, "count": reached.len(), "filter": filter, "before": before,
            "after": { after: reached.len() }, "tasks": reached.iter().take(KEPT).collect::<Vec<_>>(),
        });
        let entry = Entry { by: By::Actor(actor), action, object_kind: "tasks", object_id: None, detail };
        let operation = entry::record_one(self.0.db(), &txn, entry).await?;
        done_to_task::note(self.0.db(), &txn, &reached, actor, word, Some(&reason), Some(operation)).await?;
        if verb == BulkVerb::Retry {
            notices::forget_of(self.0.db(), &txn, &reached).await?;
        }
        self.0.db().commit(txn).await?;
        match verb {
            BulkVerb::Retry => changed.iter().for_each(|task| self.0.queue().announce(task)),
            BulkVerb::Abandon => {
                self.0.queue().notify_given_up(&changed);
                self.0.queue().wake();
            }
        }
        tracing::info!(verb = verb.name(), tasks = changed.len(), by = %actor.person_id, "tasks changed");
        Ok(BulkDone { changed: reached.len() as u64, left: (tasks.len() - reached.len()) as u64 })
    }

    /// What a verb on these tasks would do, which are kept under a token; whether others match as well is not known here.
    async fn bulk_preview_of(
        self,
        actor: &Actor,
        verb: BulkVerb,
        query: &AdminTaskQuery,
        token: OperationToken,
        kept: &[TaskVersion],
        now: Instant,
    ) -> Result<BulkPreview> {
        let latest: Vec<TaskId> = kept.iter().rev().take(SAMPLE).map(|stand| stand.id).collect();
        let these = TaskSearch { only: Some(kept.iter().map(|stand| stand.id).collect()), ..TaskSearch::default() };
        Ok(BulkPreview {
            verb,
            will_change: kept.len() as u64,
            preview_token: token,
            running: kept.iter().filter(|stand| stand.status.is_running()).count() as u64,
            left: self.left_alone(verb, query, now).await?,
            more: false,
            open: self.0.queue().open_in(&these, now, MOST).await?,
            sample: self.rows_of(actor, &latest, now).await?,
        })
    }

    /// The rows of these tasks in this order, as far as they are still there.
    async fn rows_of(self, actor: &Actor, ids: &[TaskId], now: Instant) -> Result<Vec<TaskRow>> {
        let tasks = self.0.queue().tasks_by_id(ids.iter().copied()).await?;
        let mut rows = row::rows_of(self.0, actor, &tasks, now).await?;
        rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
        Ok(rows)
    }

    /// The search for those whom a verb reaches, at an instant; `None`: nobody, since other states are asked for.
    async fn bulk_search(self, verb: BulkVerb, query: &AdminTaskQuery, at: Instant) -> Result<Option<TaskSearch>> {
        let states: Vec<TaskState> =
            states_asked_for(query).into_iter().filter(|state| reached(verb).contains(state)).collect();
        if states.is_empty() {
            return Ok(None);
        }
        let query = AdminTaskQuery { states, after: None, limit: None, ..query.clone() };
        Ok(Some(tasks::task_search(self.0, &query, at).await?))
    }

    /// Those who match and are left alone.
    async fn left_alone(self, verb: BulkVerb, query: &AdminTaskQuery, at: Instant) -> Result<Vec<StateCount>> {
        let others: Vec<TaskState> =
            states_asked_for(query).into_iter().filter(|state| !reached(verb).contains(state)).collect();
        let groups: Vec<&[TaskState]> = others.iter().map(std::slice::from_ref).collect();
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let search = tasks::task_search(self.0, &AdminTaskQuery { states: Vec::new(), ..query.clone() }, at).await?;
        let counts = self.0.queue().counts_by_state(&search, &groups).await?;
        let most = queue::COUNTED_PER_STATE;
        let counted = others.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        let total = |count: u64| Total::upto(most, count);
        Ok(counted.map(|(state, count)| StateCount { state, count: total(count) }).collect())
    }
}
