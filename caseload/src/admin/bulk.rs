//! Retry and abandon over many tasks: looked at first, then done in one transaction with one entry in the audit. Only what was
//! looked at is reached.

use std::collections::BTreeMap;

use model::{
    Conflict, Instant, Problem, TaskState, Total,
    admin::{AdminTaskQuery, BulkDone, BulkPreview, BulkVerb, Confirmed, StateCount},
};
use queue::TaskSearch;
use serde_json::json;
use uuid::Uuid;

use super::{
    administering,
    frozen::{self, Frozen},
    reasoned, verbs,
};
use crate::{
    Actor, Caseload, Result,
    audit::{self, By, Entry},
    notices,
};

/// The most tasks of one operation: it is one transaction, and others wait for it on SQLite.
const MOST: u64 = 5_000;
/// How many the sample shows.
const SAMPLE: usize = 10;
/// How many ids the audit keeps of one operation; the filter says the rest.
const KEPT: usize = 1_000;

/// The states in which a verb changes a task.
fn reached(verb: BulkVerb) -> &'static [TaskState] {
    use TaskState::*;
    match verb {
        BulkVerb::Retry => &[Failed, CouldNotStart, Retrying],
        BulkVerb::Abandon => &[Waiting, Retrying, Scheduled, Held, Running, Failed, CouldNotStart],
    }
}

/// The states that were asked for, or all of them.
fn asked(query: &AdminTaskQuery) -> Vec<TaskState> {
    if query.states.is_empty() { TaskState::ALL.to_vec() } else { query.states.clone() }
}

impl Caseload {
    /// What a verb on all tasks that match would do.
    pub async fn preview_bulk(&self, actor: &Actor, verb: BulkVerb, query: &AdminTaskQuery) -> Result<BulkPreview> {
        administering(actor)?;
        let now = self.db().now().await?;
        let search = self.bulk_search(verb, query, now).await?;
        let left = self.left_alone(verb, query, now).await?;
        let (mut stands, mut open) = (Vec::new(), 0);
        if let Some(search) = &search {
            stands = self.queue().stands(search, now, MOST + 1).await?;
            open = self.queue().open_in(search, now, MOST).await?;
        }
        let more = stands.len() as u64 > MOST;
        stands.truncate(MOST as usize);
        let mut sample = Vec::new();
        let latest: Vec<Uuid> = stands.iter().rev().take(SAMPLE).map(|stand| stand.id).collect();
        for task in &self.queue().tasks_by_id(latest.iter().copied()).await? {
            sample.push(self.row(actor, task, now).await?);
        }
        sample.sort_by_key(|row| latest.iter().position(|id| *id == row.id));
        Ok(BulkPreview {
            verb,
            will_change: stands.len() as u64,
            preview_token: frozen::keep(self, actor, verb, query, &stands).await?,
            left,
            more,
            open,
            sample,
        })
    }

    /// Does it, to those that the preview saw and to which nothing has been done since.
    pub async fn apply_bulk(
        &self,
        actor: &Actor,
        verb: BulkVerb,
        confirmed: &Confirmed,
        reason: &str,
    ) -> Result<BulkDone> {
        let reason = reasoned(actor, reason)?;
        let txn = self.db().begin_write().await?;
        let Frozen { filter, tasks } = frozen::find(self.db(), &txn, actor, verb, confirmed.preview_token).await?;
        if filter.is_empty() && !confirmed.everything {
            let message = "Nothing narrows the tasks: say that you mean all of them.";
            return Err(Problem::field("everything", "required", message).into());
        }
        let ids = self.queue().unchanged(&txn, &tasks).await?;
        let before: BTreeMap<_, _> = self
            .queue()
            .states_among(&txn, &ids, self.db().now().await?)
            .await?
            .into_iter()
            .map(|(state, count)| (state.name(), count))
            .collect();
        let changed = match verb {
            BulkVerb::Retry => self.queue().retry_all(&txn, &ids, actor.person_id).await?,
            BulkVerb::Abandon => self.queue().abandon_all(&txn, &ids, actor.person_id, &reason).await?,
        };
        let reached: Vec<Uuid> = changed.iter().map(|task| task.id).collect();
        if reached.is_empty() {
            let detail = "None of these tasks is in a state for this any more.";
            return Err(Problem::conflict(Conflict::NOTHING_TO_DO, detail).into());
        }
        let (action, word, after) = match verb {
            BulkVerb::Retry => ("tasks.retry", verbs::RETRY, "QUEUED"),
            BulkVerb::Abandon => ("tasks.abandon", verbs::ABANDON, "ABANDONED"),
        };
        let detail = json!({
            "reason": reason, "count": reached.len(), "filter": filter, "before": before,
            "after": { after: reached.len() }, "tasks": reached.iter().take(KEPT).collect::<Vec<_>>(),
        });
        let entry = Entry { by: By::Actor(actor), action, object_kind: "tasks", object_id: None, detail };
        let operation = audit::record_one(self.db(), &txn, entry).await?;
        verbs::note(self.db(), &txn, &reached, actor, word, Some(&reason), Some(operation)).await?;
        if verb == BulkVerb::Retry {
            notices::forget_of(self.db(), &txn, &reached).await?;
        }
        self.db().commit(txn).await?;
        match verb {
            BulkVerb::Retry => changed.iter().for_each(|task| self.queue().announce(task)),
            BulkVerb::Abandon => {
                self.queue().tell_given_up(&changed);
                self.queue().wake();
            }
        }
        tracing::info!(verb = verb.name(), tasks = changed.len(), by = %actor.person_id, "tasks changed");
        Ok(BulkDone { changed: reached.len() as u64, left: (tasks.len() - reached.len()) as u64 })
    }

    /// The search for those whom a verb reaches, at an instant; `None`: nobody, since other states are asked for.
    async fn bulk_search(&self, verb: BulkVerb, query: &AdminTaskQuery, at: Instant) -> Result<Option<TaskSearch>> {
        let states: Vec<TaskState> = asked(query).into_iter().filter(|state| reached(verb).contains(state)).collect();
        if states.is_empty() {
            return Ok(None);
        }
        let query = AdminTaskQuery { states, after: None, limit: None, ..query.clone() };
        Ok(Some(self.task_search(&query, at).await?))
    }

    /// Those who match and are left alone.
    async fn left_alone(&self, verb: BulkVerb, query: &AdminTaskQuery, at: Instant) -> Result<Vec<StateCount>> {
        let others: Vec<TaskState> = asked(query).into_iter().filter(|state| !reached(verb).contains(state)).collect();
        let groups: Vec<&[TaskState]> = others.iter().map(std::slice::from_ref).collect();
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let search = self.task_search(&AdminTaskQuery { states: Vec::new(), ..query.clone() }, at).await?;
        let counts = self.queue().counts_by_state(&search, &groups).await?;
        let most = queue::COUNTED_PER_STATE;
        let counted = others.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        let total = |count: u64| Total::upto(most, count);
        Ok(counted.map(|(state, count)| StateCount { state, count: total(count) }).collect())
    }
}
