//! Retry and abandon over many tasks: counted first, done in one transaction with one entry in the audit, and refused when
//! others match by then than were counted.

use std::collections::BTreeMap;

use model::{
    Instant, Problem, TaskState,
    admin::{AdminTaskQuery, BulkPreview, BulkVerb, StateCount},
    grouped,
};
use queue::{Task, TaskSearch, state_of};
use serde_json::json;
use uuid::Uuid;

use super::{administering, reasoned, verbs};
use crate::{
    Actor, Caseload, Result,
    audit::{self, Entry},
    notices,
};

/// The most tasks of one operation: it is one transaction, and others wait for it on SQLite.
const MOST: u64 = 5_000;
/// How many the sample shows.
const SAMPLE: u64 = 10;
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
        let Some(search) = self.bulk_search(verb, query).await? else {
            let left = self.left_alone(verb, query).await?;
            return Ok(BulkPreview { verb, will_change: 0, left, more: false, open: 0, sample: Vec::new() });
        };
        let count = self.queue().count_tasks(&search, now, MOST).await?;
        let mut sample = Vec::new();
        for task in &self.queue().tasks(&TaskSearch { limit: SAMPLE, ..search.clone() }).await?.tasks {
            sample.push(self.row(actor, task, now).await?);
        }
        Ok(BulkPreview {
            verb,
            will_change: count.min(MOST),
            left: self.left_alone(verb, query).await?,
            more: count > MOST,
            open: self.queue().open_in(&search, now, MOST).await?,
            sample,
        })
    }

    /// Does it. `expected` is how many were counted: the operation is refused when it is more than one in a hundred off. Gives
    /// how many were changed.
    pub async fn apply_bulk(
        &self,
        actor: &Actor,
        verb: BulkVerb,
        query: &AdminTaskQuery,
        expected: u64,
        reason: &str,
    ) -> Result<u64> {
        let reason = reasoned(actor, reason)?;
        let search = self.bulk_search(verb, query).await?;
        let txn = self.db().begin_write().await?;
        let now = self.db().now().await?;
        let ids = match &search {
            Some(search) => self.queue().matching(&txn, search, now, MOST).await?,
            None => Vec::new(),
        };
        check_drift(ids.len() as u64, expected)?;
        let before = self.states_of(&txn, &ids, now).await?;
        let changed = match verb {
            BulkVerb::Retry => {
                let retried = self.queue().retry_all(&txn, &ids, actor.person_id).await?;
                for task in &retried {
                    notices::forget_of(self.db(), &txn, task.id).await?;
                }
                retried
            }
            BulkVerb::Abandon => self.queue().abandon_all(&txn, &ids, actor.person_id, &reason).await?,
        };
        let reached: Vec<Uuid> = changed.iter().map(|task| task.id).collect();
        check_drift(reached.len() as u64, expected)?;
        let (action, after) = match verb {
            BulkVerb::Retry => {
                verbs::note(self.db(), &txn, &reached, actor, verbs::RETRY, Some(&reason)).await?;
                ("tasks.retry", "QUEUED")
            }
            BulkVerb::Abandon => ("tasks.abandon", "ABANDONED"),
        };
        let filter: BTreeMap<_, _> = query.pairs().into_iter().collect();
        let detail = json!({
            "reason": reason, "count": reached.len(), "filter": filter, "before": before,
            "after": { after: reached.len() }, "tasks": reached.iter().take(KEPT).collect::<Vec<_>>(),
        });
        let entry = Entry { actor_id: Some(actor.person_id), action, object_kind: "tasks", object_id: None, detail };
        audit::record(self.db(), &txn, entry).await?;
        self.db().commit(txn).await?;
        match verb {
            BulkVerb::Retry => changed.iter().for_each(|task| self.queue().tell(task)),
            BulkVerb::Abandon => self.queue().tell_given_up(&changed),
        }
        tracing::info!(verb = verb.name(), tasks = changed.len(), by = %actor.person_id, "tasks changed");
        self.queue().wake();
        Ok(reached.len() as u64)
    }

    /// The search for those whom a verb reaches; `None`: nobody, since other states are asked for.
    async fn bulk_search(&self, verb: BulkVerb, query: &AdminTaskQuery) -> Result<Option<TaskSearch>> {
        let states: Vec<TaskState> = asked(query).into_iter().filter(|state| reached(verb).contains(state)).collect();
        if states.is_empty() {
            return Ok(None);
        }
        let query = AdminTaskQuery { states, after: None, limit: None, ..query.clone() };
        Ok(Some(self.task_search(&query).await?))
    }

    /// Those who match and are left alone.
    async fn left_alone(&self, verb: BulkVerb, query: &AdminTaskQuery) -> Result<Vec<StateCount>> {
        let others: Vec<TaskState> = asked(query).into_iter().filter(|state| !reached(verb).contains(state)).collect();
        let groups: Vec<&[TaskState]> = others.iter().map(std::slice::from_ref).collect();
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let search = self.task_search(&AdminTaskQuery { states: Vec::new(), ..query.clone() }).await?;
        let counts = self.queue().counts_by_state(&search, &groups).await?;
        let counted = others.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        Ok(counted.map(|(state, count)| StateCount { state, count }).collect())
    }

    /// How many of these tasks are in each state.
    async fn states_of(
        &self,
        txn: &sea_orm::DatabaseTransaction,
        ids: &[Uuid],
        now: Instant,
    ) -> Result<BTreeMap<&'static str, u64>> {
        let mut states = BTreeMap::new();
        for task in self.queue().tasks_in(txn, ids).await? {
            *states.entry(state_name(&task, now)).or_default() += 1;
        }
        Ok(states)
    }
}

fn state_name(task: &Task, now: Instant) -> &'static str {
    state_of(task, now).name()
}

fn check_drift(found: u64, expected: u64) -> Result<()> {
    if found == 0 {
        return Err(Problem::conflict("nothing_to_do", "No task that matches is in a state for this any more.").into());
    }
    if found.abs_diff(expected) > (expected / 100).max(u64::from(expected > 0)) {
        let detail =
            format!("There are {} tasks by now, not {}. Please look again.", grouped(found), grouped(expected));
        return Err(Problem::conflict("changed_since", detail).with("total", found).into());
    }
    Ok(())
}
